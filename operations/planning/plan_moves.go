package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
	"waybill/store"
)

// PlanMoves are moves within the plan of an area that somebody has looked at.
type PlanMoves struct {
	Area planning.Area
	// Seen is the version of the plan that was looked at.
	Seen int64
	// Moves are made one after the other.
	Moves []planning.Move
	// Reason is why; breaking something needs one.
	Reason string
	// DryRun only says what the moves cost and break.
	DryRun bool
	// Partly makes the possible moves when others are refused; otherwise none is made then.
	Partly bool
	// Overrule moves orders that somebody else has moved since Seen, too.
	Overrule bool
	// Kind is how the move is kept; empty is store.MovedOrders.
	Kind store.MoveKind

	// drivers are those whose routes must be written as a whole.
	drivers []int64
}

func (m *PlanMoves) kind() store.MoveKind { return cmp.Or(m.Kind, store.MovedOrders) }

// RefusedMove is a move that cannot be made, and why.
type RefusedMove struct {
	planning.Move

	Number string
	Text   fault.Text
}

// MovedOrders is what moves cost and break.
type MovedOrders struct {
	Applied bool
	// Version is that of the plan, a new one when the moves were made.
	Version int64
	// Driving, Waiting, Meters, Drivers and Unplanned are how much more the plan
	// costs than before; less is negative.
	Driving, Waiting   time.Duration
	Meters             int64
	Drivers, Unplanned int
	Breaks             []planning.Break
	// Refused are the moves that cannot be made, when the others are.
	Refused []RefusedMove
	// Changed are the routes with other stops, or another sequence, than before.
	Changed []planning.ChangedRoute
	// Retries counts how often the moves were made again because something changed
	// meanwhile.
	Retries int
}

// MoveOrders gives orders to other drivers and locks them there, or only says what that
// costs and breaks. Nothing is done if one of the orders has got another driver since
// somebody looked at the plan: the fault says who moved it. What else happens, such as what
// drivers report, is no obstacle.
func (o *Operations) MoveOrders(ctx context.Context, c caller.Caller, m PlanMoves) (MovedOrders, error) {
	var moved MovedOrders
	retries, err := untilUnchanged(func() (version int64, err error) {
		moved, err = o.moveOrders(ctx, c, m)
		return moved.Version, err
	})
	moved.Retries = retries
	return moved, o.sayWhoMoved(ctx, c.OrgID, err)
}

// untilUnchanged makes a change of a plan again while what the change depends on changes
// meanwhile, and returns how often. In the end it says that the plan is another version now.
func untilUnchanged(change func() (version int64, err error)) (retries int, err error) {
	for {
		version, err := change()
		if !errors.Is(err, errPlanChanged) {
			return retries, err
		}
		if retries++; retries == commitTries {
			return retries, stale(version)
		}
	}
}

func (o *Operations) moveOrders(ctx context.Context, c caller.Caller, m PlanMoves) (MovedOrders, error) {
	day, err := o.plannedDay(ctx, c.OrgID, m.Area, concerned(m.Moves))
	if err != nil {
		return MovedOrders{}, err
	}
	if err := m.unmoved(&day); err != nil {
		return MovedOrders{}, err
	}
	before := &planner{operations: o, caller: c, area: m.Area}
	if err := before.draft(ctx, day); err != nil {
		return MovedOrders{}, err
	}
	var made madeMoves
	_, err = before.onRealTimes(ctx, func() (_ *planner, err error) {
		made, err = before.rearranged(ctx, &m)
		return made.after, err
	})
	if err != nil {
		return MovedOrders{}, err
	}
	moved := MovedOrders{Version: day.Version, Refused: made.refused}
	if m.Moves = made.moves; len(m.Moves) == 0 {
		return moved, nil
	}
	moved = made.after.comparedTo(before)
	moved.Version, moved.Breaks, moved.Refused = day.Version, made.Breaks, made.refused
	if m.DryRun {
		return moved, nil
	}
	if len(made.Breaks) > 0 && m.Reason == "" {
		return moved, fault.Illegal("plan.breaks", "plan", m.Area.Date.Format(time.DateOnly))
	}
	moved.Version, err = made.after.save(ctx, day, m, made.Accepted)
	moved.Applied = err == nil
	return moved, err
}

// moveTime is how long moves are looked for places.
const moveTime = 5 * time.Second

// lookingEnds reports, from now on, whether places were looked for long enough.
func lookingEnds(ctx context.Context) (ended func() bool) {
	began := time.Now()
	return func() bool { return ctx.Err() != nil || time.Since(began) > moveTime }
}

// another plans the same area on a day that is changed a little, with what this one knows of
// the travel times.
func (w *planner) another() *planner {
	return &planner{operations: w.operations, caller: w.caller, area: w.area, like: w}
}

// madeMoves is the plan that comes of moves as planning will find it, with what they break
// and what has to be accepted for that.
type madeMoves struct {
	planning.Rearranged

	after *planner
	// moves are those that can be made, and refused the others.
	moves   []planning.Move
	refused []RefusedMove
}

