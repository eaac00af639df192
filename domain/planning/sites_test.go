package planning_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// near is a point so many meters north of another.
func near(p planning.Point, meters float64) *planning.Point {
	return &planning.Point{Latitude: p.Latitude + meters/111_195, Longitude: p.Longitude}
}

// TestStopsAreAtOnePlace compares two pickups.
func TestStopsAreAtOnePlace(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		locations [2]int64
		addresses [2]string
		apart     float64
		same      bool
		why       string
	}{
		{[2]int64{7, 7}, [2]string{"", ""}, 60, true, "one location"},
		{[2]int64{7, 7}, [2]string{"", ""}, 3000, false, "the order has another position than its location"},
		{[2]int64{7, 8}, [2]string{"storgata1", "storgata1"}, 8, true, "one address, a few meters apart"},
		{[2]int64{7, 8}, [2]string{"storgata1", "storgata1"}, 60, false, "one address, but not one position"},
		{[2]int64{7, 8}, [2]string{"storgata1", "storgata3"}, 0, false, "two addresses at one position"},
		{[2]int64{0, 0}, [2]string{"", ""}, 2, true, "positions alone"},
		{[2]int64{0, 0}, [2]string{"", ""}, 30, false, "positions that differ"},
	} {
		orders := []planning.Order{anOrder(1), anOrder(2)}
		for i := range orders {
			orders[i].Pickup.LocationID, orders[i].Pickup.Address = tc.locations[i], tc.addresses[i]
			orders[i].Pickup.Point = near(oslo, tc.apart*float64(i))
			orders[i].Pickup.Setup = time.Duration(1+i) * time.Minute
		}
		p := aDay(6, orders, aDriver(1)).Draft().Problem
		one, other := p.Requests[0].Pickup, p.Requests[1].Pickup
		require.Equal(t, tc.same, one.Site == other.Site, tc.why)
		if tc.same {
			require.Equal(t, one.Place, other.Place, tc.why)
			require.EqualValues(t, 120, p.Setups[one.Site], "the longer setup of the two")
		}
		require.NoError(t, withoutTravel(p).Validate(), tc.why)
	}
	require.Equal(t, planning.AddressKey("Storgata 1 B", "0155", "Oslo"),
		planning.AddressKey("STORGATA 1b,", "0155", " oslo "))
}

// TestASideOfTheStreetIsAPlaceOfItsOwn has vehicles come to one position in two ways: on the side of the street
// where a location is, and anyhow where another address and the depot are.
func TestASideOfTheStreetIsAPlaceOfItsOwn(t *testing.T) {
	t.Parallel()
	curb := oslo
	curb.Curbside = true
	orders := []planning.Order{anOrder(1), anOrder(2)}
	orders[0].Pickup.Point, orders[0].Pickup.Address = &curb, "storgata1"
	orders[1].Pickup.Address = "storgata2"
	driver := aDriver(1)
	driver.Start = &oslo
	draft := aDay(6, orders, driver).Draft()
	p := &draft.Problem
	require.NotEqual(t, p.Requests[0].Pickup.Place, p.Requests[1].Pickup.Place)
	require.Equal(t, curb, draft.Points[p.Requests[0].Pickup.Place])
	require.Equal(t, p.Shifts[0].From, p.Requests[1].Pickup.Place, "a shift begins on either side")

	orders[1].Pickup.Address = orders[0].Pickup.Address
	orders[0].Pickup.Point, orders[1].Pickup.Point = &oslo, &curb
	draft, s := solve(t, aDay(6, orders, driver), 10)
	p = &draft.Problem
	require.Equal(t, p.Requests[0].Pickup.Place, p.Requests[1].Pickup.Place, "one visit is on one side")
	require.Equal(t, curb, draft.Points[p.Requests[0].Pickup.Place])
	for id := range int64(2) {
		require.Equal(t, curb, of(s, 1, id+1, order.Pickup).Point, "and the plan says so")
	}
	require.Equal(t, lillestrom, of(s, 1, 1, order.Delivery).Point)
}

func withoutTravel(p routing.Problem) *routing.Problem {
	places := 0
	for _, r := range p.Requests {
		places = max(places, r.Pickup.Place+1, r.Delivery.Place+1)
	}
	p.Travel, p.Shifts = []routing.Travel{{Places: places, Legs: make([]routing.Leg, places*places)}}, nil
	return &p
}

