package orders_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	loading "waybill/operations/places"
	"waybill/store"
	"waybill/store/places"
	"waybill/store/storetest"
)

// loadsOslo loads the addresses of central Oslo.
func loadOslo(o *operationstest.Office) {
	o.T.Helper()
	load := loading.Load{Owner: places.NewOwner(o.Owner), Said: func(string) {}}
	_, err := load.File(o.T.Context(), "../../demo/regions/oslo-center.osm.pbf", "oslo-center")
	require.NoError(o.T, err)
}

// deliveredAt has an order delivered at an address in Oslo without coordinates.
func deliveredAt(address1, postalCode string) func(*order.Request) {
	return func(r *order.Request) {
		r.Delivery = &order.LocationRequest{Name: "Shop", Address: &order.Address{
			Address1: address1, PostalCode: postalCode, City: "Oslo", Country: "NO",
		}}
	}
}

// deliver is an order from the terminal to an address in Oslo without coordinates.
func deliver(number, address1, postalCode string) order.Request {
	entry := operationstest.HeavyOrder(number)
	entry.Pickup = &order.LocationRequest{ExternalID: "T"}
	deliveredAt(address1, postalCode)(&entry)
	return entry
}

// positionOf is where the delivery of an order is.
func positionOf(d *operationstest.Dispatch, number string) (p order.Position) {
	d.T.Helper()
	document := operationstest.One[[]byte](d.Office, `select stop_position(s) from order_stops s join orders o on o.org_id = s.org_id
		and o.id = s.order_id where o.org_id = $1 and o.number = $2 and s.kind = 'delivery'`, d.Org, number)
	require.NoError(d.T, json.Unmarshal(document, &p))
	return p
}

func isPlanned(d *operationstest.Dispatch, number string) bool {
	d.T.Helper()
	return operationstest.One[bool](d.Office, `select exists (select from plan_stops p join orders o on o.org_id = p.org_id
		and o.id = p.order_id where o.org_id = $1 and o.number = $2)`, d.Org, number)
}

func TestOrdersWithoutCoordinatesArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	d.Load("KARL", "", deliveredAt("Karl Johans gate 22", "0026"))
	d.Load("STOR", "", deliveredAt("Storgata 1", "0155"))
	d.Load("LOST", "", func(r *order.Request) {
		deliveredAt("Bryggen 5", "5003")(r)
		r.Delivery.Address.City = "Bergen"
	})
	d.Rest()
	for _, number := range []string{"KARL", "STOR"} {
		p := positionOf(d, number)
		require.Equal(t, []string{"POINT", order.FromRegister, "oslo-center"}, []string{p.Precision, p.Source, p.Register})
		require.InDelta(t, 59.912, *p.Latitude, 0.01)
		require.True(t, isPlanned(d, number))
	}
	require.Equal(t, "UNKNOWN", positionOf(d, "LOST").Precision)
	require.False(t, isPlanned(d, "LOST"))
	require.JSONEq(t, `[{"code": "NO_COORDINATES"}]`, operationstest.One[string](d.Office, `select reasons::text from plan_unplanned u
		join orders o on o.org_id = u.org_id and o.id = u.order_id where o.org_id = $1 and o.number = 'LOST'`, d.Org))
}

func TestMisspelledAddressGetsSuggestion(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	entry := deliver("ONE", "Karl Johns gate 22", "0155")
	plan := d.Imported(d.Org, entry)
	require.Equal(t, order.OrderCreated, plan.Results[0].Kind)
	require.Len(t, plan.Results[0].NotApplied, 1)
	warning := plan.Results[0].NotApplied[0]
	require.Equal(t, order.AddressNotFound, warning.Code)
	require.Equal(t, "delivery.address.address1", warning.Field)
	require.Equal(t, "Karl Johans gate 22, 0026 Oslo", warning.Text.Args["suggestion"])
	p := positionOf(d, "ONE")
	require.Equal(t, []string{"POSTAL_CODE", "street", "Karl Johans gate 22, 0026 Oslo"},
		[]string{p.Precision, p.Unknown, p.Suggestion})
}

