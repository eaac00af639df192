package planning

import (
	"context"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanSpread gives the route of a driver to all others, in a plan that somebody has looked at.
type PlanSpread struct {
	Area planning.Area
	// Seen is the version of the plan that was looked at.
	Seen int64
	// From is the driver whose route it is.
	From int64
	// Orders are those to give away; empty is all of the route.
	Orders []int64
	// Reason is why; it is kept with the locks.
	Reason string
	// NotStarted says that the driver has not set out, so that nothing has begun that he
	// has not reported.
	NotStarted bool
	// Overrule gives away orders that somebody else has moved since Seen, too.
	Overrule bool
	// DryRun only says who would get what.
	DryRun bool
}

// SpreadOut is who gets what, what that costs, and what stays and why.
type SpreadOut struct {
	MovedOrders

	// Moves are in the sequence of the route.
	Moves []planning.Move
	Stay  []planning.Stays
}

// SpreadRoute gives the orders of a driver's route, locked or not, to the drivers with whom they cost
// least together, and locks them there, or only says who would get which. The others keep their
// orders. What fits nobody stays with its driver. It is one move, which one undo takes back. Nothing is
// done if one of the orders has got another driver since somebody looked at the plan.
func (o *Operations) SpreadRoute(ctx context.Context, c caller.Caller, s PlanSpread) (SpreadOut, error) {
	var out SpreadOut
	retries, err := untilUnchanged(func() (version int64, err error) {
		out, err = o.spreadRoute(ctx, c, &s)
		return out.Version, err
	})
	out.Retries = retries
	return out, o.sayWhoMoved(ctx, c.OrgID, err)
}

func (o *Operations) spreadRoute(ctx context.Context, c caller.Caller, s *PlanSpread) (out SpreadOut, err error) {
	before, err := o.seenPlan(ctx, c, s.Area, concern{all: true})
	if err != nil {
		return out, err
	}
	h := planning.Handover{From: s.From, Orders: s.Orders, Stops: before.day.StopsOf(s.From)}
	if len(h.Stops) == 0 {
		return out, before.noRoute(ctx, s.From)
	}
	var moves []planning.Move
	after, err := before.onRealTimes(ctx, func() (after *planner, err error) {
		after, out, moves, err = before.spread(ctx, s, h)
		return after, err
	})
	if err != nil || s.DryRun || len(moves) == 0 {
		return out, err
	}
	m := PlanMoves{
		Area: s.Area, Seen: s.Seen, Moves: moves, Reason: s.Reason, Overrule: s.Overrule, Kind: store.HandedOver,
	}
	out.Version, err = after.save(ctx, before.day, m, nil)
	out.Applied = err == nil
	return out, err
}

// spread returns the plan after a route was given to several drivers as planning will find it, with the moves to save.
func (w *planner) spread(
	ctx context.Context, s *PlanSpread, h planning.Handover,
) (after *planner, out SpreadOut, moves []planning.Move, err error) {
	as, err := w.believing(ctx, s.NotStarted, s.From)
	if err != nil {
		return nil, out, nil, err
	}
	open, stay := as.drawn.Handed(h)
	seen := PlanMoves{Seen: s.Seen, Moves: h.Asked(open), Overrule: s.Overrule}
	if err := seen.unmoved(&w.day); err != nil {
		return nil, out, nil, err
	}
	after, found, err := as.spreadOpen(ctx, h, open)
	if err != nil {
		return nil, out, nil, err
	}
	out = SpreadOut{MovedOrders: after.comparedTo(w), Moves: found.Moves, Stay: append(stay, found.Stay...)}
	out.Version = w.day.Version
	return after, out, found.Moves, nil
}

// The best places for the orders of a route are looked for in so many steps for each, and in so many together.
const (
	stepsOfSpread = 150
	mostOfSpread  = 3_500
)

// spreadOpen gives orders that nobody has begun to the drivers with whom they cost least.
func (w *planner) spreadOpen(
	ctx context.Context, h planning.Handover, open []planning.Move,
) (*planner, planning.HandedOver, error) {
	free := w.another()
	if err := free.draft(ctx, w.day.Offered(h.From, changedOrders(open))); err != nil {
		return nil, planning.HandedOver{}, err
	}
	free.plan = routing.Repair(&free.drawn.Problem, free.drawn.Present)
	ended, steps := lookingEnds(ctx), float64(min(stepsOfSpread*max(1, len(open)), mostOfSpread))
	err := free.improveAround(free.drawn.Requests(changedOrders(open)), func(iterations int) float64 {
		if ended() {
			return 1
		}
		return float64(iterations) / steps
	})
	if err != nil {
		return nil, planning.HandedOver{}, err
	}
	found := free.drawn.Spread(h, open, free.plan)
	after, err := w.handed(ctx, free, found)
	return after, found, err
}

// noRoute says that a driver has no route.
func (w *planner) noRoute(ctx context.Context, driver int64) error {
	name, _, err := w.names(ctx, driver, nil)
	if err != nil {
		return err
	}
	return &fault.Error{Kind: fault.IllegalState, Text: fault.Say("plan.no_route", "driver", name), Resource: "driver", Name: name}
}
