package places_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/operations/operationstest"
	"waybill/store"
)

// The known position of the address, and another one some 200 m away.
const (
	knownLatitude, knownLongitude = 59.9130, 10.7396
	doorLatitude, doorLongitude   = 59.9148, 10.7396
)

// addressed is a driver's road whose stops have an address that Waybill has placed.
type addressed struct {
	*operationstest.Road
	stop int64
	by   caller.Caller
	said int
}

func newAddressed(t *testing.T) *addressed {
	t.Helper()
	a := &addressed{Road: operationstest.NewRoad(t)}
	a.stop = a.Stops[0].ID
	a.by = caller.Caller{OrgID: a.Org, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}, Cause: "test"}
	read := place.Read(place.Address{Address1: "Storgata 1", PostalCode: "0155", City: "Oslo", Country: "NO"}, "")
	a.Do(`update order_stops set latitude = null, longitude = null, address1 = 'Storgata 1',
			postal_code = '0155', city = 'Oslo', country = 'NO', position = jsonb_build_object('latitude', $2::float8,
			'longitude', $3::float8, 'precision', 'POINT', 'source', 'REGISTER', 'place', $4::text)
		where org_id = $1`, a.Org, knownLatitude, knownLongitude, read.Key().String())
	a.Do("update locations set latitude = null, longitude = null where org_id = $1", a.Org)
	return a
}

// acts has the driver do something at the stop.
func (a *addressed) acts(deed driving.Deed, at, pin *driving.Position) {
	a.T.Helper()
	a.said++
	answers, err := a.Driving.Act(a.T.Context(), a.by, []driving.DriverAction{{
		ID: fmt.Sprintf("01980000-0000-7000-8000-%012d", a.said), DriverID: a.Nora, Deed: deed, StopID: a.stop,
		Clock: a.Now, Sent: a.Now, Position: at, Pin: pin,
	}})
	require.NoError(a.T, err)
	require.Equal(a.T, driving.Applied, answers[0].Answer, answers[0].Why)
}

// position is the position of the stop, by source, and whether it is at the door.
func (a *addressed) position() (source string, atDoor bool) {
	a.T.Helper()
	return operationstest.One[string](a.Office, "select position ->> 'source' from order_stops where org_id = $1 and id = $2", a.Org, a.stop),
		operationstest.One[bool](a.Office, `select abs((position ->> 'latitude')::float8 - $3) < 0.0001
			from order_stops where org_id = $1 and id = $2`, a.Org, a.stop, doorLatitude)
}

// proposals are the proposals by source and state.
func (a *addressed) proposals() []string {
	a.T.Helper()
	return operationstest.One[[]string](a.Office, `select coalesce(array_agg(source || ' ' || state order by id), '{}')
		from place_proposals where org_id = $1`, a.Org)
}

func at(latitude float64) *driving.Position {
	return &driving.Position{Latitude: latitude, Longitude: doorLongitude, Accuracy: 8}
}

// arrived adds earlier arrivals of drivers at the address, with another order.
func (a *addressed) arrived(latitudes ...float64) {
	a.T.Helper()
	for i, latitude := range latitudes {
		a.Do(`insert into driver_actions (org_id, id, driver_id, type, stop_id, order_id, occurred_at, device_at, sent_at, latitude,
				longitude, accuracy_meters, outcome)
			select s.org_id, gen_random_uuid(), $3, 'ARRIVE', s.id, s.order_id, $4, $4, $4, $5, $6, 8, 'APPLIED'
			from order_stops s where s.org_id = $1 and s.id = $2`,
			a.Org, a.other(), a.Nora, a.Now.Add(-time.Duration(i+1)*24*time.Hour), latitude, doorLongitude)
	}
}

// other is a stop of another order.
func (a *addressed) other() int64 {
	for _, s := range a.Stops {
		if s.OrderID != a.Stops[0].OrderID {
			return s.ID
		}
	}
	return 0
}

func TestReportedPinIsProposed(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.acts(driving.ReportWrongPin, at(doorLatitude), at(doorLatitude))
	require.Equal(t, []string{"DRIVER OPEN"}, a.proposals())
	_, atDoor := a.position()
	require.False(t, atDoor, "a person decides")
	all, more, err := a.Store.PlaceProposals(t.Context(), a.Org, 0, 10)
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, all, 1)
	require.Equal(t, a.Nora, all[0].DriverID)
	require.InDelta(t, 8, all[0].AccuracyMeters, 1e-9)

	clerk := operationstest.Clerk(a.Org)
	require.NoError(t, a.Places.Dismiss(t.Context(), clerk, all[0].ID))
	require.Error(t, a.Places.Dismiss(t.Context(), clerk, all[0].ID), "it is decided")
	a.acts(driving.ReportWrongPin, nil, at(doorLatitude))
	orders, err := a.Places.Accept(t.Context(), clerk, all[0].ID)
	require.NoError(t, err)
	require.Positive(t, orders)
	source, atDoor := a.position()
	require.Equal(t, order.FromPerson, source)
	require.True(t, atDoor)
	require.Equal(t, []string{"DRIVER ACCEPTED"}, a.proposals())
}

func TestReportedPinIsAcceptedByTheOrganization(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.Do("update organizations set accept_drivers_pins = true where id = $1", a.Org)
	a.acts(driving.ReportWrongPin, nil, at(doorLatitude))
	source, atDoor := a.position()
	require.Equal(t, order.FromPerson, source)
	require.True(t, atDoor)

	a.Do("update place_pins set pinned_by = 'user:1', latitude = $2 where org_id = $1", a.Org, knownLatitude)
	a.acts(driving.ReportWrongPin, nil, at(doorLatitude))
	require.Equal(t, []string{"DRIVER OPEN"}, a.proposals(), "the pin of the office stays")
}

