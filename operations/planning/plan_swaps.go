package planning

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanSwap gives each of two drivers the route of the other one, in a plan that somebody has
// looked at.
type PlanSwap struct {
	Area    planning.Area
	Seen    int64
	Drivers [2]int64
	// Reason is why; it is kept with the locks.
	Reason string
	// Overrule swaps orders that somebody else has moved since Seen, too.
	Overrule bool
	// DryRun only says what the swap costs.
	DryRun bool
}

// SwappedRoutes is what a swap costs, and the orders without a place.
type SwappedRoutes struct {
	MovedOrders

	// Stay are the orders because of which nothing is swapped.
	Stay []planning.Stays
}

// SwapRoutes gives each of two drivers the orders of the other one, in their sequence, and
// locks them there. Orders that a driver has begun stay. If other orders do not
// fit, nothing is swapped, and the answer names them.
func (o *Operations) SwapRoutes(ctx context.Context, c caller.Caller, s PlanSwap) (SwappedRoutes, error) {
	var swapped SwappedRoutes
	retries, err := untilUnchanged(func() (version int64, err error) {
		swapped, err = o.swapRoutes(ctx, c, &s)
		return swapped.Version, err
	})
	swapped.Retries = retries
	return swapped, o.sayWhoMoved(ctx, c.OrgID, err)
}

func (o *Operations) swapRoutes(ctx context.Context, c caller.Caller, s *PlanSwap) (swapped SwappedRoutes, err error) {
	before, err := o.seenPlan(ctx, c, s.Area, concern{drivers: s.Drivers[:]})
	if err != nil {
		return swapped, err
	}
	if err := before.canSwap(ctx, s); err != nil {
		return swapped, err
	}
	m := PlanMoves{Area: s.Area, Seen: s.Seen, Reason: s.Reason, Overrule: s.Overrule, Kind: store.SwappedDrivers}
	var sequences map[int64][]planning.StopRef
	if m.Moves, sequences, err = before.crossed(ctx, s.Drivers); err != nil {
		return swapped, err
	}
	swapped.Version = before.day.Version
	if len(m.Moves) == 0 {
		return swapped, nil
	}
	if err := m.unmoved(&before.day); err != nil {
		return swapped, err
	}
	var stay []planning.Stays
	after, err := before.onRealTimes(ctx, func() (after *planner, err error) {
		after, stay, err = before.put(ctx, before.day, m.Moves, map[int64]planning.Accepted{}, sequences)
		return after, err
	})
	if err != nil {
		return swapped, err
	}
	if swapped.Stay = stay; len(stay) > 0 {
		return swapped, nil
	}
	swapped.MovedOrders = after.comparedTo(before)
	if swapped.Version = before.day.Version; s.DryRun {
		return swapped, nil
	}
	swapped.Version, err = after.save(ctx, before.day, m, nil)
	swapped.Applied = err == nil
	return swapped, err
}

// crossed are the moves that give each of two drivers what the other one has not begun, and the
// sequences of that by the driver who gets it. What somebody holds is swapped, too.
func (w *planner) crossed(
	ctx context.Context, drivers [2]int64,
) (moves []planning.Move, sequences map[int64][]planning.StopRef, err error) {
	open := w.another()
	if err := open.draft(ctx, w.day.Holding(drivers[0], nil).Holding(drivers[1], nil)); err != nil {
		return nil, nil, err
	}
	sequences = map[int64][]planning.StopRef{}
	for n, driver := range drivers {
		orders, stops := open.drawn.OpenOrders(driver)
		other := drivers[1-n]
		sequences[other] = stops
		for _, id := range orders {
			moves = append(moves, planning.Move{OrderID: id, DriverID: other})
		}
	}
	return moves, sequences, nil
}

// canSwap refuses a swap with a driver who does not work, or of two who have no route.
func (w *planner) canSwap(ctx context.Context, s *PlanSwap) error {
	for _, driver := range s.Drivers {
		if w.drawn.Works(driver) {
			continue
		}
		name, _, err := w.names(ctx, driver, nil)
		if err != nil {
			return err
		}
		return &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("plan.no_workday", "driver", name), Resource: "driver", Name: name,
		}
	}
	return nil
}

// put gives orders of a day to drivers in sequences, and returns the plan that comes of it as planning
// will find it. Of orders that do not fit it says why, and then there is no plan.
func (w *planner) put(
	ctx context.Context, day planning.Day, moves []planning.Move, accepted map[int64]planning.Accepted,
	sequences map[int64][]planning.StopRef,
) (after *planner, stay []planning.Stays, err error) {
	after = w.another()
	if err := after.draft(ctx, day.Locked(moves, accepted)); err != nil {
		return nil, nil, err
	}
	plan, left := after.drawn.Put(moves, sequences, lookingEnds(ctx))
	if len(left) > 0 {
		return nil, after.drawn.WhyLeft(plan, moves, left), ctx.Err()
	}
	after.plan, after.searched = plan, w.day.Searched
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, nil, fmt.Errorf("orders put in sequence break the plan: %v", broken[0])
	}
	return after, nil, ctx.Err()
}

// changedOrders are the orders of moves.
func changedOrders(moves []planning.Move) []int64 {
	all := make([]int64, len(moves))
	for i, m := range moves {
		all[i] = m.OrderID
	}
	slices.Sort(all)
	return all
}