// rearranged makes moves as far as they can be made. Without Partly, it is a fault if one
// cannot; the fault names all of them.
func (w *planner) rearranged(ctx context.Context, m *PlanMoves) (made madeMoves, err error) {
	made, refusals, err := w.possible(ctx, m.Moves, lookingEnds(ctx))
	if err != nil {
		return made, err
	}
	if at := slices.IndexFunc(refusals, isTooLong); at >= 0 {
		return made, w.tooLong(ctx, refusals[at])
	}
	made.refused, err = w.refused(ctx, m, refusals)
	return made, err
}

func isTooLong(r *planning.Refusal) bool { return r.Reason == planning.TooLong }

// possible makes the moves that can be made, and returns why the others cannot. Without a
// plan after them, none could be made, or there was no time to check all: then the last
// refusal is TooLong.
func (w *planner) possible(
	ctx context.Context, moves []planning.Move, ended func() bool,
) (made madeMoves, refusals []*planning.Refusal, err error) {
	for made.moves = moves; len(made.moves) > 0; {
		refusal, err := w.tryMoves(ctx, &made, ended)
		if err != nil || refusal == nil {
			return made, refusals, err
		}
		refusals = append(refusals, refusal)
		if isTooLong(refusal) {
			return made, refusals, nil
		}
		made.moves = slices.DeleteFunc(slices.Clone(made.moves), func(move planning.Move) bool { return refuses(refusal, move) })
	}
	return made, refusals, nil
}

// refuses reports whether a refusal is about a move.
func refuses(r *planning.Refusal, move planning.Move) bool {
	return move == r.Move && len(r.Orders) == 0 || move.DriverID == r.Move.DriverID && slices.Contains(r.Orders, move.OrderID)
}

// tryMoves makes moves, unless one cannot be made.
func (w *planner) tryMoves(ctx context.Context, made *madeMoves, ended func() bool) (*planning.Refusal, error) {
	loose := w.another()
	if err := loose.draft(ctx, w.day.Locked(made.moves, nil)); err != nil {
		return nil, err
	}
	r, refusal := loose.drawn.Move(made.moves, &w.day, ended)
	if refusal != nil {
		return refusal, nil
	}
	after := w.another()
	if err := after.draft(ctx, w.day.Locked(made.moves, r.Accepted)); err != nil {
		return nil, err
	}
	after.plan, after.searched = after.drawn.Carry(loose.drawn, r.Plan), w.day.Searched
	if broken := routing.Broken(&after.drawn.Problem, after.plan); len(broken) > 0 {
		return nil, fmt.Errorf("moved orders break the plan: %v", broken[0])
	}
	made.after, made.Rearranged = after, r
	return nil, nil
}

// refused says why moves cannot be made, with the numbers of the orders and the names of
// the drivers. Unless the others are wanted without them, that is a fault.
func (w *planner) refused(ctx context.Context, m *PlanMoves, refusals []*planning.Refusal) ([]RefusedMove, error) {
	if len(refusals) == 0 {
		return nil, nil
	}
	ids := store.PlanIDs{}
	for _, move := range m.Moves {
		ids.Drivers, ids.Orders = append(ids.Drivers, move.DriverID), append(ids.Orders, move.OrderID)
	}
	names, err := w.operations.store.NamesInPlans(ctx, w.caller.OrgID, ids)
	if err != nil {
		return nil, err
	}
	var all []RefusedMove
	out := fault.Error{Kind: fault.IllegalState, Resource: "order"}
	for n, move := range m.Moves {
		at := slices.IndexFunc(refusals, func(r *planning.Refusal) bool { return refuses(r, move) })
		if at < 0 {
			continue
		}
		number := nameOr(names.Orders, move.OrderID)
		said := RefusedMove{move, number, refusal(refusals[at].Reason, number, nameOr(names.Drivers, move.DriverID))}
		all = append(all, said)
		out.Violations = append(out.Violations, fault.Violation{Field: fmt.Sprintf("moves[%d].orderId", n), Text: said.Text})
	}
	if m.Partly {
		return all, nil
	}
	out.Text, out.Name = all[0].Text, all[0].Number
	if first := refusals[0]; first.Reason == planning.NoRoomTogether && len(all) > 1 {
		driver, numbers := nameOr(names.Drivers, first.Move.DriverID), make([]string, len(first.Orders))
		for n, id := range first.Orders {
			numbers[n] = nameOr(names.Orders, id)
		}
		out.Text = fault.Say("plan.no_room_together", "driver", driver, "orders", strings.Join(numbers, ", "))
		out.Resource, out.Name = "driver", driver
	}
	return nil, &out
}

// nameOr is the name of a record, or its number if it has none.
func nameOr(names map[int64]string, id int64) string {
	return cmp.Or(names[id], strconv.FormatInt(id, 10))
}

// tooLong says that moves were not checked to the end.
func (w *planner) tooLong(ctx context.Context, r *planning.Refusal) error {
	driver, numbers, err := w.names(ctx, r.Move.DriverID, []int64{r.Move.OrderID})
	if err != nil {
		return err
	}
	return &fault.Error{
		Kind: fault.IllegalState, Text: refusal(r.Reason, numbers[0], driver), Resource: "order", Name: numbers[0],
	}
}

