package sandbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/simulation"
	"waybill/store"
)

// SimulatedDay is where a simulated day stands.
type SimulatedDay struct {
	store.SandboxRun

	// Next is when the next driver does something; zero when nobody has anything to
	// do for now.
	Next time.Time
}

// How many drivers of a simulated day send at once, how many actions each sends at
// least before others have their turn, and how far apart the times are at which a driver
// on the way sends positions.
const (
	driversAtOnce  = 4
	actionsAtOnce  = 8
	positionsApart = 5 * time.Second
)

// How long a run waits for orders to be planned, before anything was driven and
// after that.
const (
	patienceAtFirst = time.Minute
	patience        = 20 * time.Second
)

// Simulate has the drivers of a run do what they would have done by now, as their
// telephones would say it, and ends the run when nobody has anything to do any more.
// Everything follows from the plan and from what was done before: done again it only
// does what is due since.
func (o *Operations) Simulate(ctx context.Context, c caller.Caller, id int64) (SimulatedDay, error) {
	day, err := o.simulate(ctx, c, id)
	if err != nil {
		return SimulatedDay{}, fmt.Errorf("simulate run %d: %w", id, err)
	}
	return day, nil
}

func (o *Operations) simulate(ctx context.Context, c caller.Caller, id int64) (SimulatedDay, error) {
	run, err := o.store.SandboxRun(ctx, c.OrgID, id)
	if err != nil || run.State != simulation.Running {
		return SimulatedDay{SandboxRun: run}, err
	}
	if is, err := o.store.IsSandbox(ctx, c.OrgID); err != nil || !is {
		return o.endSimulation(ctx, c, id, simulation.Stopped, err)
	}
	drivers, err := o.store.SimulatedDrivers(ctx, &run.Run)
	if err != nil {
		return SimulatedDay{}, err
	}
	now := o.now().UTC()
	if err := o.startClock(ctx, c, &run, drivers, now); err != nil {
		return SimulatedDay{}, err
	}
	nexts := make([]time.Time, len(drivers))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(driversAtOnce)
	for i := range drivers {
		group.Go(func() (err error) {
			nexts[i], err = o.simulateDriver(within, c, &run.Run, &drivers[i], now)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return SimulatedDay{}, err
	}
	next, last := soonest(nexts), lastDone(&run.Run, drivers)
	if next.IsZero() && idle(&run, now.Sub(last), len(drivers) > 0 || last.After(run.Started)) {
		return o.endSimulation(ctx, c, id, simulation.Done, nil)
	}
	run, err = o.store.SandboxRun(ctx, c.OrgID, id)
	return SimulatedDay{SandboxRun: run, Next: next}, err
}

// startClock has the clock of a run begin with the first look at which somebody has a
// route.
func (o *Operations) startClock(
	ctx context.Context, c caller.Caller, run *store.SandboxRun, drivers []simulation.Driver, now time.Time,
) error {
	planned := func(d simulation.Driver) bool { return !d.SetsOut.IsZero() }
	if run.Clock.Runs() || !slices.ContainsFunc(drivers, planned) {
		return nil
	}
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return t.StartSandboxClock(ctx, &run.Run, now) })
	if err == nil {
		*run, err = o.store.SandboxRun(ctx, c.OrgID, run.ID)
	}
	return err
}

// endSimulation ends a run, unless something went wrong before.
func (o *Operations) endSimulation(
	ctx context.Context, c caller.Caller, id int64, as simulation.State, err error,
) (SimulatedDay, error) {
	if err == nil {
		err = o.EndSandboxRun(ctx, c, id, as)
	}
	if err != nil {
		return SimulatedDay{}, err
	}
	run, err := o.store.SandboxRun(ctx, c.OrgID, id)
	return SimulatedDay{SandboxRun: run}, err
}

// idle reports whether a run in which nobody has anything to do is over: nothing
// waits for its plan, or it has waited for too long.
func idle(run *store.SandboxRun, since time.Duration, driven bool) bool {
	if run.Orders.Waiting == 0 && run.Orders.Total > 0 {
		return true
	}
	if driven {
		return since >= patience
	}
	return since >= patienceAtFirst
}

// simulateDriver sends what a driver has done until now, and where he is, and
// returns when he does something next; zero is never.
func (o *Operations) simulateDriver(
	ctx context.Context, c caller.Caller, run *simulation.Run, d *simulation.Driver, now time.Time,
) (time.Time, error) {
	due, next := run.Steps(d, now)
	until := now
	if len(due) > 0 {
		until = due[0].At
	} else if d.Was != nil && now.Sub(d.Was.At) < positionsApart {
		return next, nil
	}
	if noted := run.Positions(d, until); len(noted) > 0 {
		if _, err := o.driving.RecordPositions(ctx, c, d.ID, noted); err != nil {
			return next, err
		}
	}
	if len(due) == 0 {
		return next, nil
	}
	if some := few(due); len(some) < len(due) {
		due, next = some, now
	}
	actions := make([]driving.DriverAction, len(due))
	for i := range due {
		actions[i] = simulatedAction(d.ID, &due[i], now)
	}
	if next.IsZero() {
		next = now // what comes of it is looked at once more
	}
	_, err := o.driving.Act(ctx, c, actions)
	return next, err
}

// few are the first of some steps, so that nobody waits for long: what happens at one
// stop stays together, because what is left of it is not worked out again.
func few(due []simulation.Step) []simulation.Step {
	n := min(actionsAtOnce, len(due))
	for n < len(due) && due[n].StopID == due[n-1].StopID {
		n++
	}
	return due[:n]
}

// simulatedAction is a step as a telephone would say it.
func simulatedAction(driver int64, s *simulation.Step, now time.Time) driving.DriverAction {
	a := driving.DriverAction{
		ID: s.ID, DriverID: driver, Deed: s.Deed, StopID: s.StopID, Clock: s.At, Sent: now, Position: s.Position,
		Reason: s.Reason, Comment: s.Comment, Products: s.Products, Simulated: true,
	}
	if s.Deed == driving.Deliver {
		a.Proof = &driving.Proof{Signee: s.Signee, Comment: "Simulated"}
	}
	return a
}

// soonest is the first of some moments; zeros do not count.
func soonest(moments []time.Time) (first time.Time) {
	for _, m := range moments {
		if !m.IsZero() && (first.IsZero() || m.Before(first)) {
			first = m
		}
	}
	return first
}

// lastDone is when somebody did something last in a run.
func lastDone(run *simulation.Run, drivers []simulation.Driver) time.Time {
	last := run.Started
	for i := range drivers {
		if drivers[i].Last.After(last) {
			last = drivers[i].Last
		}
	}
	return last
}
