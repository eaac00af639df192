package masterdata_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/organization"
	"waybill/domain/organization/file"
	"waybill/store"
	"waybill/store/masterdata"
	"waybill/store/storetest"
)

// documents applies documents to a database and looks at it as its owner.
type documents struct {
	*storetest.Database

	t     *testing.T
	store *store.Store
	owner *pgx.Conn
}

func newDocuments(t *testing.T) *documents {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	return &documents{Database: db, t: t, store: store.New(db.Pool), owner: owner}
}

func (d *documents) apply(text string, options masterdata.Options) (masterdata.Applied, error) {
	d.t.Helper()
	document, err := file.Read([]byte(text))
	require.NoError(d.t, err)
	return masterdata.Apply(d.t.Context(), d.store, caller.Service(0, "test"), document, options)
}

// done applies a document and returns the counts of one section, such as
// "skills +1 ~2 =3 -4".
func (d *documents) done(text string, options masterdata.Options) map[string]string {
	d.t.Helper()
	applied, err := d.apply(text, options)
	require.NoError(d.t, err)
	sections := map[string]string{}
	for _, s := range applied.Sections {
		sections[s.Name] = fmt.Sprintf("+%d ~%d =%d -%d", s.Created, s.Updated, s.Unchanged, s.Removed)
	}
	return sections
}

