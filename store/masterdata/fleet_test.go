package masterdata_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/domain/organization/file"
	"waybill/store/masterdata"
)

// fleet is a document with all that drivers and vehicles can have.
const fleet = head + `
departments: [{name: Oslo}]
customers: [{externalId: C-1, businessName: Fjord}]
vehicleTypes: [{name: Van, maxWeightKg: 1200}, {name: Truck, maxRouteKm: 400, travelsAs: TRUCK, alsoServes: [van],
  heightM: 3.95, widthM: 2.55, lengthM: 12, grossWeightKg: 18000, axleLoadKg: 10000, topSpeedKmh: 85,
  hazardousGoods: true, avoidsFerries: true, avoidsTolls: true}]
skills: [{name: ADR}, {name: Tail lift}]
locations:
  - {externalId: T-1, name: Terminal, address: {latitude: 59, longitude: 10}}
  - {externalId: L-1, name: Shop, address: {latitude: 60, longitude: 10}}
vehicles:
  - {registration: EB1, name: Blue, vehicleType: truck, maxWeightKg: 4000, homeLocation: T-1, skills: [Tail lift, ADR]}
  - {registration: EB2, vehicleType: Van}
drivers:
  - externalId: D-1
    name: Nora
    department: oslo
    vehicle: eb1
    skills: [adr]
    startLocation: T-1
    endLocation: L-1
    workdays:
      - {rrule: "FREQ=WEEKLY;BYDAY=MO", starts: "06:00", ends: "14:00"}
      - {rrule: "FREQ=DAILY", starts: "07:00", ends: "15:30", break: {minutes: 30, earliest: "11:00", latest: "13:00"}}
    prohibitedCustomers: [C-1]
    prohibitedLocations: [L-1]
  - {name: Ola, vehicle: EB2}
`

// fleetOf describes the stored fleet.
func (d *documents) fleetOf() string {
	return one[string](d, `select concat_ws(E'\n',
		(select string_agg(concat_ws(' ', t.name, t.max_route_km, t.travels_as, s.name, t.height_m, t.width_m,
			t.length_m, t.gross_weight_kg, t.axle_load_kg, t.top_speed_kmh, t.hazardous_goods::text, t.avoids_ferries::text,
			t.avoids_tolls::text), ', ' order by t.id)
			from vehicle_types t left join vehicle_type_also_serves a on a.vehicle_type_id = t.id
			left join vehicle_types s on s.id = a.served_type_id),
		(select string_agg(concat_ws(' ', v.registration, v.name, t.name, v.max_weight_kg, l.external_id, v.is_active,
			(select string_agg(s.name, '+' order by s.name) from vehicle_skills k join skills s on s.id = k.skill_id
				where k.vehicle_id = v.id)), ', ' order by v.id)
			from vehicles v join vehicle_types t on t.id = v.vehicle_type_id left join locations l on l.id = v.home_location_id),
		(select string_agg(concat_ws(' ', d.name, p.name, v.registration, b.external_id, e.external_id,
			(select string_agg(s.name, '+' order by s.name) from driver_skills k join skills s on s.id = k.skill_id
				where k.driver_id = d.id),
			(select string_agg(concat_ws('-', r.rrule, r.starts, r.ends, r.break_minutes, r.break_earliest, r.break_latest), '+'
				order by r.seq) from driver_workday_rules r where r.driver_id = d.id),
			(select string_agg(c.external_id, '+') from customer_prohibited_drivers x join customers c on c.id = x.customer_id
				where x.driver_id = d.id),
			(select string_agg(l.external_id, '+') from location_prohibited_drivers x join locations l on l.id = x.location_id
				where x.driver_id = d.id)), ', ' order by d.id)
			from drivers d left join departments p on p.id = d.department_id left join vehicles v on v.id = d.vehicle_id
			left join locations b on b.id = d.start_location_id left join locations e on e.id = d.end_location_id))`)
}