func TestCoordinatesFarFromTheAddressAreUsed(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	entry := deliver("FAR", "Storgata 1", "0155")
	latitude, longitude := 60.2, 10.75
	entry.Delivery.Address.Latitude, entry.Delivery.Address.Longitude = &latitude, &longitude
	plan := d.Imported(d.Org, entry)
	require.Len(t, plan.Results[0].NotApplied, 1)
	require.Equal(t, order.PositionFarFromAddress, plan.Results[0].NotApplied[0].Code)
	p := positionOf(d, "FAR")
	require.Equal(t, "GIVEN", p.Precision)
	require.InDelta(t, latitude, *p.Latitude, 1e-9)
}

func TestImportsWithoutRegisterHaveNoWarnings(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	entry := deliver("ONE", "Storgata 1", "0155")
	plan := d.Imported(d.Org, entry)
	require.Equal(t, order.OrderCreated, plan.Results[0].Kind)
	require.Empty(t, plan.Results[0].NotApplied)
	require.Equal(t, "UNKNOWN", positionOf(d, "ONE").Precision)
	require.Empty(t, d.Imported(d.Org, entry).Events, "the same again changes nothing")
}

func TestPinWinsOverRegister(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	other := storetest.Apply(t, d.Database, `{organization: {slug: other, name: Other, timezone: Europe/Oslo},
		customers: [{externalId: C-100, businessName: Fjord}], vehicleTypes: [{name: Van}],
		orderTypes: [{name: Standard, readyFrom: "08:00", pickUpBefore: "12:00", deliverBefore: "16:00"}],
		locations: [{externalId: L-1, name: One, address: {latitude: 59.93, longitude: 10.75}}]}`)
	d.Load("ONE", "", deliveredAt("Storgata 1", "0155"))
	foreign := operationstest.HeavyOrder("ONE")
	deliveredAt("Storgata 1", "0155")(&foreign)
	d.Imported(other, foreign)
	d.Rest()
	before := positionOf(d, "ONE")
	key, ok := place.ParseKey(before.Place)
	require.True(t, ok)

	yard := place.Position{Latitude: 59.9135, Longitude: 10.7501}
	by := caller.Caller{OrgID: d.Org, Kind: caller.Person, ID: 12, Cause: "test"}
	moved, err := d.Places.Pin(t.Context(), by, key, yard)
	require.NoError(t, err)
	require.Equal(t, 1, moved)
	p := positionOf(d, "ONE")
	require.Equal(t, []string{"POINT", order.FromPerson}, []string{p.Precision, p.Source})
	require.Equal(t, yard, place.Position{Latitude: *p.Latitude, Longitude: *p.Longitude})
	require.Equal(t, "user:12", operationstest.One[string](d.Office, `select actor from events where org_id = $1
		and kind = 'stop.placed'`, d.Org))
	d.Rest()
	require.InDelta(t, yard.Latitude, operationstest.One[float64](d.Office, `select p.latitude from plan_stops p
		where p.org_id = $1 and p.kind = 'delivery'`, d.Org), 1e-9, "the plan follows")

	d.Load("TWO", "", deliveredAt("STORGATA 1", "0155"))
	require.Equal(t, order.FromPerson, positionOf(d, "TWO").Source, "a later import of the same address")
	foreign.ExternalID = "TWO"
	d.Imported(other, foreign)
	require.Equal(t, int64(0), operationstest.One[int64](d.Office, `select count(*) from order_stops where org_id = $1
		and position ->> 'source' = 'PERSON'`, other), "the pin is of its organization alone")
	_, err = d.Places.Unpin(t.Context(), operationstest.Clerk(other), key)
	require.Error(t, err)

	moved, err = d.Places.Unpin(t.Context(), by, key)
	require.NoError(t, err)
	require.Equal(t, 2, moved)
	require.Equal(t, before, positionOf(d, "ONE"))
}

