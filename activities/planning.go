package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// SearchHeartbeat is how often a search sends a heartbeat, and notices
// cancellation.
const SearchHeartbeat = 250 * time.Millisecond

// PlanningOperations are the operations that plans need.
type PlanningOperations interface {
	PlanDay(ctx context.Context, c caller.Caller, slice planningops.PlanningSlice) (planningops.PlannedDay, error)
	ExplainDay(ctx context.Context, c caller.Caller, slice planningops.PlanningSlice) (planningops.ExplainedDay, error)
	DrawDay(ctx context.Context, c caller.Caller, slice planningops.PlanningSlice) (planningops.DrawnDay, error)
	ChooseDays(ctx context.Context, c caller.Caller, slice planningops.PlanningSlice) (planningops.ChosenDays, error)
}

// Planning are the activities of the workflow PlanDay.
type Planning struct {
	operations PlanningOperations
}

// NewPlanning returns the activities of plans.
func NewPlanning(o PlanningOperations) *Planning { return &Planning{operations: o} }

// PlanInput identifies a plan and sets how long to work on it.
type PlanInput struct {
	OrgID        int64 `json:"orgId"`
	DepartmentID int64 `json:"departmentId"`
	// Date is the day, as 2006-01-02.
	Date string `json:"date"`
	// Millis is the duration of the search; 0 means as long as new orders
	// need.
	Millis int64 `json:"millis,omitempty"`
	// Patient does not wait for a bulk import.
	Patient bool `json:"patient,omitempty"`
}

func (in PlanInput) slice(ended <-chan struct{}) (planningops.PlanningSlice, error) {
	date, err := time.Parse(time.DateOnly, in.Date)
	return planningops.PlanningSlice{
		Area:   planning.Area{DepartmentID: in.DepartmentID, Date: date},
		Length: time.Duration(in.Millis) * time.Millisecond, Patient: in.Patient, Ended: ended,
	}, err
}

// PlanOutcome is the state of a plan.
type PlanOutcome struct {
	State     planning.DayState `json:"state"`
	Planned   int               `json:"planned"`
	Unplanned int               `json:"unplanned"`
	Drivers   int               `json:"drivers"`
	Fresh     int               `json:"fresh,omitempty"`
	Told      int               `json:"told,omitempty"`
	// Several counts the orders of which the day may be chosen.
	Several int `json:"several,omitempty"`
	// Why counts the orders that are left over by their first reason.
	Why map[planning.Reason]int `json:"why,omitempty"`
	// Gain is the share of the way that was saved.
	Gain          float64    `json:"gain,omitempty"`
	Travel        string     `json:"travel,omitempty"`
	TravelFailure string     `json:"travelFailure,omitempty"`
	Wake          *time.Time `json:"wake,omitempty"`
}

// ImproveDay improves a plan until its time is over or it is cancelled, and
// commits the result.
func (a *Planning) ImproveDay(ctx context.Context, in PlanInput) (PlanOutcome, error) {
	ended, stop := beat(ctx)
	defer stop()
	slice, err := in.slice(ended)
	if err != nil {
		return PlanOutcome{}, err
	}
	done, err := a.operations.PlanDay(context.WithoutCancel(ctx), workflowOf(ctx, in.OrgID), slice)
	if err != nil {
		return PlanOutcome{}, ending(ctx, err)
	}
	count(ctx, &done)
	out := PlanOutcome{
		State: done.State, Planned: done.Planned, Unplanned: done.Unplanned, Drivers: done.Drivers, Fresh: done.Fresh,
		Told: done.Told, Why: done.Why, Gain: done.Gain, Travel: done.Travel, TravelFailure: done.TravelFailure,
		Several: done.Several,
	}
	if !done.Wake.IsZero() {
		out.Wake = &done.Wake
	}
	return out, nil
}

// count counts in the metrics how often a plan was written, and how often not, because the
// day had changed.
func count(ctx context.Context, done *planningops.PlannedDay) {
	metrics := activity.GetMetricsHandler(ctx)
	if done.Written {
		metrics.Counter("waybill_plan_commits").Inc(1)
	}
	if done.Refused > 0 {
		metrics.Counter("waybill_plan_commits_refused").Inc(int64(done.Refused))
	}
}

// ExplainOutcome is the result of explaining unplanned orders.
type ExplainOutcome struct {
	// Explained counts the orders, and Left those for which there was no time.
	Explained int `json:"explained"`
	Left      int `json:"left,omitempty"`
}

