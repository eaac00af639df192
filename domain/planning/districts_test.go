package planning_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
)

// region is a day with so many orders without a route, spread over half a degree, and as many drivers as a
// tenth of that, who all begin at one depot.
func region(orders int) planning.Day {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []planning.Order
	for n := range orders {
		o := anOrder(int64(n + 1))
		at := planning.Point{Latitude: 59.6 + rng.Float64()/2, Longitude: 10.4 + rng.Float64()}
		o.Delivery.Point = &at
		all = append(all, o)
	}
	var drivers []planning.Driver
	for n := range orders / 10 {
		drivers = append(drivers, aDriver(int64(n+1)))
	}
	return aDay(4, all, drivers...)
}

// TestDistrictsShareALargeDay gives each order and each driver to one district, as many drivers as its orders ask for.
func TestDistrictsShareALargeDay(t *testing.T) {
	t.Parallel()
	day := region(5_000)
	require.True(t, day.Large())
	for turn := range 3 {
		districts := planning.MapOf(&day, turn).Districts(&day)
		require.Len(t, districts, 16)
		orders, drivers := map[int64]bool{}, map[int64]bool{}
		for i := range districts {
			require.False(t, districts[i].Large())
			require.InDelta(t, len(districts[i].Orders), 10*len(districts[i].Drivers), 10)
			require.InDelta(t, 312, len(districts[i].Orders), 2)
			for _, o := range districts[i].Orders {
				require.False(t, orders[o.ID], "order %d is in two districts", o.ID)
				orders[o.ID] = true
			}
			for _, of := range districts[i].Drivers {
				require.False(t, drivers[of.ID], "driver %d is in two districts", of.ID)
				drivers[of.ID] = true
			}
		}
		require.Len(t, orders, 5_000)
		require.Len(t, drivers, 500)
	}
}

// TestTurnsDivideElsewhere has orders that one turn divides in one district of the next.
func TestTurnsDivideElsewhere(t *testing.T) {
	t.Parallel()
	day := region(2_000)
	in := func(turn int) map[int64]int {
		of := map[int64]int{}
		for n, district := range planning.MapOf(&day, turn).Districts(&day) {
			for _, o := range district.Orders {
				of[o.ID] = n
			}
		}
		return of
	}
	one, other := in(0), in(1)
	joined := 0
	for id := int64(1); id < 2_000; id++ {
		if one[id] != one[id+1] && other[id] == other[id+1] {
			joined++
		}
	}
	require.Greater(t, joined, 100)
	require.Equal(t, one, in(0), "the same turn has the same districts")
}

// TestOrdersOfOnePlaceAreDivided bounds a district where all orders go to one door.
func TestOrdersOfOnePlaceAreDivided(t *testing.T) {
	t.Parallel()
	day := region(3_000)
	for i := range day.Orders {
		day.Orders[i].Delivery.Point = &oslo
	}
	for _, district := range planning.MapOf(&day, 0).Districts(&day) {
		require.LessOrEqual(t, len(district.Orders), planning.LargeDay)
	}
}

// TestOrdersAreWhereSomebodyMayHaveThem puts an order that needs a skill in a district with a driver who has it, and one
// that is locked with its driver.
func TestOrdersAreWhereSomebodyMayHaveThem(t *testing.T) {
	t.Parallel()
	day := region(3_000)
	for i := range day.Orders[:20] {
		day.Orders[i].Needs = []int64{9}
	}
	day.Drivers[299].Skills = []int64{9}
	day.Orders[100].LockedTo = 250
	for _, district := range planning.MapOf(&day, 0).Districts(&day) {
		staff := map[int64]bool{}
		for _, of := range district.Drivers {
			staff[of.ID] = true
		}
		for _, o := range district.Orders {
			if len(o.Needs) > 0 {
				require.True(t, staff[300], "order %d needs the skill of driver 300", o.ID)
			}
			if o.LockedTo != 0 {
				require.True(t, staff[250])
			}
		}
	}
}

// TestRoutesStayWhole has each route with its driver and all of its orders in one district, and changes of one district
// leave the others alike.
func TestRoutesStayWhole(t *testing.T) {
	t.Parallel()
	day := region(3_000)
	districts := planning.MapOf(&day, 0)
	for _, district := range districts.Districts(&day) {
		for k, of := range district.Drivers {
			route := planning.Route{DriverID: of.ID, Starts: clock(8), Ends: clock(15)}
			for _, o := range district.Orders[k*8 : k*8+8] {
				route.Stops = append(route.Stops, planning.Placed{OrderID: o.ID, Kind: order.Delivery, Point: *o.Delivery.Point})
			}
			day.Routes = append(day.Routes, route)
		}
	}
	now := districts.Districts(&day)
	routes := 0
	for i := range now {
		routes += len(now[i].Routes)
		require.Len(t, now[i].Drivers, len(now[i].Routes))
		require.GreaterOrEqual(t, len(now[i].Orders), 8*len(now[i].Routes))
	}
	require.Len(t, day.Routes, routes)

	later := day
	later.Now = later.Now.Add(60e9)
	later.Orders = append([]planning.Order(nil), day.Orders...)
	later.Orders[0].Priority++
	changed := 0
	for i, district := range districts.Districts(&later) {
		if !district.Like(&now[i]) {
			changed++
		}
	}
	require.Equal(t, 1, changed)

	around := districts.Around(&day, []int64{1}, nil, 0)
	require.False(t, around.Large())
	require.Less(t, len(around.Orders), 600)
	for _, r := range around.Routes {
		require.Len(t, r.Stops, 8)
	}
}

// TestADistrictLosesWhatOthersGot reads a district again after a person gave one of its orders to a driver elsewhere.
func TestADistrictLosesWhatOthersGot(t *testing.T) {
	t.Parallel()
	day := region(1_200)
	m := planning.MapOf(&day, 0)
	district := m.Districts(&day)[0]
	gone, elsewhere := district.Orders[0].ID, m.Districts(&day)[1].Drivers[0].ID
	day.Routes = []planning.Route{{
		DriverID: elsewhere, Stops: []planning.Placed{{OrderID: gone, Kind: order.Delivery, Point: *district.Orders[0].Delivery.Point}},
	}}
	for i := range day.Orders {
		if day.Orders[i].ID == gone {
			day.Orders[i].DriverID = elsewhere
		}
	}
	again := district.Again(&day)
	require.Len(t, again.Orders, len(district.Orders)-1)
	require.Empty(t, again.Routes)
	require.Equal(t, district.Drivers, again.Drivers)
}