// morningOfVans is a day with so many orders from a terminal, and vans that begin there at half past six
// and hold thirty orders.
func morningOfVans(orders, vans int) planning.Day {
	rng := rand.New(rand.NewPCG(5, 5))
	terminal := planning.Point{Latitude: 59.93, Longitude: 10.80}
	var all []planning.Order
	for id := range orders {
		to := planning.Point{Latitude: 59.91 + 0.03*rng.NormFloat64(), Longitude: 10.75 + 0.06*rng.NormFloat64()}
		o := planning.Order{ID: int64(id + 1), Number: fmt.Sprint(id + 1), Status: order.Registered}
		window := order.Window{Earliest: clock(0), Latest: clock(16)}
		o.Pickup = planning.Stop{
			Point: &terminal, LocationID: 1, Window: window, Setup: 4 * time.Minute, Service: time.Minute,
		}
		o.Delivery = planning.Stop{Point: &to, Window: window, Setup: 4 * time.Minute, Service: time.Minute}
		o.Load = planning.LoadOf(1, 0.01, 1)
		all = append(all, o)
	}
	var drivers []planning.Driver
	for id := range vans {
		d := aDriver(int64(id + 1))
		d.Start, d.End = &terminal, &terminal
		d.Hours = driver.Hours{Starts: 6*60 + 30, Ends: 14*60 + 30}
		d.Vehicle.ID = int64(id + 1)
		weight := 30.0
		d.Vehicle.MaxWeightKg = &weight
		drivers = append(drivers, d)
	}
	day := aDay(5, all, drivers...)
	return day
}

// TestVansAreOutInTheMorning plans 500 orders from one terminal: each van loads up to thirty, and is at its first
// delivery within the hour.
func TestVansAreOutInTheMorning(t *testing.T) {
	t.Parallel()
	day := morningOfVans(500, 18)
	first := func(day planning.Day) (latest time.Time, most int) {
		_, s := solve(t, day, 300)
		planned := 0
		for _, route := range s.Routes {
			loaded := 0
			for i, stop := range route.Stops {
				if stop.Kind == order.Pickup && loaded == i {
					loaded++
					require.Equal(t, i > 0, stop.Joined, "one visit")
				}
				if stop.Kind == order.Delivery {
					planned++
				}
			}
			most = max(most, loaded)
			if delivery := route.Stops[loaded]; delivery.Starts.After(latest) {
				latest = delivery.Starts
			}
		}
		require.Equal(t, 500, planned)
		return latest, most
	}
	latest, most := first(day)
	t.Logf("up to %d orders a van, first deliveries until %s", most, latest.In(day.Zone).Format("15:04:05"))
	require.Greater(t, most, 25)
	require.True(t, latest.Before(day.At(7*60+30, 0)), "at %s", latest.In(day.Zone))

	fixed := 15 * time.Minute
	day.Loading = &fixed
	latest, most = first(day)
	t.Logf("loaded before in a quarter of an hour: up to %d orders a van, first deliveries until %s",
		most, latest.In(day.Zone).Format("15:04:05"))
	require.True(t, latest.Before(day.At(7*60+15, 0)), "at %s", latest.In(day.Zone))
}

// TestLorriesTakeLongerToSetUp has the visit of the example in the guide: two parcels for one house.
func TestLorriesTakeLongerToSetUp(t *testing.T) {
	t.Parallel()
	orders := []planning.Order{anOrder(1), anOrder(2)}
	for i := range orders {
		orders[i].Pickup.Setup, orders[i].Delivery.Setup = 10*time.Minute, 4*time.Minute
		orders[i].Delivery.Service = time.Minute
	}
	van := aDay(6, orders, aDriver(1))
	_, usual := solve(t, van, 100)
	big := aDriver(1)
	big.Vehicle.ExtraSetup = 3 * time.Minute
	_, slow := solve(t, aDay(6, orders, big), 100)
	require.Len(t, slow.Routes[0].Stops, 4)
	for i, stop := range slow.Routes[0].Stops {
		before := usual.Routes[0].Stops[i]
		require.Equal(t, i == 0 || i == 2, !stop.Joined)
		if stop.Joined {
			require.Zero(t, stop.Setup)
			continue
		}
		require.Equal(t, before.Setup+3*time.Minute, stop.Setup)
		require.Equal(t, stop.Setup, stop.Starts.Sub(stop.Arrives))
	}
	require.Equal(t, usual.Routes[0].Costs.Setup+360, slow.Routes[0].Costs.Setup)
}