// ExplainDay computes counterfactuals for the orders that a plan leaves
// unplanned.
func (a *Planning) ExplainDay(ctx context.Context, in PlanInput) (ExplainOutcome, error) {
	ended, stop := beat(ctx)
	defer stop()
	slice, err := in.slice(ended)
	if err != nil {
		return ExplainOutcome{}, err
	}
	done, err := a.operations.ExplainDay(context.WithoutCancel(ctx), workflowOf(ctx, in.OrgID), slice)
	return ExplainOutcome(done), ending(ctx, err)
}

// ChooseOutcome is the result of choosing the days of orders.
type ChooseOutcome struct {
	// Moved counts the orders that have another date, and Left those for which there was no time.
	Moved int `json:"moved"`
	Left  int `json:"left,omitempty"`
	// Again is when it is worth looking again.
	Again *time.Time `json:"again,omitempty"`
}

// ChooseDays gives orders that may be carried out on several days the day that costs least. Done again, it
// moves only what has become better.
func (a *Planning) ChooseDays(ctx context.Context, in PlanInput) (ChooseOutcome, error) {
	ended, stop := beat(ctx)
	defer stop()
	slice, err := in.slice(ended)
	if err != nil {
		return ChooseOutcome{}, err
	}
	done, err := a.operations.ChooseDays(context.WithoutCancel(ctx), workflowOf(ctx, in.OrgID), slice)
	out := ChooseOutcome{Moved: done.Moved, Left: done.Left}
	if !done.Again.IsZero() {
		out.Again = &done.Again
	}
	return out, ending(ctx, err)
}

// DrawOutcome is the result of drawing the ways of routes.
type DrawOutcome struct {
	// Drawn counts the legs, and Left those for which there was no time.
	Drawn int `json:"drawn"`
	Left  int `json:"left,omitempty"`
	// Failure says why the server of travel times drew no more.
	Failure string `json:"failure,omitempty"`
	// Corrected counts the legs for which the next plan has another time.
	Corrected int `json:"corrected,omitempty"`
}

// DrawDay has the ways of a plan's routes drawn along streets. Done again, it draws only
// what is new.
func (a *Planning) DrawDay(ctx context.Context, in PlanInput) (DrawOutcome, error) {
	ended, stop := beat(ctx)
	defer stop()
	slice, err := in.slice(ended)
	if err != nil {
		return DrawOutcome{}, err
	}
	done, err := a.operations.DrawDay(context.WithoutCancel(ctx), workflowOf(ctx, in.OrgID), slice)
	return DrawOutcome(done), ending(ctx, err)
}

// ending returns the error with which a search ends. A search that was
// cancelled before it began has done nothing, which is no failure; one whose
// worker stops continues on another, and one that finds no room is tried again
// soon. Any other error of a cancelled search is not retried, and must not end
// its workflow.
func ending(ctx context.Context, err error) error {
	waited, cancelled := errors.Is(err, planningops.ErrEndedWaiting), ctx.Err() != nil
	busy := errors.Is(err, planningops.ErrSeatsTaken)
	switch {
	case cancelled && (err == nil || waited || busy):
		return nil
	case cancelled:
		return ctx.Err()
	case waited:
		return temporal.NewApplicationErrorWithOptions(err.Error(), errTypeStopping, temporal.ApplicationErrorOptions{
			Category: temporal.ApplicationErrorCategoryBenign,
		})
	case busy:
		return temporal.NewApplicationErrorWithOptions(err.Error(), errTypeBusy, temporal.ApplicationErrorOptions{
			Category: temporal.ApplicationErrorCategoryBenign, NextRetryDelay: busyPause,
		})
	}
	return permanent(ctx, err)
}

// A search for which there is no room waits outside the worker, so that the others do not wait behind it.
const (
	errTypeBusy = "Busy"
	busyPause   = 3 * time.Second
)

// errTypeStopping is the type of the error of a search whose worker is to stop.
const errTypeStopping = "Stopping"

// beat sends heartbeats until stop is called. ended is closed when the search is
// cancelled, or its worker is stopping.
func beat(ctx context.Context) (ended <-chan struct{}, stop func()) {
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		tick := time.NewTicker(SearchHeartbeat)
		defer tick.Stop()
		cancelled, stopping := ctx.Done(), activity.GetWorkerStopChannel(ctx)
		for {
			select {
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
				continue
			case <-done:
				return
			case <-cancelled:
			case <-stopping:
			}
			close(end)
			cancelled, stopping = nil, nil // heartbeats continue while the result is stored
		}
	}()
	return end, func() { close(done) }
}
