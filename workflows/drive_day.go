package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// roads names the activities for the compiler; it stays nil.
var roads *activities.Driving

// DriveInput names a driver's day on the road.
type DriveInput = activities.DriveInput

// DriveStatus is the answer to the status query.
type DriveStatus = activities.DriveOutcome

// DriveDay watches a driver's day on the road, from the first report until the
// driver ends the route or the day is over. It gets a signal for every report,
// and has the timers for what happens without one: the driver approaches a
// stop, will be late, or goes silent. It has the ways that were driven matched
// to streets. The state of the day, and the events already sent, are in the
// database; each check reads them again.
func DriveDay(ctx workflow.Context, in DriveInput) error {
	d := &driveRun{in: in, signals: workflow.GetSignalChannel(ctx, DriveNewsSignal)}
	if err := workflow.SetQueryHandler(ctx, StatusQuery, func() (DriveStatus, error) { return d.status, nil }); err != nil {
		return err
	}
	return d.run(ctx)
}

type driveRun struct {
	in      DriveInput
	status  DriveStatus
	signals workflow.ReceiveChannel
	// again is when a driven leg is matched again; zero is never.
	again time.Time
	// shown is the state that operators find the workflow by.
	shown string
}

// How long a check waits for further reports. A driver reports several things
// in the minute spent at a stop; a simulated one has left by then.
const (
	drivePause     = 5 * time.Second
	simulatedPause = time.Second
)

func (d *driveRun) pause() time.Duration {
	if d.status.Simulated {
		return simulatedPause
	}
	return drivePause
}

func (d *driveRun) run(ctx workflow.Context) error {
	for {
		d.drain()
		if err := d.look(ctx); err != nil {
			return err
		}
		if err := d.match(ctx); err != nil {
			return err
		}
		switch {
		case d.over() && !d.news():
			return nil
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			// Pending signals may be lost here: the new run checks in any case.
			return workflow.NewContinueAsNewError(ctx, DriveDay, d.in)
		}
		if err := d.sleep(ctx); err != nil {
			return err
		}
	}
}

// over reports whether nothing happens any more unless the driver reports something.
func (d *driveRun) over() bool { return d.wake().IsZero() }

// wake returns when to look again if nothing happens; zero is never.
func (d *driveRun) wake() time.Time {
	wake := d.status.Wake
	if wake.IsZero() || !d.again.IsZero() && d.again.Before(wake) {
		return d.again
	}
	return wake
}

func (d *driveRun) news() bool { return d.signals.Len() > 0 }

// drain takes all news: one look at the database sees them all.
func (d *driveRun) drain() {
	for d.signals.ReceiveAsync(nil) {
		continue
	}
}

// look does what is due, and publishes the state of the day.
func (d *driveRun) look(ctx workflow.Context) error {
	var out activities.DriveOutcome
	err := quickThenPatient(ctx, "look where the driver is", roads.LookAtDrive, d.in, &out, func(err error) error {
		tellDelay(ctx, "driver's day", err)
		return nil
	})
	if err != nil {
		return err
	}
	d.status = out
	workflow.SetCurrentDetails(ctx, driveStory(ctx, out))
	if state := string(out.State); state != d.shown {
		d.shown = state
		return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
	}
	return nil
}

// matchTries is how many stretches of work the driven legs get at most before the day is looked
// at again.
const matchTries = 10

// match has the positions of legs that were driven matched to streets. A day is complete without
// that, so it does not wait for a database or a server that is away.
func (d *driveRun) match(ctx workflow.Context) error {
	again := d.again
	d.again = time.Time{}
	if d.status.ToMatch == 0 {
		if again.After(workflow.Now(ctx)) {
			d.again = again
		}
		return nil
	}
	if !matchesDriven(ctx) {
		return nil
	}
	for range matchTries {
		var out activities.MatchOutcome
		err := workflow.ExecuteActivity(onStreets(ctx, "match positions to streets"), roads.MatchDrive, d.in).Get(ctx, &out)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			workflow.GetLogger(ctx).Warn("cannot match positions to streets", "error", err)
			return nil
		}
		d.again = out.Again
		if out.Left == 0 || d.news() {
			return nil
		}
	}
	return nil
}

// sleep waits for a signal and those that follow shortly, or until the next
// check.
func (d *driveRun) sleep(ctx workflow.Context) error {
	wait := d.wake().Sub(workflow.Now(ctx))
	if wait > 0 && !d.news() {
		if err := awaitFor(ctx, wait, "until the next look", d.news); err != nil || !d.news() {
			return err
		}
	}
	return awaitFor(ctx, d.pause(), "until nothing more happens", func() bool { return false })
}