func TestApplyTheFleet(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	done := d.done(fleet, masterdata.Options{})
	require.Equal(t, []string{"+2 ~0 =0 -0", "+2 ~0 =0 -0", "+2 ~0 =0 -0"},
		[]string{done["vehicleTypes"], done["vehicles"], done["drivers"]})
	require.Equal(t, strings.Join([]string{
		"Van CAR false false false, Truck 400 TRUCK Van 3.95 2.55 12 18000 10000 85 true true true",
		"EB1 Blue Truck 4000 T-1 t ADR+Tail lift, EB2 Van t",
		"Nora Oslo EB1 T-1 L-1 ADR FREQ=WEEKLY;BYDAY=MO-360-840-0-0-0+FREQ=DAILY-420-930-30-660-780 C-1 L-1, Ola EB2",
	}, "\n"), d.fleetOf())

	events := func() string {
		return one[string](d, `select string_agg(kind || subject_id, ' ' order by id) from events
			where subject_type in ('driver', 'vehicle')`)
	}
	const created = "vehicle.created1 vehicle.created2 driver.created1 driver.created2"
	require.Equal(t, created, events())
	done = d.done(fleet, masterdata.Options{})
	require.Equal(t, []string{"+0 ~0 =2 -0", "+0 ~0 =2 -0", "+0 ~0 =2 -0"},
		[]string{done["vehicleTypes"], done["vehicles"], done["drivers"]}, "the same again writes nothing")
	require.Equal(t, created, events())

	done = d.done(strings.NewReplacer(
		"alsoServes: [van]", "alsoServes: []", "heightM: 3.95", "heightM: 3.8", "avoidsFerries: true", "avoidsFerries: false",
		"[Tail lift, ADR]", "[ADR]", "skills: [adr]", "skills: []",
		`"07:00", ends: "15:30"`, `"07:30", ends: "15:30"`, "prohibitedCustomers: [C-1]", "prohibitedCustomers: []",
	).Replace(fleet), masterdata.Options{})
	require.Equal(t, []string{"+0 ~1 =1 -0", "+0 ~1 =1 -0", "+0 ~1 =1 -0"},
		[]string{done["vehicleTypes"], done["vehicles"], done["drivers"]})
	require.Equal(t, strings.Join([]string{
		"Van CAR false false false, Truck 400 TRUCK 3.8 2.55 12 18000 10000 85 true false true",
		"EB1 Blue Truck 4000 T-1 t ADR, EB2 Van t",
		"Nora Oslo EB1 T-1 L-1 FREQ=WEEKLY;BYDAY=MO-360-840-0-0-0+FREQ=DAILY-450-930-30-660-780 L-1, Ola EB2",
	}, "\n"), d.fleetOf())
	require.Equal(t, created+" vehicle.updated1 driver.updated1", events())
}

func TestPruneTheFleet(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	d.done(fleet, masterdata.Options{})
	const without = head + "departments: []\nvehicleTypes: []\nskills: []\nvehicles: []\n"
	done := d.done(without, masterdata.Options{Prune: true})
	require.Equal(t, "+0 ~0 =0 -2", done["vehicles"])
	require.Equal(t, "+0 ~0 =0 -0", done["departments"], "Nora's stays")
	require.Equal(t, "+0 ~0 =0 -2", done["vehicleTypes"])
	require.Equal(t, "0 0 0 1", one[string](d, `select concat_ws(' ', (select count(*) from vehicles where is_active),
		(select count(*) from vehicle_types where is_active), (select count(*) from skills where is_active),
		(select count(*) from departments))`), "what drivers have stays as inactive")
	require.Equal(t, 2, one[int](d, "select count(*)::int from vehicles"))
	require.Equal(t, 2, one[int](d, "select count(*)::int from events where kind = 'vehicle.deactivated'"))

	done = d.done(head+"drivers: []\nvehicles: []\nvehicleTypes: []\n", masterdata.Options{Prune: true})
	require.Equal(t, "+0 ~0 =0 -2", done["drivers"])
	require.Zero(t, one[int](d, `select (count(*) + (select count(*) from vehicles)
		+ (select count(*) from vehicle_types))::int from drivers`))
}