// one returns the only value of a query by the owner.
func one[T any](d *documents, sql string, args ...any) T {
	d.t.Helper()
	rows, err := d.owner.Query(d.t.Context(), sql, args...)
	require.NoError(d.t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(d.t, err)
	return value
}

// versions shows whether anything was written: every row's transaction and the
// state of every sequence.
func (d *documents) versions() string {
	d.t.Helper()
	var all strings.Builder
	for _, table := range []string{
		"organizations", "departments", "customers", "vehicle_types", "order_types", "skills", "order_groups",
		"calendars", "custom_field_definitions", "locations", "location_time_windows", "zones", "freight_levels",
		"schedule_intervals",
		"schedule_interval_order_types", "schedule_interval_zones", "schedule_interval_freight_levels", "price_lists",
		"price_list_order_types", "price_list_lines",
	} {
		all.WriteString(one[string](d, `
			select coalesce(string_agg(t.xmin || ' ' || t.ctid, ',' order by t.ctid), '') from `+table+" t") + "\n")
	}
	return all.String()
}

const head = "organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n"

func TestApplyCreatesAnOrganization(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	require.Equal(t, "Test AS Europe/Oslo nb f f -", one[string](d, `
		select concat_ws(' ', name, timezone, language, allow_merge, reexport, coalesce(reexport_since::text, '-'))
			from organizations where id = $1`, org))
	require.Equal(t, "C-100 Fjord Møbler AS Oslo|C-101 Nordmarka Sport AS -|- Uten Nummer AS København", one[string](d, `
		select string_agg(concat_ws(' ', coalesce(c.external_id, '-'), c.business_name, coalesce(d.name, '-')), '|'
			order by c.external_id)
		from customers c left join departments d on d.org_id = c.org_id and d.id = c.department_id where c.org_id = $1`, org))
	require.Equal(t, "Truck - -|Van 1200 12", one[string](d, `
		select string_agg(concat_ws(' ', name, coalesce(max_weight_kg::text, '-'), coalesce(max_volume_m3::text, '-')), '|'
			order by name)
		from vehicle_types where org_id = $1`, org))
	require.Equal(t, "Carrier 0 - - - - - postnord|Standard 1 480 720 960 60 20160 -", one[string](d, `
		select string_agg(concat_ws(' ', name, priority, coalesce(ready_from::text, '-'), coalesce(pick_up_before::text, '-'),
			coalesce(deliver_before::text, '-'), coalesce(min_book_ahead_minutes::text, '-'),
				coalesce(max_book_ahead_minutes::text, '-'),
			coalesce(export_carrier, '-')), '|' order by name)
		from order_types where org_id = $1`, org))
	require.Equal(t, "dock_door num pickup badge -|gate_code char delivery popup #FFF4CE", one[string](d, `
		select string_agg(concat_ws(' ', external_id, sort_order_batch, display_on, display_style,
			coalesce(color_background, '-')), '|' order by external_id)
		from custom_field_definitions where org_id = $1`, org))
	require.Equal(t, "- - - f 0|L-1 420 900 t 2|L-2 420 840 f 0", one[string](d, `
		select string_agg(concat_ws(' ', coalesce(external_id, '-'), coalesce(opens::text, '-'), coalesce(closes::text, '-'),
			use_opening_hours_as_default, (select count(*) from location_time_windows w
				where w.org_id = l.org_id and w.location_id = l.id)),
			'|' order by coalesce(external_id, '-')) from locations l where org_id = $1`, org))
}

func TestApplyAgainWritesNothing(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	before := d.versions()
	require.Equal(t, org, storetest.Organization(t, d.Database, "acme"))
	require.Equal(t, before, d.versions())
}

func TestApplyUpdatesWhatDiffers(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	d.done(head+`
departments: [{name: København}, {name: Oslo}]
customers: [{externalId: C-1, businessName: One, department: københavn}, {businessName: Ærlig AS}]
skills: [{name: ADR}, {name: Tail lift}]
vehicleTypes: [{name: Van, maxWeightKg: 1000}]
locations:
  - externalId: L-1
    name: A
    address: {latitude: 59, longitude: 10}
    timeWindows:
      - {rrule: "FREQ=DAILY", opens: "06:00", closes: "07:00"}
      - {rrule: "FREQ=DAILY", opens: "08:00", closes: "09:00"}
  - {externalId: L-2, name: B, address: {latitude: 59, longitude: 11}}
`, masterdata.Options{})
	require.Equal(t, map[string]string{
		"organization": "+0 ~1 =0 -0", "departments": "+0 ~1 =1 -0", "customers": "+1 ~2 =0 -0", "skills": "+0 ~1 =0 -0",
		"vehicleTypes": "+0 ~1 =0 -0", "locations": "+1 ~1 =1 -0",
	}, d.done(strings.Replace(head, "Acme", "Acme AS", 1)+`
departments: [{name: KØBENHAVN}, {name: Oslo}]
customers:
  - {externalId: C-1, businessName: One}
  - {businessName: ÆRLIG as, department: Oslo}
  - {externalId: C-2, businessName: Ærlig AS}
skills: [{name: adr}]
vehicleTypes: [{name: Van}]
locations:
  - externalId: L-1
    name: A
    address: {latitude: 59, longitude: 10}
    timeWindows: [{rrule: "FREQ=DAILY", opens: "06:00", closes: "07:30"}]
  - {externalId: L-2, name: B, address: {latitude: 59, longitude: 11}}
  - {name: B, address: {latitude: 59, longitude: 11}}
`, masterdata.Options{}))
	require.Equal(t, "390-450",
		one[string](d, "select string_agg(opens + 30 || '-' || closes, ',') from location_time_windows"))
	require.Equal(t, int64(2), one[int64](d, "select count(*) from skills"), "nothing is deleted without prune")
	require.True(t, one[bool](d, "select max_weight_kg is null from vehicle_types"),
		"a field that is left out has its default")
}

func TestApplyRemembersWhenReexportBegan(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	since := func() string {
		return one[string](d, "select coalesce(reexport_since::text, 'never') from organizations")
	}
	d.done(head, masterdata.Options{})
	require.Equal(t, "never", since())
	d.done(head+"settings: {reexport: true}\n", masterdata.Options{})
	began := since()
	require.NotEqual(t, "never", began)
	d.done(head+"settings: {reexport: true, allowMerge: true}\n", masterdata.Options{})
	require.Equal(t, began, since())
	require.Equal(t, map[string]string{"organization": "+0 ~0 =1 -0"},
		d.done(head, masterdata.Options{}), "settings that are left out stay")
	d.done(head+"settings: {reexport: false}\n", masterdata.Options{})
	d.done(head+"settings: {reexport: true}\n", masterdata.Options{})
	require.NotEqual(t, began, since())
}

// TestApplySetsRetention applies partial and invalid
// periods.
func TestApplySetsRetention(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	kept := func() string {
		return one[string](d, `select concat_ws(' ', keep_people_days, keep_proofs_days, keep_drivers_days, shipment_prices)
			from organizations`)
	}
	d.done(head, masterdata.Options{})
	require.Equal(t, "400 1095 400 f", kept(), "a new organization")
	const says = head + "settings: {shipmentPrices: true, retention: {peopleDays: 90, driversDays: 0}}\n"
	require.Equal(t, "+0 ~1 =0 -0", d.done(says, masterdata.Options{})["organization"])
	require.Equal(t, "90 1095 0 t", kept())
	require.Equal(t, "+0 ~0 =1 -0", d.done(says, masterdata.Options{})["organization"])
	d.done(head+"settings: {}\n", masterdata.Options{})
	require.Equal(t, "90 1095 0 t", kept(), "what is left out stays")
	for _, wrong := range []string{"29", "-1", "36501"} {
		_, err := file.Read([]byte(head + "settings: {retention: {proofsDays: " + wrong + "}}\n"))
		require.ErrorContains(t, err,
			"settings.retention.proofsDays: must be between 30 and 36500, or 0 to keep the data forever")
	}
}

// TestApplySetsWhichProposalsAreAccepted applies each setting alone.
func TestApplySetsWhichProposalsAreAccepted(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	accepts := func() string {
		return one[string](d, "select concat_ws(' ', accept_drivers_pins, accept_arrivals) from organizations")
	}
	d.done(head, masterdata.Options{})
	require.Equal(t, "f f", accepts(), "a new organization")
	d.done(head+"settings: {places: {acceptDriversPins: true}}\n", masterdata.Options{})
	require.Equal(t, "t f", accepts())
	const says = head + "settings: {places: {acceptArrivals: true}}\n"
	require.Equal(t, "+0 ~1 =0 -0", d.done(says, masterdata.Options{})["organization"])
	require.Equal(t, "t t", accepts(), "what is left out stays")
	require.Equal(t, "+0 ~0 =1 -0", d.done(says, masterdata.Options{})["organization"])
}

func TestApplyRefusesSandboxWithDrivers(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const sandbox = head + "settings: {sandbox: true}\n"
	drives := func() {
		org := one[int64](d, "select id from organizations")
		_, err := d.owner.Exec(t.Context(), `with d as (insert into drivers (org_id, name) values ($1, 'Nora') returning id)
			insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at, expires_at)
			select $1, 'device', 'x' || d.id, '\x00', d.id, now(), now(), now() + interval '1 day' from d`, org)
		require.NoError(t, err)
	}
	d.done(head, masterdata.Options{})
	d.done(sandbox, masterdata.Options{})
	drives()
	require.Equal(t, "+0 ~0 =1 -0", d.done(sandbox, masterdata.Options{})["organization"], "a sandbox stays one")
	d.done(head+"settings: {sandbox: false}\n", masterdata.Options{})
	_, err := d.apply(sandbox, masterdata.Options{})
	require.ErrorContains(t, err, "settings.sandbox: must stay false: drivers' phones are enrolled")
	require.False(t, one[bool](d, "select sandbox from organizations"))
}

func TestApplyPrunes(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	other := storetest.Organization(t, d.Database, "other")
	_, err := d.owner.Exec(t.Context(), `
		insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
		select o.id, 'N-1', 1, '2026-01-01', c.id, t.id, v.id
		from organizations o join customers c on c.org_id = o.id and c.external_id = 'C-100'
		join order_types t on t.org_id = o.id and t.name = 'Standard'
			join vehicle_types v on v.org_id = o.id and v.name = 'Van'
		where o.id = `+fmt.Sprint(org))
	require.NoError(t, err)
	const text = `
organization: {slug: acme, name: Test AS, timezone: Europe/Oslo, language: nb}
departments: []
customers: [{businessName: Uten Nummer AS}]
vehicleTypes: []
orderTypes: [{name: Carrier, exportCarrier: postnord}]
skills: []
customFields: []
locations: []
`
	gone := map[string]string{
		"organization": "+0 ~0 =1 -0", "departments": "+0 ~0 =0 -1",
		"customers": "+0 ~1 =0 -2", "vehicleTypes": "+0 ~0 =0 -2",
		"orderTypes": "+0 ~0 =1 -1", "skills": "+0 ~0 =0 -2", "customFields": "+0 ~0 =0 -2", "locations": "+0 ~0 =0 -0",
	}
	before := d.versions()
	require.Equal(t, gone, d.done(text, masterdata.Options{Prune: true, DryRun: true}))
	require.Equal(t, before, d.versions(), "a dry run writes nothing")
	require.Equal(t, gone, d.done(text, masterdata.Options{Prune: true}))

	require.Equal(t, "C-100 f|- t", one[string](d, `
		select string_agg(concat_ws(' ', coalesce(external_id, '-'), is_active), '|' order by external_id) from customers
			where org_id = $1`, org))
	require.Equal(t, "Oslo", one[string](d, "select string_agg(name, ',') from departments where org_id = $1", org),
		"the customer of the order belongs to it")
	require.Equal(t, "Van f",
		one[string](d, "select string_agg(concat_ws(' ', name, is_active), ',') from vehicle_types where org_id = $1", org))
	require.Equal(t, int64(2), one[int64](d, "select count(*) from order_groups where org_id = $1", org),
		"a section that is left out is left alone")
	require.Equal(t, int64(3), one[int64](d, "select count(*) from locations where org_id = $1", org))
	require.Equal(t, int64(3), one[int64](d, "select count(*) from customers where org_id = $1 and is_active", other))

	storetest.Organization(t, d.Database, "acme")
	require.Zero(t, one[int64](d, "select count(*) from vehicle_types where org_id = $1 and not is_active", org),
		"what comes back is active again")
}

func TestApplyRefusesUnknownDepartments(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	_, err := d.apply(head+"customers:\n  - {businessName: A}\n  - {businessName: B, department: Nowhere}\n",
		masterdata.Options{})
	var problems organization.Problems
	require.ErrorAs(t, err, &problems)
	require.Equal(t, "4:35: customers[1].department: department \"Nowhere\" not found", problems.Error())
	require.Zero(t, one[int64](d, "select count(*) from organizations"), "all or nothing")
}

// TestCodePrefixBelongsToOneOrganization has organizations claim the prefixes
// of others, also concurrently.
func TestCodePrefixBelongsToOneOrganization(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	with := func(slug, prefix string) string {
		return strings.Replace(head, "slug: acme", "slug: "+slug, 1) + "settings: {ssccPrefix: \"" + prefix + "\"}\n"
	}
	refused := func(slug, prefix string) {
		t.Helper()
		_, err := d.apply(with(slug, prefix), masterdata.Options{})
		var problems organization.Problems
		require.ErrorAs(t, err, &problems)
		require.Contains(t, problems.Error(), "settings.ssccPrefix: must be your own")
	}
	d.done(with("acme", "70370238"), masterdata.Options{})
	d.done(with("acme", "70370238"), masterdata.Options{})
	refused("other", "70370238")
	refused("other", "7037023")
	refused("other", "703702381")
	require.Equal(t, int64(1), one[int64](d, "select count(*) from organizations"), "nothing of a refused one stays")
	d.done(with("other", "70370239"), masterdata.Options{})
	refused("other", "70370238")
	d.done(with("demo", "9521101"), masterdata.Options{})
	d.done(with("demonstration", "9521101"), masterdata.Options{})

	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		document, err := file.Read([]byte(with(fmt.Sprintf("racer-%d", i), "5701234")))
		require.NoError(t, err)
		wg.Go(func() {
			_, errs[i] = masterdata.Apply(t.Context(), d.store, caller.Service(0, "test"), document, masterdata.Options{})
		})
	}
	wg.Wait()
	drawing := one[int64](d, "select count(*) from organizations where sscc_prefix = '5701234'")
	require.Equal(t, int64(1), drawing, "%v", errs)
}

