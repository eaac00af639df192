package planning_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// helped is a day with two drivers in the north and in the south, and order 9
// in the north, which its driver cannot reach in time, with its
// counterfactuals.
func helped(t *testing.T) (planning.Day, *planning.Draft, planning.Helps) {
	t.Helper()
	day := twoVans(t)
	late := carried(9, order.Registered, 59.951, 59.959)
	late.DriverID, late.LockedTo = 0, 1
	late.Delivery.Window = order.Window{Earliest: clock(7), Latest: clock(7).Add(10 * time.Minute)}
	day.Orders = append(day.Orders, late)
	_, s := solve(t, day, 100)
	commit(&day, s)
	require.Len(t, day.Unplanned, 1)
	draft := drafted(day, nil)
	helper := draft.Helper()
	require.NotNil(t, helper)
	require.Equal(t, []int64{9}, helper.Left())
	helps := helper.Help(9, func() routing.Options { return routing.Options{Seed: 1, Spent: routing.Iterations(10)} })
	require.NotEmpty(t, helps.Changes)
	return day, draft, helps
}

func TestCounterfactualNamesTheRoutesThatProveIt(t *testing.T) {
	t.Parallel()
	day, _, helps := helped(t)
	require.Equal(t, []int64{1}, helps.Drivers, "the other driver's route stays as it is")
	require.True(t, helps.Until.After(day.Now), "%v", helps.Until)
	require.True(t, helps.Until.Before(day.At(24*60, 0)), "%v", helps.Until)
}

// TestCounterfactualsAreDeletedWithTheirRoutes changes the routes of a day one after the other.
func TestCounterfactualsAreDeletedWithTheirRoutes(t *testing.T) {
	t.Parallel()
	later := func(r *planning.Route, by time.Duration) {
		r.Ends = r.Ends.Add(by)
		r.Stops = slices.Clone(r.Stops)
		for i := range r.Stops {
			s := &r.Stops[i]
			s.Arrives, s.Starts, s.Leaves = s.Arrives.Add(by), s.Starts.Add(by), s.Leaves.Add(by)
		}
	}
	less := func(r *planning.Route) {
		gone := r.Stops[0].OrderID
		r.Stops = slices.DeleteFunc(slices.Clone(r.Stops), func(s planning.Placed) bool { return s.OrderID == gone })
	}
	for name, c := range map[string]struct {
		change  func(*planning.Day)
		forgets bool
	}{
		"nothing":                  {func(*planning.Day) {}, false},
		"another route is later":   {func(d *planning.Day) { later(&d.Routes[1], time.Hour) }, false},
		"another route loses some": {func(d *planning.Day) { less(&d.Routes[1]) }, false},
		"its route is later":       {func(d *planning.Day) { later(&d.Routes[0], time.Hour) }, true},
		"its route loses some":     {func(d *planning.Day) { less(&d.Routes[0]) }, true},
		"its route is gone":        {func(d *planning.Day) { d.Routes = d.Routes[1:] }, true},
		"it is planned":            {func(d *planning.Day) { d.Unplanned = nil }, true},
		"it asks for something else": {func(d *planning.Day) {
			d.Orders[slices.IndexFunc(d.Orders, func(o planning.Order) bool { return o.ID == 9 })].Load[0]++
		}, true},
	} {
		day, draft, helps := helped(t)
		now := copied(day)
		c.change(&now)
		still := draft.StillHelps(map[int64]planning.Helps{9: helps}, &now)
		require.Equal(t, !c.forgets, len(still) == 1, name)
	}
}

// TestARouteWithMoreRoomIsACandidate drops the counterfactuals of an order that
// may now fit a route, although that route proved nothing.
func TestARouteWithMoreRoomIsACandidate(t *testing.T) {
	t.Parallel()
	day, draft, _ := helped(t)
	south := copied(day)
	south.Routes = south.Routes[:1] // the other driver has nothing to do any more
	was := planning.Solution{Routes: day.Routes, Unplanned: day.Unplanned}
	out := draft.Outdated(was, planning.Solution{Routes: south.Routes, Unplanned: south.Unplanned})
	require.Equal(t, planning.Outdated{Drivers: []int64{2}}, out, "order 9 is locked to driver 1")
	day.Orders[len(day.Orders)-1].LockedTo = 0
	draft = drafted(day, nil)
	out = draft.Outdated(was, planning.Solution{Routes: south.Routes, Unplanned: south.Unplanned})
	require.Equal(t, []int64{9}, out.Orders)
	require.True(t, out.Has(9, &planning.Helps{}))
	require.True(t, draft.Outdated(was, planning.Solution{Routes: day.Routes}).Every, "it counts in what others say")
}

// TestExplainingIsBounded gives a solution no time: it answers one question and
// leaves the rest to the next one. Until then earlier reasons stay.
func TestExplainingIsBounded(t *testing.T) {
	t.Parallel()
	day, keep := tightDay(rand.New(rand.NewPCG(1, 7)), 60, 3), planning.NewReasons()
	keep.Budget = time.Nanosecond
	draft := drafted(day, keep)
	r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(10)})
	require.NoError(t, err)
	first := draft.Solution(r.Plan, time.Second)
	left := len(r.Plan.Unplanned(len(draft.Orders)))
	require.Greater(t, len(draft.Unexplained), left/2)
	require.Less(t, len(first.Unplanned), left/2, "an order for which nobody was asked has no reason")
	for _, u := range first.Unplanned {
		require.NotEmpty(t, u.Reasons)
		for _, why := range u.Reasons {
			require.True(t, why.Count > 0 || len(u.Reasons) == 1, "%+v is a guess", u)
			require.False(t, why.Code == planning.FleetFull && why.Count == 0, "%+v is a guess", u)
		}
	}
	next := day
	next.Orders = slices.Clone(day.Orders)
	commit(&next, first)
	require.Zero(t, drafted(next, keep).Fresh(), "all were searched for")
	require.Equal(t, left-len(first.Unplanned), drafted(next, nil).Fresh(), "another process searches again")
	asked := keep.Asked
	draft.Solution(r.Plan, time.Second)
	require.Greater(t, keep.Asked, asked, "it goes on")

	unbounded := drafted(day, nil)
	want := unbounded.Solution(r.Plan, time.Second)
	keep.Budget = time.Hour
	all := draft.Solution(r.Plan, time.Second)
	require.Empty(t, draft.Unexplained)
	require.Equal(t, want.Unplanned, all.Unplanned)

	day.Routes, day.Unplanned = all.Routes, all.Unplanned
	for k := range day.Drivers {
		day.Drivers[k].Hours.Ends += 10
	}
	keep.Budget = time.Nanosecond
	draft = drafted(day, keep)
	again := draft.Solution(draft.Present, time.Second)
	require.NotEmpty(t, draft.Unexplained)
	for _, u := range again.Unplanned {
		said := slices.IndexFunc(all.Unplanned, func(before planning.Unplanned) bool { return before.OrderID == u.OrderID })
		if draft.Unexplained[u.OrderID] && said >= 0 {
			require.Equal(t, all.Unplanned[said], u)
		}
	}
}