// A driver to whom an order is locked is not deleted.
func TestPruneKeepsDriversWithLocks(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	d.done(fleet+"orderTypes: [{name: T}]\n", masterdata.Options{})
	_, err := d.owner.Exec(t.Context(), `
		with o as (insert into orders (org_id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id)
			select org_id, 'N', 1, 1, '2026-03-02', (select id from customers), id, (select min(id) from vehicle_types)
			from order_types returning org_id, id)
		insert into order_driver_locks (org_id, order_id, driver_id) select org_id, id, (select min(id) from drivers) from o`)
	require.NoError(t, err)
	require.Equal(t, "+0 ~0 =0 -2", d.done(head+"drivers: []\n", masterdata.Options{Prune: true})["drivers"])
	require.Equal(t, "Nora false", one[string](d, "select string_agg(name || ' ' || is_active, ',') from drivers"))
	require.Zero(t, one[int](d, "select count(*)::int from driver_workday_rules"))
}

// TestPrunedDriversLeaveTheirCrews has nobody ride along who was deleted or deactivated.
func TestPrunedDriversLeaveTheirCrews(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	all := "{externalId: a, name: A}, {externalId: b, name: B}, {externalId: c, name: C}, {externalId: d, name: D}"
	d.done(head+"drivers: ["+all+"]\n", masterdata.Options{})
	_, err := d.owner.Exec(t.Context(), `
		with kept as (insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
			select org_id, 'device', 'x', 'x', id, now(), now(), now() from drivers where external_id = 'b')
		insert into driver_workdays (org_id, driver_id, date, starts, ends, co_driver_id, shares_driving)
		select x.org_id, x.id, current_date + 1, 420, 900, y.id, true from drivers x join drivers y on y.org_id = x.org_id
		where (x.external_id, y.external_id) in (('a', 'b'), ('c', 'd'))`)
	require.NoError(t, err)
	d.done(head+"drivers: [{externalId: a, name: A}, {externalId: c, name: C}]\n", masterdata.Options{Prune: true})
	require.Equal(t, "A true, B false, C true", one[string](d,
		"select string_agg(name || ' ' || is_active, ', ' order by name) from drivers"))
	require.Equal(t, 2, one[int](d, "select count(*)::int from driver_workdays where co_driver_id is null"))
}

func TestReferencesOfFleetMustExist(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	d.done(fleet, masterdata.Options{})
	for _, c := range [][2]string{
		{
			`vehicleTypes: [{name: Van, alsoServes: [Barge]}]`,
			`vehicleTypes[0].alsoServes[0]: vehicle type "Barge" not found`,
		},
		{
			`vehicles: [{registration: X, vehicleType: Barge}]`,
			`vehicles[0].vehicleType: vehicle type "Barge" not found`,
		},
		{
			`vehicles: [{registration: X, vehicleType: Van, homeLocation: t-1}]`,
			`vehicles[0].homeLocation: location with the external id "t-1" not found`,
		},
		{
			`vehicles: [{registration: X, vehicleType: Van, skills: [ADR, Fly]}]`,
			`vehicles[0].skills[1]: skill "Fly" not found`,
		},
		{
			`drivers: [{name: x, department: Bergen}]`,
			`drivers[0].department: department "Bergen" not found`,
		},
		{
			`drivers: [{name: x, vehicle: EB9}]`,
			`drivers[0].vehicle: vehicle "EB9" not found`,
		},
		{
			`drivers: [{name: x, skills: [Fly]}]`,
			`drivers[0].skills[0]: skill "Fly" not found`,
		},
		{
			`drivers: [{name: x, startLocation: X}]`,
			`drivers[0].startLocation: location with the external id "X" not found`,
		},
		{
			`drivers: [{name: x, endLocation: X}]`,
			`drivers[0].endLocation: location with the external id "X" not found`,
		},
		{
			`drivers: [{name: x, prohibitedCustomers: [c-1]}]`,
			`drivers[0].prohibitedCustomers[0]: customer with the external id "c-1" not found`,
		},
		{
			`drivers: [{name: x, prohibitedLocations: [L-1, L-2]}]`,
			`drivers[0].prohibitedLocations[1]: location with the external id "L-2" not found`,
		},
	} {
		_, err := d.apply(head+c[0]+"\n", masterdata.Options{})
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, c[0])
		require.Equal(t, c[1], problems[0].Path+": "+problems[0].Text)
	}
	require.Equal(t, "2 2", one[string](d, "select (select count(*) from drivers) || ' ' || count(*) from vehicles"))
}

