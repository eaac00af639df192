package planning_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// spot is a stop on a line from south to north that is open all day.
func spot(lat float64) planning.Stop {
	p := planning.Point{Latitude: lat, Longitude: 10.75}
	return planning.Stop{Point: &p, Service: 5 * time.Minute, Window: order.Window{Earliest: clock(7), Latest: clock(16)}}
}

// carried returns an order that a driver has begun.
func carried(id int64, status order.Status, from, to float64) planning.Order {
	return planning.Order{
		ID: id, Status: status, DriverID: 1, VehicleTypeID: 2, Load: routing.Load{1000, 10, 1},
		Pickup: spot(from), Delivery: spot(to),
	}
}

// unpaused is a driver without a break.
func unpaused(id int64) planning.Driver {
	d := aDriver(id)
	d.Hours.Break.Minutes = 0
	return d
}

func hm(hour, minute int) time.Time { return clock(hour).Add(time.Duration(minute) * time.Minute) }

// planned is a stop of an order in a plan.
func planned(o *planning.Order, kind order.StopKind, at time.Time) planning.Placed {
	stop := &o.Pickup
	if kind == order.Delivery {
		stop = &o.Delivery
	}
	return planning.Placed{
		OrderID: o.ID, Kind: kind, Arrives: at, Starts: at, Leaves: at.Add(5 * time.Minute), ETA: at, Point: *stop.Point,
		Driving: 10 * time.Minute, Meters: 6000,
	}
}

// solve plans a day, and requires of it that it can be driven.
func solve(t *testing.T, d planning.Day, steps int) (*planning.Draft, planning.Solution) {
	t.Helper()
	draft := d.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	require.NoError(t, draft.Problem.Validate())
	r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(steps)})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(&draft.Problem, r.Plan))
	return draft, draft.Solution(r.Plan, time.Second)
}

// commit keeps a plan, as the database does.
func commit(d *planning.Day, s planning.Solution) planning.Difference {
	diff := d.Difference(s)
	heading := map[int64]planning.Route{}
	for _, r := range d.Routes {
		heading[r.DriverID] = r
	}
	d.Routes, d.Unplanned, d.Version = slices.Clone(s.Routes), s.Unplanned, d.Version+1
	for i := range d.Routes {
		was := heading[d.Routes[i].DriverID]
		d.Routes[i].Heading, d.Routes[i].Seen, d.Routes[i].Ended = was.Heading, was.Seen, was.Ended
	}
	for _, c := range diff.Orders {
		at := slices.IndexFunc(d.Orders, func(o planning.Order) bool { return o.ID == c.OrderID })
		d.Orders[at].Status, d.Orders[at].DriverID, d.Orders[at].PlannedSeconds = c.Status, c.DriverID, c.Seconds
	}
	return diff
}

// of returns the stop of an order on a driver's route.
func of(s planning.Solution, driver, id int64, kind order.StopKind) *planning.Placed {
	for _, r := range s.Routes {
		for i := range r.Stops {
			if r.DriverID == driver && r.Stops[i].OrderID == id && r.Stops[i].Kind == kind {
				return &r.Stops[i]
			}
		}
	}
	return nil
}

// TestLoadingTheEveningBeforeBeginsNoNight has a driver load the evening before. The rest of the route waits for the
// shift, unless the driver is on the road already.
func TestLoadingTheEveningBeforeBeginsNoNight(t *testing.T) {
	t.Parallel()
	early := func(loaded time.Time, now time.Time) time.Time {
		o := carried(1, order.PickedUp, 59.91, 59.95)
		o.Pickup.Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: loaded}
		o.Pickup.Window.Earliest, o.Delivery.Window.Earliest = clock(-6), clock(0)
		day := aDay(0, []planning.Order{o}, unpaused(1))
		day.Now = now
		day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(9), Stops: []planning.Placed{
			planned(&o, order.Pickup, clock(7)), planned(&o, order.Delivery, clock(8)),
		}}}
		_, s := solve(t, day, 50)
		return of(s, 1, 1, order.Delivery).Starts
	}
	require.False(t, early(clock(-3), clock(-1)).Before(clock(7)))
	require.False(t, early(clock(-3), clock(2)).Before(clock(7)), "nobody drives at night")
	require.False(t, early(hm(-6, 40), clock(-5)).Before(clock(7)), "nor right after the loading")
	require.True(t, early(hm(6, 10), hm(6, 30)).Before(clock(7)), "somebody who begins early goes on")
}