func TestArrivalsTeachAnAddress(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.arrived(doorLatitude)
	a.acts(driving.Arrive, at(doorLatitude), nil)
	require.Empty(t, a.proposals(), "two arrivals teach nothing")

	a.arrived(doorLatitude + 0.0001)
	require.NoError(t, a.Places.Learn(t.Context(), a.by, a.stop))
	require.Equal(t, []string{"ARRIVALS OPEN"}, a.proposals())
	_, atDoor := a.position()
	require.False(t, atDoor, "a person decides")

	clerk := operationstest.Clerk(a.Org)
	id := operationstest.One[int64](a.Office, "select id from place_proposals where org_id = $1", a.Org)
	require.NoError(t, a.Places.Dismiss(t.Context(), clerk, id))
	require.NoError(t, a.Places.Learn(t.Context(), a.by, a.stop))
	require.Equal(t, []string{"ARRIVALS DISMISSED"}, a.proposals(), "the same is not proposed again")
}

func TestArrivalsAreAcceptedByTheOrganization(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.Do("update organizations set accept_arrivals = true where id = $1", a.Org)
	a.arrived(doorLatitude, doorLatitude)
	a.acts(driving.Arrive, at(doorLatitude), nil)
	source, atDoor := a.position()
	require.Equal(t, order.FromArrivals, source)
	require.True(t, atDoor)
	require.Equal(t, []string{"ARRIVALS ACCEPTED"}, a.proposals())

	b := newAddressed(t)
	b.Do("update organizations set accept_arrivals = true where id = $1", b.Org)
	b.Do(`update order_stops set position = position || '{"source": "PERSON"}' where org_id = $1`, b.Org)
	b.arrived(doorLatitude, doorLatitude)
	b.acts(driving.Arrive, at(doorLatitude), nil)
	require.Equal(t, []string{"ARRIVALS OPEN"}, b.proposals(), "a person said where it is")
}

func TestCoordinatesOfAnOrderAreCorrected(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.Do("update organizations set accept_drivers_pins = true where id = $1", a.Org)
	a.Do("update order_stops set position = null, latitude = $3, longitude = $4 where org_id = $1 and id = $2",
		a.Org, a.stop, knownLatitude, knownLongitude)
	a.acts(driving.ReportWrongPin, nil, at(doorLatitude))
	all, _, err := a.Store.PlaceProposals(t.Context(), a.Org, 0, 10)
	require.NoError(t, err)
	require.Len(t, all, 1, "coordinates of an order are not replaced by themselves")
	require.Equal(t, []any{store.OfOrder, true, int64(0)}, []any{all[0].Target, all[0].IsCorrectable, all[0].LocationID})
	require.Contains(t, string(all[0].Position), "GIVEN")

	orders, err := a.Places.Accept(t.Context(), operationstest.Clerk(a.Org), all[0].ID)
	require.NoError(t, err)
	require.Equal(t, 1, orders)
	require.InDelta(t, doorLatitude, operationstest.One[float64](a.Office,
		"select latitude from order_stops where org_id = $1 and id = $2", a.Org, a.stop), 1e-9)
	require.Equal(t, int64(1), operationstest.One[int64](a.Office,
		"select count(*) from events where org_id = $1 and kind = 'stop.placed'", a.Org), "the plan follows")

	a.acts(driving.ReportWrongPin, nil, at(knownLatitude))
	a.Do("update orders set status_id = 7 where org_id = $1 and id = $2", a.Org, a.Stops[0].OrderID)
	all, _, err = a.Store.PlaceProposals(t.Context(), a.Org, 0, 10)
	require.NoError(t, err)
	require.False(t, all[0].IsCorrectable, "the order is done")
	orders, err = a.Places.Accept(t.Context(), operationstest.Clerk(a.Org), all[0].ID)
	require.NoError(t, err)
	require.Zero(t, orders)
}

func TestCoordinatesOfALocationAreCorrected(t *testing.T) {
	t.Parallel()
	a := newAddressed(t)
	a.Do("update order_stops set position = null where org_id = $1 and id = $2", a.Org, a.stop)
	location := operationstest.One[int64](a.Office, "select location_id from order_stops where org_id = $1 and id = $2", a.Org, a.stop)
	a.Do("update locations set latitude = $3, longitude = $4 where org_id = $1 and id = $2",
		a.Org, location, knownLatitude, knownLongitude)
	a.acts(driving.ReportWrongPin, nil, at(doorLatitude))
	all, _, err := a.Store.PlaceProposals(t.Context(), a.Org, 0, 10)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, []any{store.OfLocation, true, location}, []any{all[0].Target, all[0].IsCorrectable, all[0].LocationID})
	_, err = a.Places.Accept(t.Context(), operationstest.Clerk(a.Org), all[0].ID)
	require.NoError(t, err)
	require.InDelta(t, doorLatitude, operationstest.One[float64](a.Office,
		"select latitude from locations where org_id = $1 and id = $2", a.Org, location), 1e-9)
	require.Equal(t, int64(1), operationstest.One[int64](a.Office,
		"select count(*) from events where org_id = $1 and kind = 'location.updated'", a.Org), "plans follow")
}