func TestLocationsGetPositionsFromAddresses(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	storetest.Apply(t, d.Database, `{organization: {slug: fleet, name: Fleet AS, timezone: Europe/Oslo},
		locations: [{externalId: T, name: Terminal, address: {address1: Storgata 1, postalCode: "0155", city: Oslo, country: "NO"}}]}`)
	require.Equal(t, "POINT", operationstest.One[string](d.Office, `select position ->> 'precision' from locations
		where org_id = $1 and external_id = 'T'`, d.Org))
	day, err := d.Store.PlanningDay(t.Context(), d.Org, planning.Area{Date: operationstest.PlannedOn}, d.Now)
	require.NoError(t, err)
	require.NotNil(t, day.Drivers[0].Vehicle.Home, "drivers begin there")
}

// TestImportWithoutCoordinatesIsAsFast prints how long an import of a thousand orders takes with
// coordinates and without. Set WAYBILL_MEASURE to require the target.
func TestImportWithoutCoordinatesIsAsFast(t *testing.T) {
	const rounds, size = 3, 1000
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	rows, err := d.Owner.Query(t.Context(), `select s.name, s.postal_code, p.number || p.letter, p.latitude, p.longitude
		from address_points p join streets s on s.id = p.street_id order by p.street_id, p.number, p.letter`)
	require.NoError(t, err)
	var houses []order.Address
	for rows.Next() {
		var street, number string
		a := order.Address{City: "Oslo", Country: "NO", Latitude: new(float64), Longitude: new(float64)}
		require.NoError(t, rows.Scan(&street, &a.PostalCode, &number, a.Latitude, a.Longitude))
		a.Address1 = street + " " + number
		houses = append(houses, a)
	}
	require.NoError(t, rows.Err())
	round := 0
	imports := func(given bool) time.Duration {
		round++
		entries := make([]order.Request, size)
		for i := range entries {
			entries[i] = operationstest.HeavyOrder(fmt.Sprintf("%d-%d", round, i))
			entries[i].Pickup = &order.LocationRequest{ExternalID: "T"}
			a := houses[(round*size+i)%len(houses)]
			if !given {
				a.Latitude, a.Longitude = nil, nil
			}
			entries[i].Delivery = &order.LocationRequest{Name: fmt.Sprintf("Shop %d %d", round, i), Address: &a}
		}
		start := time.Now()
		err := d.Store.InTx(t.Context(), operationstest.Clerk(d.Org), func(tx *store.Tx) error {
			s, err := tx.Snapshot(t.Context(), store.Scope{Entries: entries, Lock: true, Fresh: true})
			if err != nil {
				return err
			}
			return tx.Save(t.Context(), order.Decide(s, order.Defaults{}, entries), order.Defaults{})
		})
		require.NoError(t, err)
		return time.Since(start)
	}
	imports(true) // so that all are measured warm
	imports(false)
	var with, without, before time.Duration
	for range rounds {
		with += imports(true)
		without += imports(false)
	}
	require.Greater(t, operationstest.One[int64](d.Office, `select count(*) from order_stops where org_id = $1
		and position ->> 'precision' = 'POINT'`, d.Org), int64((rounds+1)*size*95/100))
	_, err = places.NewOwner(d.Owner).Remove(t.Context(), "oslo-center")
	require.NoError(t, err)
	for range rounds {
		before += imports(true)
	}
	t.Logf("a thousand orders: %v with coordinates, %v without (%.2f), %v with coordinates and no register (%.2f)",
		with/rounds, without/rounds, float64(without)/float64(with), before/rounds, float64(without)/float64(before))
	if os.Getenv("WAYBILL_MEASURE") != "" {
		require.LessOrEqual(t, float64(without), 1.25*float64(before))
	}
}