// TestLateOrderOnBoardStays makes a plan again and again while a driver with
// goods on board, or on the way to them, is half an hour late.
func TestLateOrderOnBoardStays(t *testing.T) {
	t.Parallel()
	for _, status := range []order.Status{order.PickedUp, order.Planned} {
		first, o := carried(2, order.Delivered, 59.91, 59.92), carried(1, status, 59.91, 60.0)
		o.Pickup.Window.Latest, o.Delivery.Window.Latest = clock(9), clock(10)
		day := aDay(9, []planning.Order{o, first}, unpaused(1), unpaused(2))
		day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
			planned(&first, order.Pickup, hm(7, 30)), planned(&o, order.Pickup, clock(8)),
			planned(&first, order.Delivery, hm(8, 20)), planned(&o, order.Delivery, hm(9, 30)),
		}}}
		heading := planning.Heading{OrderID: 1, Kind: order.Delivery, At: hm(10, 30)}
		if status == order.Planned {
			day.Routes[0].Stops[1], day.Routes[0].Stops[2] = day.Routes[0].Stops[2], planned(&o, order.Pickup, hm(8, 50))
			heading.Kind, heading.At = order.Pickup, hm(9, 55)
		}
		for _, m := range []int{40, 45, 50, 70, 95} {
			day.Now = hm(9, m)
			day.Routes[0].Heading = heading
			draft, s := solve(t, day, 100)
			delivery := of(s, 1, 1, order.Delivery)
			require.NotNil(t, delivery, "status %d, minute %d", status, m)
			require.False(t, delivery.Starts.Before(hm(10, 0)), "status %d, minute %d: it is late", status, m)
			require.Positive(t, delivery.Late)
			require.Empty(t, s.Unplanned)
			var late []int64
			for _, v := range routing.Check(&draft.Problem, draft.Present) {
				require.Equal(t, routing.Late, v.Code)
				late = append(late, draft.Orders[v.Request])
			}
			require.Contains(t, late, int64(1), "it is said to be late")
			for _, c := range commit(&day, s).Orders {
				require.NotEqual(t, planning.TakenOff, c.Told)
			}
		}
	}
}

// TestLateFrozenStopStaysFrozen: a pickup that begins soon is late by now, and the
// plan has written that down.
func TestLateFrozenStopStaysFrozen(t *testing.T) {
	t.Parallel()
	first, o := carried(2, order.AtDelivery, 59.91, 59.92), carried(1, order.Planned, 59.95, 59.99)
	o.Pickup.Window.Latest = hm(8, 30)
	day := aDay(8, []planning.Order{first, o}, unpaused(1), unpaused(2))
	first.Delivery.Service, day.Orders[0].Delivery.Service = 40*time.Minute, 40*time.Minute
	serving := planned(&first, order.Delivery, hm(8, 0))
	serving.Leaves = hm(8, 40)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&first, order.Pickup, hm(7, 30)), serving,
		planned(&o, order.Pickup, hm(8, 25)), planned(&o, order.Delivery, hm(9, 0)),
	}}}
	for _, m := range []int{5, 10, 20, 30} {
		day.Now = hm(8, m)
		_, s := solve(t, day, 100)
		pickup := of(s, 1, 1, order.Pickup)
		require.NotNil(t, pickup, "minute %d", m)
		require.Positive(t, pickup.Late)
		commit(&day, s)
	}
	day.Orders[1].Pickup.Window = order.Window{Earliest: hm(12, 0), Latest: hm(13, 0)}
	draft, _ := solve(t, day, 100)
	require.Empty(t, draft.Problem.Shifts[0].Frozen, "what asks for another time is free again")
}

// TestNextStopOfDriverIsFrozen checks this for early and late drivers who
// were seen on their way.
func TestNextStopOfDriverIsFrozen(t *testing.T) {
	t.Parallel()
	first, o := carried(2, order.Delivered, 59.91, 59.92), carried(1, order.Planned, 60.31, 60.32)
	o.Pickup.Window.Earliest = hm(11, 30)
	day := aDay(10, []planning.Order{first, o}, unpaused(1), unpaused(2))
	day.Now = hm(10, 15)
	far := planned(&o, order.Pickup, hm(11, 30))
	far.Driving = 72 * time.Minute
	route := planning.Route{DriverID: 1, Starts: clock(7), Ends: clock(13), Stops: []planning.Placed{
		planned(&first, order.Pickup, hm(9, 0)), planned(&first, order.Delivery, hm(9, 45)), far,
		planned(&o, order.Delivery, hm(11, 50)),
	}, Heading: planning.Heading{OrderID: 1, Kind: order.Pickup, At: hm(11, 0)}}
	day.Routes = []planning.Route{route}
	draft, _ := solve(t, day, 50)
	require.Empty(t, draft.Problem.Shifts[0].Frozen, "he waits where he was")

	route.Seen = driving.Where{Latitude: 60.0, Longitude: 10.75, At: hm(10, 14)}
	day.Routes = []planning.Route{route}
	draft, s := solve(t, day, 50)
	require.Len(t, draft.Problem.Shifts[0].Frozen, 1)
	require.Equal(t, hm(11, 30), of(s, 1, 1, order.Pickup).Starts, "he waits there until it opens")
}

