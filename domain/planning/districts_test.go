package planning_test

import (
	"math/rand/v2"
	"slices"
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

// TestOrdersAreWhereSomebodyMayHaveThem puts an order that needs a skill in a district with a driver who has it, and
// one that is locked with its driver.
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
		most := (len(district.Orders) + len(district.Drivers) - 1) / len(district.Drivers)
		for orders := range slices.Chunk(district.Orders, most) {
			route := planning.Route{DriverID: district.Drivers[0].ID, Starts: clock(8), Ends: clock(15)}
			for _, o := range orders {
				route.Stops = append(route.Stops, planning.Placed{OrderID: o.ID, Kind: order.Delivery, Point: *o.Delivery.Point})
			}
			day.Routes, district.Drivers = append(day.Routes, route), district.Drivers[1:]
		}
	}
	now := districts.Districts(&day)
	routes, sum := 0, 0
	for i := range now {
		known := map[int64]bool{}
		for _, o := range now[i].Orders {
			known[o.ID] = true
		}
		for _, r := range now[i].Routes {
			routes, sum = routes+1, sum+len(r.Stops)
			for _, s := range r.Stops {
				require.True(t, known[s.OrderID], "order %d is not where its route is", s.OrderID)
			}
		}
	}
	require.Len(t, day.Routes, routes)
	require.Equal(t, 3_000, sum)

	free := aDriver(999)
	day.Drivers = append(day.Drivers, free)
	now = districts.Districts(&day)
	later := day
	later.Now = later.Now.Add(60e9)
	later.Drivers = slices.Clone(day.Drivers)
	later.Drivers[len(later.Drivers)-1].Skills = []int64{8}
	later.Orders = slices.Clone(day.Orders)
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
	require.NotEmpty(t, around.Routes)
}

// TestFreeDriversGoWhereOrdersWait shares drivers without a route out to the district whose orders have none.
func TestFreeDriversGoWhereOrdersWait(t *testing.T) {
	t.Parallel()
	day := region(1_200)
	m := planning.MapOf(&day, 0)
	districts := m.Districts(&day)
	require.Len(t, districts, 4)
	day.Drivers = nil
	for i, district := range districts[1:] {
		route := planning.Route{DriverID: int64(i + 1)}
		for _, o := range district.Orders {
			route.Stops = append(route.Stops, planning.Placed{OrderID: o.ID, Kind: order.Delivery, Point: *o.Delivery.Point})
		}
		day.Routes, day.Drivers = append(day.Routes, route), append(day.Drivers, aDriver(int64(i+1)))
	}
	for n := range 70 {
		day.Drivers = append(day.Drivers, aDriver(int64(100+n)))
	}
	free := 0
	for _, district := range m.Districts(&day) {
		if len(district.Routes) == 0 {
			free = len(district.Drivers)
		}
	}
	require.Equal(t, 40, free, "four parts of seven")
}

// TestADistrictLosesWhatOthersGot reads a district again after a person gave one of its orders to a driver elsewhere,
// and while another one is said to be with a driver there.
func TestADistrictLosesWhatOthersGot(t *testing.T) {
	t.Parallel()
	day := region(1_200)
	m := planning.MapOf(&day, 0)
	district := m.Districts(&day)[0]
	first, second := district.Orders[0], district.Orders[1]
	elsewhere := m.Districts(&day)[1].Drivers[0].ID
	day.Routes = []planning.Route{{
		DriverID: elsewhere,
		Stops:    []planning.Placed{{OrderID: first.ID, Kind: order.Delivery, Point: *first.Delivery.Point}},
	}}
	for i := range day.Orders {
		if day.Orders[i].ID == second.ID {
			day.Orders[i].DriverID = elsewhere
		}
	}
	again := district.Again(&day)
	require.Len(t, again.Orders, len(district.Orders)-2)
	require.Equal(t, district.Orders[2].ID, again.Orders[0].ID)
	require.Empty(t, again.Routes)
	require.Equal(t, district.Drivers, again.Drivers)
}
