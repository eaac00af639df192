// Package sandbox drives the days of sandboxes: simulated drivers do what real ones would do.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/simulation"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store   *store.Store
	now     func() time.Time
	driving Driving
}

// Driving takes what drivers do.
type Driving interface {
	Act(ctx context.Context, c caller.Caller, actions []driving.DriverAction) ([]driving.ActionAnswer, error)
	RecordPositions(
		ctx context.Context, c caller.Caller, driverID int64, positions []driving.Position,
	) (kept int, err error)
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, drives Driving) *Operations {
	return &Operations{store: s, now: now, driving: drives}
}

// SandboxAsk is a day that is to be driven by itself.
type SandboxAsk struct {
	// Day is nil for the first day with something to drive.
	Day       *time.Time
	Pace      int
	Incidents int
	// Trouble is none when it is empty.
	Trouble simulation.Trouble
	// Realistic has driving, docks and drivers differ from the plan.
	Realistic bool
}

// The bounds of what may be asked for, and what counts when nothing is said.
const (
	FastestSandboxPace = 10_000
	UsualSandboxPace   = 60
)

// StartSandboxRun begins to drive a day of a sandbox, and reports whether it was
// this call that did. A day that is being driven already goes on as it was begun, and
// another day than that has to wait.
func (o *Operations) StartSandboxRun(
	ctx context.Context, c caller.Caller, ask SandboxAsk,
) (run store.SandboxRun, started bool, err error) {
	var id int64
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		id, started = 0, false
		now := o.now().UTC().Truncate(time.Microsecond)
		is, today, err := t.LockSandbox(ctx, now)
		if err != nil {
			return err
		}
		if !is {
			return illegalRun(fault.Say("sandbox.none"))
		}
		day, err := dayToDrive(ctx, t, ask.Day, today)
		if err != nil {
			return err
		}
		running, err := t.RunningSandboxRun(ctx)
		if !errors.Is(err, store.ErrNotFound) {
			if id = running.ID; err == nil && ask.Day != nil && !running.Day.Equal(day) {
				err = illegalRun(fault.Say("sandbox.busy", "day", running.Day.Format(time.DateOnly)))
			}
			return err
		}
		if day.IsZero() {
			return illegalRun(fault.Say("sandbox.nothing"))
		}
		started = true
		id, err = addRun(ctx, t, c.OrgID, &simulation.Run{
			Day: day, Pace: ask.Pace, Incidents: ask.Incidents, Started: now, Trouble: cmp.Or(ask.Trouble, simulation.NoTrouble),
			Realistic: ask.Realistic,
		})
		return err
	})
	if err != nil {
		return store.SandboxRun{}, false, fmt.Errorf("start a run of the sandbox: %w", err)
	}
	run, err = o.store.SandboxRun(ctx, c.OrgID, id)
	return run, started, err
}

// addRun keeps a run that begins, with its event, and returns its id.
func addRun(ctx context.Context, t *store.Tx, org int64, run *simulation.Run) (int64, error) {
	id, err := t.AddSandboxRun(ctx, run)
	if err != nil {
		return 0, err
	}
	begun := event.Organization{ID: org}.SandboxRun(event.SandboxRunStarted, run.Day.Format(time.DateOnly))
	return id, t.Append(ctx, begun)
}

// dayToDrive is the day that is asked for, or else the first with something to
// drive; zero when there is none.
func dayToDrive(ctx context.Context, t *store.Tx, asked *time.Time, today time.Time) (time.Time, error) {
	if asked == nil {
		day, err := t.FirstDayToDrive(ctx, today)
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return day, err
	}
	if asked.Before(today) {
		return time.Time{}, fault.Violated([]fault.Violation{{Field: "date", Text: fault.Say("sandbox.past")}})
	}
	return *asked, nil
}

// illegalRun refuses to drive.
func illegalRun(why fault.Text) error {
	return &fault.Error{Kind: fault.IllegalState, Resource: "sandbox_run", Text: why}
}

// SandboxRun returns how far a run is.
func (o *Operations) SandboxRun(ctx context.Context, org, id int64) (store.SandboxRun, error) {
	return o.store.SandboxRun(ctx, org, id)
}

// LastSandboxRun returns how far the last run of a day is, or the last of all when
// the day is nil.
func (o *Operations) LastSandboxRun(ctx context.Context, org int64, day *time.Time) (store.SandboxRun, error) {
	is, err := o.store.IsSandbox(ctx, org)
	if err == nil && !is {
		err = illegalRun(fault.Say("sandbox.none"))
	}
	if err != nil {
		return store.SandboxRun{}, err
	}
	return o.store.LastSandboxRun(ctx, org, day)
}

// EndSandboxRun ends a run; one that is over stays as it is.
func (o *Operations) EndSandboxRun(ctx context.Context, c caller.Caller, id int64, as simulation.State) error {
	run, err := o.store.SandboxRun(ctx, c.OrgID, id)
	if err != nil {
		return err
	}
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		ended, err := t.EndSandboxRun(ctx, id, as, o.now())
		if err != nil || !ended {
			return err
		}
		day := run.Day.Format(time.DateOnly)
		return t.Append(ctx, event.Organization{ID: c.OrgID}.SandboxRun(event.SandboxRunEnded, day))
	})
}