// TestAShiftThatHasBegunLastsUntilItsRouteEnds checks that it includes the pickup that
// the driver is about to make, but is bounded, and ends when the driver ends it.
func TestAShiftThatHasBegunLastsUntilItsRouteEnds(t *testing.T) {
	t.Parallel()
	done, o := carried(2, order.Delivered, 59.91, 59.92), carried(1, order.Planned, 59.91, 59.92)
	day := aDay(15, []planning.Order{o, done}, unpaused(1), unpaused(2)) // the shifts end at three
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(15), Stops: []planning.Placed{
		planned(&done, order.Pickup, hm(13, 0)), planned(&done, order.Delivery, hm(13, 30)),
		planned(&o, order.Pickup, hm(14, 50)), planned(&o, order.Delivery, hm(14, 58)),
	}, Heading: planning.Heading{OrderID: 1, Kind: order.Pickup, At: hm(15, 4)}}}
	for _, m := range []int{-1, 0, 2} {
		day.Now = hm(15, m)
		require.False(t, day.Over())
		_, s := solve(t, day, 50)
		require.NotNil(t, of(s, 1, 1, order.Pickup), "minute %d", m)
		require.NotNil(t, of(s, 1, 1, order.Delivery), "minute %d", m)
		require.Empty(t, s.Unplanned)
		commit(&day, s)
	}
	day.Orders[0].Status, day.Now = order.PickedUp, hm(16, 30)
	draft, s := solve(t, day, 50)
	require.Len(t, draft.Drivers, 1)
	require.NotNil(t, of(s, 1, 1, order.Delivery))

	day.Routes[0].Ended = hm(15, 30)
	day.Orders[0].Pickup.Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: hm(15, 10)}
	day.Orders[1].Pickup.Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: hm(13, 10)}
	day.Orders[1].Delivery.Standing = driving.StopStanding{Status: driving.StopCompleted, Ended: hm(13, 50)}
	draft, s = solve(t, day, 50)
	require.Empty(t, draft.Drivers, "he has ended his route")
	require.NotNil(t, of(s, 1, 1, order.Delivery), "what is on board is with him all the same")

	day.Routes[0].Ended, day.Now = time.Time{}, hm(18, 1)
	draft, _ = solve(t, day, 50)
	require.Empty(t, draft.Drivers, "three hours later nobody works any more")
}

// TestOpenOrderObeysEveryRule checks this even half an hour before the pickup.
// An order that no other driver may have stays.
func TestOpenOrderObeysEveryRule(t *testing.T) {
	t.Parallel()
	rules := map[string]func(o *planning.Order, one, other *planning.Driver){
		"skill":      func(o *planning.Order, _, other *planning.Driver) { o.Needs, other.Skills = []int64{99}, []int64{99} },
		"prohibited": func(o *planning.Order, _, _ *planning.Driver) { o.Prohibited = []int64{1} },
		"two": func(o *planning.Order, _, other *planning.Driver) {
			o.Needs, other.CoDriver = []int64{forTwo}, &planning.CoDriver{ID: 3}
		},
		"vehicle": func(_ *planning.Order, one, _ *planning.Driver) { one.Vehicle.AlsoServes = nil },
		"room":    func(_ *planning.Order, one, _ *planning.Driver) { w := 0.5; one.Vehicle.MaxWeightKg = &w },
	}
	for name, rule := range rules {
		one, other, o := unpaused(1), unpaused(2), carried(1, order.Planned, 59.91, 59.95)
		rule(&o, &one, &other)
		day := aDay(8, []planning.Order{o}, one, other)
		day.ForTwo = []int64{forTwo}
		day.Crew()
		day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
			planned(&o, order.Pickup, hm(8, 20)), planned(&o, order.Delivery, hm(8, 50)),
		}}}
		draft, s := solve(t, day, 50)
		require.NotNil(t, of(s, 2, 1, order.Delivery), name)
		require.Empty(t, draft.Missed())
		day.Drivers = day.Drivers[:1]
		draft, s = solve(t, day, 50)
		require.NotNil(t, of(s, 1, 1, order.Delivery), "%s: nobody else may", name)
		missed := []planning.Missed{{OrderID: 1, DriverID: 1, Rule: map[string]planning.Reason{
			"skill": planning.SkillMissing, "prohibited": planning.ProhibitedDriver, "vehicle": planning.WrongVehicleType,
			"room": planning.TooHeavy, "two": planning.NeedsTwoPeople,
		}[name]}}
		require.Equal(t, missed, draft.Missed(), "and the office is told why that is wrong")
		fresh, over := day.News(missed)
		require.Equal(t, missed, fresh)
		require.Empty(t, over)
		day.Missed = []planning.NotedMiss{
			{Missed: missed[0], ID: 7, Open: true},
			{Missed: planning.Missed{OrderID: 2}, ID: 8},
		}
		fresh, over = day.News(missed)
		require.Empty(t, fresh, "once")
		require.Empty(t, over)
		_, over = day.News(nil)
		require.Equal(t, []int64{7}, over)
	}
}