// refusal says why a move cannot be made.
func refusal(why planning.RefusalReason, order, driver string) fault.Text {
	switch why {
	case planning.NotHere:
		return fault.Say("plan.order_elsewhere", "name", order)
	case planning.DriverOff:
		return fault.Say("plan.driver_off", "name", order, "driver", driver)
	case planning.Begun:
		return fault.Say("plan.begun", "name", order)
	case planning.Impossible:
		return fault.Say("plan.impossible", "name", order)
	case planning.TooLong:
		return fault.Say("plan.moves_too_long", "name", order)
	case planning.Closed:
		return fault.Say("plan.route_held", "driver", driver)
	case planning.NotOnThisRoute:
		return fault.Say("plan.not_on_route", "name", order, "driver", driver)
	case planning.PickupMissing:
		return fault.Say("plan.pickup_missing", "name", order)
	case planning.Twice:
		return fault.Say("plan.stop_twice", "name", order)
	case planning.TooMuch:
		return fault.Say("plan.too_much", "name", order, "driver", driver)
	case planning.NoRoom, planning.NoRoomTogether:
	}
	return fault.Say("plan.no_room", "name", order, "driver", driver)
}

// comparedTo returns how much more a plan costs than another one.
func (w *planner) comparedTo(before *planner) MovedOrders {
	now := routing.Price(&w.drawn.Problem, w.plan)
	was := routing.Price(&before.drawn.Problem, before.drawn.Present)
	return MovedOrders{
		Driving: time.Duration(now.Driving-was.Driving) * time.Second,
		Waiting: time.Duration(now.Waiting-was.Waiting) * time.Second,
		Meters:  now.Meters - was.Meters, Drivers: now.Shifts - was.Shifts,
		Unplanned: now.Left + len(w.drawn.Unplannable) - was.Left - len(before.drawn.Unplannable),
		Changed:   before.day.Changed(w.drawn.Routes(w.plan)),
	}
}

// fill gives the orders a place that have none in the plan, as far as there is one: some wait
// for their first plan, and some cannot be in time any more where they were. All others stay
// with their drivers.
func (w *planner) fill() error {
	was := w.plan
	if err := w.improve(func(int) float64 { return 1 }); err != nil {
		return err
	}
	now := w.plan.ShiftOf(len(w.drawn.Orders))
	for r, k := range was.ShiftOf(len(w.drawn.Orders)) {
		if k >= 0 && now[r] != k {
			w.plan = was
			return nil
		}
	}
	if w.legs(w.plan, travel.Bound) > w.legs(was, travel.Bound) { // the next slice asks how long they take
		w.plan = was
	}
	return nil
}

// save locks the orders to their drivers and commits the plan, in one transaction, and
// returns the new version. If the moves do not hold any more, it returns errPlanChanged
// and the present version.
func (w *planner) save(
	ctx context.Context, was planning.Day, m PlanMoves, accepted map[int64]planning.Accepted,
) (version int64, err error) {
	return w.saveWith(ctx, was, &m, func(t *store.Tx, plan store.Plan, _ *planning.Day) error {
		return t.SaveMoved(ctx, store.MoveOf{Plan: plan, Kind: m.kind()}, m.Moves, m.Reason, accepted)
	})
}

// saveWith commits the plan as save does, together with what a person decides.
func (w *planner) saveWith(
	ctx context.Context, was planning.Day, m *PlanMoves, decide func(*store.Tx, store.Plan, *planning.Day) error,
) (version int64, err error) {
	if err := w.fill(); err != nil {
		return 0, err
	}
	solution := w.drawn.Solution(w.plan, w.searched)
	diff := was.Difference(solution)
	moved := make([]int64, len(m.Moves))
	for i, move := range m.Moves {
		moved[i] = move.OrderID
	}
	of := touchedBy(&was, solution, &diff, moved...)
	err = w.operations.store.InTx(ctx, w.caller, func(t *store.Tx) error {
		plan, err := t.LockSeenPlan(ctx, m.Area)
		if err != nil {
			return err
		}
		version = plan.Version
		day, err := w.hold(ctx, t, &was, of)
		if err != nil {
			return err
		}
		if err := m.unmoved(&day); err != nil {
			return err
		}
		merged := was.Merge(solution, &diff, &day)
		isDropped := func(driver int64) bool { return slices.Contains(merged.Dropped, driver) }
		goesToDropped := func(move planning.Move) bool { return isDropped(move.DriverID) }
		if !merged.Makes(m.Moves, &was, &day) || slices.ContainsFunc(m.Moves, goesToDropped) || slices.ContainsFunc(m.drivers, isDropped) {
			return errPlanChanged
		}
		if err := decide(t, plan, &day); err != nil {
			return err
		}
		version = plan.Version + 1
		return t.SavePlan(ctx, plan, &merged.Difference, w.facts(&day, &merged))
	})
	return version, err
}
