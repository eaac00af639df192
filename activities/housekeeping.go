package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/domain/order"
	"waybill/internal/wait"
	housekeepingops "waybill/operations/housekeeping"
	"waybill/store"
)

// HousekeepingOperations are the operations that housekeeping needs.
type HousekeepingOperations interface {
	KeepHouse(ctx context.Context, duty housekeeping.Duty, dry bool) (housekeeping.Batch, error)
	Lives(ctx context.Context, duty housekeeping.Duty, mark string) (housekeepingops.Lives, error)
	LivesMark(ctx context.Context, duty housekeeping.Duty) (string, error)
	SetLivesMark(ctx context.Context, duty housekeeping.Duty, mark string, failed int) error
}

// ImportEnder ends imports whose workflow is missing.
type ImportEnder interface {
	EndImport(ctx context.Context, c caller.Caller, importID int64, as order.ImportEnd) error
}

// Lives finds missing or failed workflows, and restarts them.
type Lives interface {
	Look(ctx context.Context, duty housekeeping.Duty, lives []housekeeping.Life) (housekeeping.Look, error)
	Start(ctx context.Context, duty housekeeping.Duty, life housekeeping.Life) error
}

// Housekeeping are the activities of the workflow Housekeeping.
type Housekeeping struct {
	operations HousekeepingOperations
	imports    ImportEnder
	lives      Lives
	// note is called with the result of each step of a duty.
	note func(duty housekeeping.Duty, done int, err error)
}

// NewHousekeeping returns the activities of housekeeping. note is called with the
// result of each step of a duty; it may be nil.
func NewHousekeeping(
	o HousekeepingOperations, imports ImportEnder, lives Lives, note func(duty housekeeping.Duty, done int, err error),
) *Housekeeping {
	if note == nil {
		note = func(housekeeping.Duty, int, error) {}
	}
	return &Housekeeping{operations: o, imports: imports, lives: lives, note: note}
}

// HouseInput names a duty.
type HouseInput struct {
	Duty housekeeping.Duty `json:"duty"`
}

// houseTurn is for how long a duty is carried out at a time, and housePause how long
// others have the database between two steps.
const (
	houseTurn  = 30 * time.Second
	housePause = 20 * time.Millisecond
)

// KeepHouse carries out a duty for a while, step by step. A duty unknown to this
// release is left to others.
func (a *Housekeeping) KeepHouse(ctx context.Context, in HouseInput) (all housekeeping.Batch, err error) {
	var so progress
	defer heartbeatWith(ctx, so.done)()
	if !in.Duty.Known() {
		return all, temporal.NewApplicationError(fmt.Sprintf("unknown housekeeping duty %q", in.Duty), errTypeUnknownDuty)
	}
	for end := time.Now().Add(houseTurn); ; {
		step, err := a.step(ctx, in.Duty)
		all.Done, all.Left = all.Done+step.Done, step.Left
		so.add(step.Done)
		a.note(in.Duty, step.Done, err)
		switch {
		case errors.Is(err, store.ErrStillNeeded):
			return all, temporal.NewNonRetryableApplicationError(err.Error(), errTypeStillNeeded, err)
		case err != nil:
			return all, permanent(ctx, err)
		case !step.Left || time.Now().After(end) || !wait.For(ctx, housePause):
			return all, ctx.Err()
		}
	}
}

func (a *Housekeeping) step(ctx context.Context, duty housekeeping.Duty) (housekeeping.Batch, error) {
	if duty.Kind() == "" {
		return a.operations.KeepHouse(ctx, duty, false)
	}
	return a.lookAfter(ctx, duty)
}

// lookAfter restarts missing workflows: it checks a part of all records, starting
// after the last one checked.
func (a *Housekeeping) lookAfter(ctx context.Context, duty housekeeping.Duty) (done housekeeping.Batch, err error) {
	mark, err := a.operations.LivesMark(ctx, duty)
	if err != nil {
		return done, err
	}
	lives, err := a.operations.Lives(ctx, duty, mark)
	if err != nil {
		return done, err
	}
	seen, err := a.lives.Look(ctx, duty, lives.All)
	if err != nil {
		return done, err
	}
	for _, life := range seen.Gone {
		if err := a.mend(ctx, duty, life); err != nil {
			return done, err
		}
		done.Done++
	}
	done.Left = lives.Next != ""
	return done, a.operations.SetLivesMark(ctx, duty, lives.Next, seen.Failed)
}

// mend restarts the workflow of a record, or ends the record if its workflow
// must not restart.
func (a *Housekeeping) mend(ctx context.Context, duty housekeeping.Duty, life housekeeping.Life) error {
	activity.GetLogger(ctx).Warn("workflow missing", "duty", duty, "organization", life.OrgID, "id", life.ID)
	if duty == housekeeping.LiveImports {
		return a.imports.EndImport(ctx, workflowOf(ctx, life.OrgID), life.ID, order.ImportFailed)
	}
	return a.lives.Start(ctx, duty, life)
}

const (
	// errTypeUnknownDuty is the error type of a worker that is too old for a
	// duty.
	errTypeUnknownDuty = "UnknownDuty"
	// errTypeStillNeeded is the error type of a duty that must not delete its
	// data yet.
	errTypeStillNeeded = "StillNeeded"
)