func TestTheFleetOfADocumentIsChecked(t *testing.T) {
	t.Parallel()
	const work = `drivers: [{name: x, workdays: [{rrule: "FREQ=DAILY", starts: "07:00", ends: "15:00"`
	for _, c := range [][2]string{
		{
			`vehicleTypes: [{name: x, alsoServes: [X]}]`,
			"vehicleTypes[0].alsoServes[0]",
		},
		{
			`vehicleTypes: [{name: x, alsoServes: [a, A]}]`,
			"vehicleTypes[0].alsoServes[1]",
		},
		{
			`vehicleTypes: [{name: x, travelsAs: PLANE}]`,
			"vehicleTypes[0].travelsAs",
		},
		{
			`vehicleTypes: [{name: x, maxRouteKm: 0}]`,
			"vehicleTypes[0].maxRouteKm",
		},
		{
			`vehicleTypes: [{name: x, extraSetupSeconds: 3601}]`,
			"vehicleTypes[0].extraSetupSeconds",
		},
		{
			`vehicleTypes: [{name: x, heightM: 0}]`,
			"vehicleTypes[0].heightM",
		},
		{
			`vehicleTypes: [{name: x, costPerHour: 0}]`,
			"vehicleTypes[0].costPerHour",
		},
		{
			`settings: {rushHours: [{from: "07:00", until: "09:00", factor: 3.5}]}`,
			"settings.rushHours[0].factor",
		},
		{
			`settings: {rushHours: [{days: [MO], from: "07:00", until: "09:00", factor: 2, areas: [{country: XX1}]}]}`,
			"settings.rushHours[0].areas[0].country",
		},
		{
			`settings: {recipientPage: {actions: {instructions: {minutesBefore: -1}}}}`,
			"settings.recipientPage.actions.instructions.minutesBefore",
		},
		{
			`settings: {recipientPage: {color: red}}`,
			"settings.recipientPage.color",
		},
		{
			`settings: {costs: {balanceOrdersPrice: 61}}`,
			"settings.costs.balanceOrdersPrice",
		},
		{
			`settings: {costs: {perKm: 5}}`,
			"settings.costs.perHour",
		},
		{
			`settings: {costs: {overtimeMinutes: 1.5}}`,
			"settings.costs.overtimeMinutes",
		},
		{
			`vehicleTypes: [{name: x, topSpeedKmh: 200}]`,
			"vehicleTypes[0].topSpeedKmh",
		},
		{
			`vehicleTypes: [{name: x, travelsAs: BIKE, avoidsTolls: true}]`,
			"vehicleTypes[0].travelsAs",
		},
		{
			`vehicles: [{vehicleType: x}]`,
			"vehicles[0].registration",
		},
		{
			`vehicles: [{registration: x}]`,
			"vehicles[0].vehicleType",
		},
		{
			`vehicles: [{registration: x, vehicleType: v}, {registration: X, vehicleType: v}]`,
			"vehicles[1].registration",
		},
		{
			`vehicles: [{registration: x, vehicleType: v, maxWeightKg: -1}]`,
			"vehicles[0].maxWeightKg",
		},
		{
			`vehicles: [{registration: x, vehicleType: v, skills: [""]}]`,
			"vehicles[0].skills[0]",
		},
		{
			`drivers: [{name: x, workdays: [{rrule: "FREQ=NEVER", starts: "07:00", ends: "15:00"}]}]`,
			"drivers[0].workdays[0].rrule",
		},
		{
			`drivers: [{name: x, workdays: [{rrule: "FREQ=DAILY", ends: "15:00"}]}]`,
			"drivers[0].workdays[0].starts",
		},
		{
			`drivers: [{name: x, workdays: [{rrule: "FREQ=DAILY", starts: "15:00", ends: "15:00"}]}]`,
			"drivers[0].workdays[0].ends",
		},
		{
			work + `, break: {minutes: 30, earliest: "11:00"}}]}]`,
			"drivers[0].workdays[0].break.latest",
		},
		{
			work + `, break: {minutes: 0, earliest: "11:00", latest: "12:00"}}]}]`,
			"drivers[0].workdays[0].break.minutes",
		},
		{
			work + `, break: {minutes: 30, earliest: "11:00", latest: "16:00"}}]}]`,
			"drivers[0].workdays[0].break.latest",
		},
		{
			work + `, break: {minutes: 30, earliest: "06:00", latest: "12:00"}}]}]`,
			"drivers[0].workdays[0].break.earliest",
		},
	} {
		_, err := file.Read([]byte(head + c[0] + "\n"))
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, c[0])
		require.Equal(t, c[1], problems[0].Path, c[0])
	}
}

