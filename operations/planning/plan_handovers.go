package planning

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanHandover gives the route of a driver to another one, in a plan that somebody has
// looked at.
type PlanHandover struct {
	planning.Handover

	Area planning.Area
	// Seen is the version of the plan that was looked at.
	Seen int64
	// Reason is why; it is kept with the locks.
	Reason string
	// NotStarted says that the driver has not set out, so that nothing has begun that he
	// has not reported.
	NotStarted bool
	// Overrule hands orders over that somebody else has moved since Seen, too.
	Overrule bool
	// DryRun only says what would go over and what not.
	DryRun bool
}

// HandedOverRoute is what goes over, what it costs, and what stays and why.
type HandedOverRoute struct {
	MovedOrders

	Orders []int64
	Stay   []planning.Stays
}

// HandOverRoute gives the orders of a driver's route, or those from a time on, to another
// driver and locks them there, or only says which ones. What does not fit stays with its driver. Nothing is done
// if one of the orders has got another driver since somebody looked at the plan.
func (o *Operations) HandOverRoute(ctx context.Context, c caller.Caller, h PlanHandover) (HandedOverRoute, error) {
	var handed HandedOverRoute
	retries, err := untilUnchanged(func() (version int64, err error) {
		handed, err = o.handOverRoute(ctx, c, h)
		return handed.Version, err
	})
	handed.Retries = retries
	return handed, o.sayWhoMoved(ctx, c.OrgID, err)
}

func (o *Operations) handOverRoute(ctx context.Context, c caller.Caller, h PlanHandover) (HandedOverRoute, error) {
	day, err := o.plannedDay(ctx, c.OrgID, h.Area, concern{drivers: []int64{h.From, h.To}})
	if err != nil {
		return HandedOverRoute{}, err
	}
	h.Stops = day.StopsOf(h.From)
	before := &planner{operations: o, caller: c, area: h.Area}
	if err := before.draft(ctx, day); err != nil {
		return HandedOverRoute{}, err
	}
	if err := before.canHandOver(ctx, &h); err != nil {
		return HandedOverRoute{}, err
	}
	var (
		handed HandedOverRoute
		moves  []planning.Move
	)
	after, err := before.onRealTimes(ctx, func() (after *planner, err error) {
		after, handed, moves, err = before.handOver(ctx, &h)
		return after, err
	})
	if err != nil || h.DryRun || len(moves) == 0 {
		return handed, err
	}
	m := PlanMoves{
		Area: h.Area, Seen: h.Seen, Moves: moves, Reason: h.Reason, Overrule: h.Overrule, Kind: store.HandedOver,
	}
	handed.Version, err = after.save(ctx, day, m, nil)
	handed.Applied = err == nil
	return handed, err
}

// handOver returns the plan after a handover as planning will find it, what becomes of the
// orders, and the moves to save.
func (w *planner) handOver(
	ctx context.Context, h *PlanHandover,
) (after *planner, handed HandedOverRoute, moves []planning.Move, err error) {
	as, err := w.believing(ctx, h.NotStarted, h.From)
	if err != nil {
		return nil, handed, nil, err
	}
	moves, stay := as.drawn.Handed(h.Handover)
	seen := PlanMoves{Seen: h.Seen, Moves: h.Asked(moves), Overrule: h.Overrule}
	if err := seen.unmoved(&w.day); err != nil {
		return nil, handed, nil, err
	}
	after, found, err := as.afterHandover(ctx, h.Handover, moves)
	if err != nil {
		return nil, handed, nil, err
	}
	handed = HandedOverRoute{MovedOrders: after.comparedTo(w), Stay: append(stay, found.Stay...)}
	handed.Version = w.day.Version
	for _, move := range found.Moves {
		handed.Orders = append(handed.Orders, move.OrderID)
	}
	return after, handed, found.Moves, nil
}

// believing is the planner that believes that a driver has not set out, if that is said, and else
// the planner itself.
func (w *planner) believing(ctx context.Context, notStarted bool, driver int64) (*planner, error) {
	if !notStarted {
		return w, nil
	}
	as := w.another()
	return as, as.draft(ctx, w.day.NotStarted(driver))
}

// canHandOver refuses a handover from a driver who has no route, or to one who does not
// work.
func (w *planner) canHandOver(ctx context.Context, h *PlanHandover) error {
	if len(h.Stops) == 0 {
		return w.noRoute(ctx, h.From)
	}
	works := w.drawn.Works(h.To)
	if works && !w.drawn.IsClosed(h.To) {
		return nil
	}
	name, _, err := w.names(ctx, h.To, nil)
	if err != nil {
		return err
	}
	text := fault.Say("plan.no_workday", "driver", name)
	if works {
		text = fault.Say("plan.route_held", "driver", name)
	}
	return &fault.Error{Kind: fault.IllegalState, Text: text, Resource: "driver", Name: name}
}

// names finds the name of a driver and the numbers of orders.
func (w *planner) names(ctx context.Context, driver int64, orders []int64) (name string, numbers []string, err error) {
	names, err := w.operations.store.NamesInPlans(ctx, w.caller.OrgID, store.PlanIDs{Drivers: []int64{driver}, Orders: orders})
	for _, id := range orders {
		numbers = append(numbers, nameOr(names.Orders, id))
	}
	return nameOr(names.Drivers, driver), numbers, err
}

// afterHandover makes a handover, and returns the plan that comes of it as planning will
// find it.
func (w *planner) afterHandover(
	ctx context.Context, h planning.Handover, moves []planning.Move,
) (*planner, planning.HandedOver, error) {
	loose := w.another()
	if err := loose.draft(ctx, w.day.Locked(moves, map[int64]planning.Accepted{})); err != nil { // nothing is accepted
		return nil, planning.HandedOver{}, err
	}
	found := loose.drawn.HandOver(h, moves, lookingEnds(ctx))
	after, err := w.handed(ctx, loose, found)
	return after, found, err
}

// handed is the plan after a handover as planning will find it, from one for a draft of a similar day.
func (w *planner) handed(ctx context.Context, as *planner, found planning.HandedOver) (*planner, error) {
	after := w.another()
	if err := after.draft(ctx, w.day.Locked(found.Moves, map[int64]planning.Accepted{})); err != nil {
		return nil, err
	}
	after.plan, after.searched = after.drawn.Carry(as.drawn, found.Plan), w.day.Searched
	if len(routing.Broken(&after.drawn.Problem, after.plan)) > 0 { // what stays does not hold any more
		after.plan = routing.Repair(&after.drawn.Problem, after.plan)
	}
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, fmt.Errorf("the handover breaks the plan: %v", broken[0])
	}
	return after, ctx.Err()
}