func TestApplyAtTheSameMoment(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	document, err := file.Read([]byte(head + "skills: [{name: A}, {name: B}]\n"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = masterdata.Apply(t.Context(), d.store, caller.Service(0, "test"), document, masterdata.Options{})
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, int64(1), one[int64](d, "select count(*) from organizations"))
	require.Equal(t, int64(2), one[int64](d, "select count(*) from skills"))
}

func TestApplyCountsOnceWhenItRunsAgain(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	_, err := d.owner.Exec(t.Context(), `
		create sequence runs;
		grant usage on sequence runs to public;
		create function break_off_once() returns trigger language plpgsql as $$
		begin
			if nextval('runs') = 1 then
				raise exception 'as in a deadlock' using errcode = '40P01';
			end if;
			return null;
		end $$;
		create trigger break_off_once after insert on order_groups for each statement execute function break_off_once()`)
	require.NoError(t, err)
	applied, err := d.apply(head+"skills: [{name: A}, {name: B}]\ngroups: [{name: A}]\n", masterdata.Options{})
	require.NoError(t, err)
	require.Equal(t, int64(2), one[int64](d, "select last_value from runs"), "it ran twice")
	require.Equal(t, []masterdata.AppliedSection{
		{Name: "organization", Created: 1}, {Name: "skills", Created: 2}, {Name: "groups", Created: 1},
	}, applied.Sections)
}

// TestRushHoursAreSaid keeps them as the plan reads them.
func TestRushHoursAreSaid(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const says = head + `
settings: {rushHours: [{days: [MO, TU], from: "07:00", until: "09:00", factor: 1.5,
  areas: [{country: "NO", prefix: "01"}]}]}
`
	kept := func() string { return one[string](d, `select coalesce(rush_hours, 'null')::text from organizations`) }
	const written = `[{"days": ["MO", "TU"], "from": "07:00", "areas": [{"to": "01", "from": "01", "country": "NO"}], ` +
		`"until": "09:00", "factor": 1.5}]`
	d.done(says, masterdata.Options{})
	require.Equal(t, written, kept())
	d.done(head+"settings: {reexport: true}\n", masterdata.Options{})
	require.Equal(t, written, kept(), "what is left out stays")
	d.done(head+"settings: {rushHours: []}\n", masterdata.Options{})
	require.Equal(t, "null", kept())
}

// TestWhatRecipientsMayDoIsSaid keeps it as the page of a tracking link reads it.
func TestWhatRecipientsMayDoIsSaid(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	kept := func() string {
		return one[string](d, `select coalesce(recipient_page ->> 'actions', '') from organizations`)
	}
	const says = head + "settings: {recipientPage: {actions: {instructions: {minutesBefore: 30}}}}\n"
	d.done(says, masterdata.Options{})
	require.Equal(t, `{"instructions": {"minutes_before": 30}}`, kept())
	d.done(head+"settings: {reexport: true}\n", masterdata.Options{})
	require.NotEmpty(t, kept(), "what is left out stays")
	d.done(head+"settings: {recipientPage: {actions: {instructions: {}}}}\n", masterdata.Options{})
	require.Equal(t, `{"instructions": {}}`, kept(), "until the stop is next")
	d.done(head+"settings: {recipientPage: {}}\n", masterdata.Options{})
	require.Empty(t, kept(), "nothing is allowed unless it is said")
}

func TestPricesOfPlansAreSaid(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const says = head + `
settings: {costs: {perShift: 400, perHour: 540, overtimeMinutes: 60, balanceHoursPrice: 2.5}}
vehicleTypes: [{name: Van}, {name: Truck, costPerHour: 690.5, costPerKm: 9}]
`
	kept := func() string {
		return one[string](d, `select concat_ws(' ', o.costs->>'per_shift', o.costs->>'per_hour', o.costs->>'per_km',
			o.costs->>'overtime_minutes', o.costs->>'balance_hours_price', (select string_agg(
				concat_ws(' ', t.name, t.cost_per_shift, t.cost_per_hour, t.cost_per_km),
				' ' order by t.id) from vehicle_types t)) from organizations o`)
	}
	d.done(says, masterdata.Options{})
	require.Equal(t, "400 540 60 2.5 Van Truck 690.5 9", kept())
	require.Equal(t, "+0 ~0 =2 -0", d.done(says, masterdata.Options{})["vehicleTypes"], "the same again writes nothing")
	d.done(head+"settings: {reexport: true}\n", masterdata.Options{})
	require.Equal(t, "400 540 60 2.5 Van Truck 690.5 9", kept(), "what is left out stays")
	d.done(head+"settings: {costs: {}}\nvehicleTypes: [{name: Truck}]\n", masterdata.Options{})
	require.Equal(t, "Van Truck", kept())
}

func TestLongerSetupsOfVehiclesAreSaid(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	kept := func() string {
		return one[string](d, `select string_agg(concat_ws(' ', t.name, t.extra_setup_seconds), ', ' order by t.id)
			from vehicle_types t`)
	}
	const says = head + "vehicleTypes: [{name: Van}, {name: Lorry, extraSetupSeconds: 180}]\n"
	d.done(says, masterdata.Options{})
	require.Equal(t, "Van 0, Lorry 180", kept())
	require.Equal(t, "+0 ~0 =2 -0", d.done(says, masterdata.Options{})["vehicleTypes"], "the same again writes nothing")
	d.done(head+"vehicleTypes: [{name: Van, extraSetupSeconds: 60}, {name: Lorry}]\n", masterdata.Options{})
	require.Equal(t, "Van 60, Lorry 0", kept())
}

// TestASkillMayTakeTwoPeople is said by the document, and taken back by it.
func TestASkillMayTakeTwoPeople(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	two := func() string {
		return one[string](d, "select string_agg(name || ' ' || for_two, ', ' order by name) from skills")
	}
	d.done(head+"skills: [{name: ADR}, {name: Piano, forTwo: true}]\n", masterdata.Options{})
	require.Equal(t, "ADR false, Piano true", two())
	changed := d.done(head+"skills: [{name: ADR, forTwo: true}, {name: Piano, forTwo: true}]\n", masterdata.Options{})
	require.Equal(t, "+0 ~1 =1 -0", changed["skills"])
	require.Equal(t, "ADR true, Piano true", two())
	d.done(head+"skills: [{name: ADR}, {name: Piano}]\n", masterdata.Options{})
	require.Equal(t, "ADR false, Piano false", two())
}
