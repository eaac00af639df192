package planning

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store"
)

// PlanPreview asks how good the plan of an area could be.
type PlanPreview struct {
	Area planning.Area
	// Length is for how long is searched.
	Length time.Duration
	// FromScratch forgets the present sequence, and who had which order.
	FromScratch bool
	// Scenario is what would be different; a plan for that cannot be accepted.
	Scenario planning.Scenario
}

// PreviewedPlan compares the plan with what was found beside it.
type PreviewedPlan struct {
	// ID is that by which the preview can be accepted, for an hour; 0 in a scenario.
	ID      int64
	Version int64
	Before  planning.PlanFigures
	After   planning.PlanFigures
	Changed []planning.ChangedRoute
}

// seatPatience is how long a preview waits until other searches are done.
const seatPatience = 10 * time.Second

// PreviewPlan searches for a better plan beside the present one, and changes nothing. One
// without a scenario is kept for an hour, so that it can be accepted. The search
// takes the seat of a planner, and gives it up when a change waits for its plan.
func (o *Operations) PreviewPlan(ctx context.Context, c caller.Caller, p PlanPreview) (PreviewedPlan, error) {
	before, err := o.seenPlan(ctx, c, p.Area, concern{all: true})
	if err != nil {
		return PreviewedPlan{}, err
	}
	if err := before.canTry(ctx, &p.Scenario); err != nil {
		return PreviewedPlan{}, err
	}
	release, err := o.seatOfPreview(ctx, c.OrgID)
	if err != nil {
		return PreviewedPlan{}, err
	}
	defer release()
	day := before.day.In(&p.Scenario)
	day.Fresh = day.Fresh || p.FromScratch
	after := before.another()
	if err := after.draft(ctx, day); err != nil {
		return PreviewedPlan{}, err
	}
	if err := after.search(PlanningSlice{Length: p.Length, Ended: ctx.Done()}); err != nil {
		return PreviewedPlan{}, err
	}
	if err := after.ascertain(ctx); err != nil {
		return PreviewedPlan{}, err
	}
	routes := after.drawn.Routes(after.plan)
	found := PreviewedPlan{
		Version: before.day.Version, Before: before.day.Sum(before.day.Routes), After: day.Sum(routes),
		Changed: before.day.Changed(routes),
	}
	if !p.Scenario.Empty() {
		return found, ctx.Err()
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		plan, err := t.LockSeenPlan(ctx, p.Area)
		if err == nil {
			found.ID, err = t.KeepPreview(ctx, plan, before.day.Becomes(routes))
		}
		return err
	})
	return found, err
}

// seatOfPreview takes the seat of a planner, unless they are all busy for too long.
func (o *Operations) seatOfPreview(ctx context.Context, org int64) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, seatPatience)
	defer cancel()
	release, err = o.planners.take(waiting, org, false, nil)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &fault.Error{Kind: fault.Unavailable, Text: fault.Say("plan.planners_busy")}
	}
	return release, err
}

// canTry refuses a scenario with drivers who do not work, or orders of other plans, and reads what its drivers have.
func (w *planner) canTry(ctx context.Context, s *planning.Scenario) error {
	drivers, orders := s.Unknown(&w.day)
	if len(drivers)+len(orders) == 0 {
		return w.equip(ctx, s)
	}
	names, err := w.operations.store.NamesInPlans(ctx, w.caller.OrgID, store.PlanIDs{Drivers: drivers, Orders: orders})
	if err != nil {
		return err
	}
	var problems []fault.Violation
	for _, id := range drivers {
		problems = append(problems, fault.Violation{
			Field: "scenario.drivers", Text: fault.Say("plan.no_workday", "driver", nameOr(names.Drivers, id)),
		})
	}
	for _, id := range orders {
		problems = append(problems, fault.Violation{
			Field: "scenario.windows", Text: fault.Say("plan.order_elsewhere", "name", nameOr(names.Orders, id)),
		})
	}
	return fault.Violated(problems)
}

// equip reads what drivers have with the vehicles of a scenario, and refuses vehicle types that do not exist.
func (w *planner) equip(ctx context.Context, s *planning.Scenario) (err error) {
	tries := s.Tries()
	s.Equipment, err = w.operations.store.EquipmentOf(ctx, w.caller.OrgID, w.day.Date, w.day.LoadDimensions, tries)
	if err != nil {
		return err
	}
	var problems []fault.Violation
	for _, like := range tries {
		if _, known := s.Equipment[like]; !known {
			problems = append(problems, fault.Violation{
				Field: "scenario.vehicles", Text: fault.Say("plan.no_vehicle_type", "id", strconv.FormatInt(like.VehicleTypeID, 10)),
			})
		}
	}
	return fault.Violated(problems)
}

// AcceptPreview commits a plan that PreviewPlan has found, as long as no route that it
// changes is another one by now, and returns what that changes.
func (o *Operations) AcceptPreview(
	ctx context.Context, c caller.Caller, area planning.Area, id int64,
) (accepted MovedOrders, err error) {
	retries, err := untilUnchanged(func() (version int64, err error) {
		accepted, err = o.acceptPreview(ctx, c, area, id)
		return accepted.Version, err
	})
	accepted.Retries = retries
	return accepted, err
}

func (o *Operations) acceptPreview(
	ctx context.Context, c caller.Caller, area planning.Area, id int64,
) (accepted MovedOrders, err error) {
	before, err := o.seenPlan(ctx, c, area, concern{all: true})
	if err != nil {
		return accepted, err
	}
	accepted.Version = before.day.Version
	becomes, err := o.store.Preview(ctx, c.OrgID, area, id)
	if err != nil {
		return accepted, err
	}
	if !before.day.Still(becomes) {
		return accepted, stale(before.day.Version)
	}
	after, err := before.onRealTimes(ctx, func() (*planner, error) { return before.become(ctx, becomes) })
	if err != nil {
		return accepted, err
	}
	accepted = after.comparedTo(before)
	m := PlanMoves{Area: area, Seen: before.day.Version, Overrule: true, drivers: changedDrivers(becomes)}
	accepted.Version, err = after.saveWith(ctx, before.day, &m, func(t *store.Tx, _ store.Plan, _ *planning.Day) error {
		return t.DeletePreview(ctx, id)
	})
	accepted.Applied = err == nil
	return accepted, err
}

// become is the plan that a preview found. It may be too late for some of it by now.
func (w *planner) become(ctx context.Context, becomes []planning.Becoming) (*planner, error) {
	after := w.another()
	if err := after.draft(ctx, w.day); err != nil {
		return nil, err
	}
	after.plan, after.searched = after.drawn.Become(becomes), w.day.Searched
	if len(routing.Broken(&after.drawn.Problem, after.plan)) > 0 {
		return nil, stale(w.day.Version)
	}
	return after, nil
}

func changedDrivers(becomes []planning.Becoming) []int64 {
	drivers := make([]int64, len(becomes))
	for i := range becomes {
		drivers[i] = becomes[i].DriverID
	}
	slices.Sort(drivers)
	return drivers
}