func TestDriversHavePreferences(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const says = head + `
customers: [{externalId: C-1, businessName: Fjord}]
locations: [{externalId: L-1, name: Shop, address: {latitude: 60, longitude: 10}}]
drivers:
  - {name: Nora, preferredCustomers: [C-1], preferredLocations: [L-1], territory: [{country: "NO", prefix: "01"}]}
  - {name: Ola}
`
	kept := func() string {
		return one[string](d, `select string_agg(concat_ws(' ', d.name, (select c.external_id from customers c
				where d.preferences->'customers' = jsonb_build_array(c.id)), (select l.external_id from locations l
				where d.preferences->'locations' = jsonb_build_array(l.id)), d.preferences->'territory'),
				', ' order by d.id) from drivers d`)
	}
	d.done(says, masterdata.Options{})
	require.Equal(t, `Nora C-1 L-1 [{"to": "01", "from": "01", "country": "NO"}], Ola`, kept())
	require.Equal(t, "+0 ~0 =2 -0", d.done(says, masterdata.Options{})["drivers"], "the same again writes nothing")
	require.Equal(t, "+0 ~1 =0 -0", d.done(head+"drivers: [{name: Nora}]\n", masterdata.Options{})["drivers"])
	require.Equal(t, "Nora, Ola", kept())
	const wrong = "drivers: [{name: Nora, territory: [{country: \"NO\", from: \"02\", to: \"01\"}]}]\n"
	_, err := file.Read([]byte(head + wrong))
	require.ErrorContains(t, err, "drivers[0].territory[0].to")
}

// TestDocumentsSetFactorsOfDrivers writes them, and keeps those that a document leaves out: they may be learned.
func TestDocumentsSetFactorsOfDrivers(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const says = head + "drivers: [{name: Nora, drivingFactor: 1.1, visitFactor: 0.9}, {name: Ola}]\n"
	kept := func() string {
		return one[string](d, `select string_agg(concat_ws(' ', d.name, d.driving_factor, d.visit_factor), ', ' order by d.id)
			from drivers d`)
	}
	d.done(says, masterdata.Options{})
	require.Equal(t, "Nora 1.1 0.9, Ola", kept())
	require.Equal(t, "+0 ~0 =2 -0", d.done(says, masterdata.Options{})["drivers"], "the same again writes nothing")
	require.Equal(t, "+0 ~0 =1 -0", d.done(head+"drivers: [{name: Nora}]\n", masterdata.Options{})["drivers"])
	require.Equal(t, "Nora 1.1 0.9, Ola", kept())
	d.done(head+"drivers: [{name: Nora, drivingFactor: 1}]\n", masterdata.Options{})
	require.Equal(t, "Nora 0.9, Ola", kept(), "1 is as long as others take")
	_, err := file.Read([]byte(head + "drivers: [{name: Nora, visitFactor: 0.2}]\n"))
	require.ErrorContains(t, err, "drivers[0].visitFactor")
}
