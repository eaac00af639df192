package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/simulation"
)

// drives names the activities for the compiler; it stays nil.
var drives *activities.Simulation

// SimulationInput identifies a simulated sandbox day.
type SimulationInput struct {
	OrgID int64 `json:"orgId"`
	RunID int64 `json:"runId"`
	// Date is the day, as 2006-01-02.
	Date string `json:"date"`
	// Pace is how many minutes of the plan pass in one.
	Pace int `json:"pace"`
}

// SimulationStatus is the answer to the status query.
type SimulationStatus = activities.SimulationOutcome

// SimulateDay makes the drivers of a sandbox carry out the plan of a day: in a
// loop, it does what is due, and waits until the next driver acts. Each time it
// reads the progress and changes from the database. It ends when no driver has
// anything left to do, or when it is cancelled.
func SimulateDay(ctx workflow.Context, in SimulationInput) error {
	s := &simulationRun{in: in}
	if err := workflow.SetQueryHandler(ctx, StatusQuery, func() (SimulationStatus, error) { return s.status, nil }); err != nil {
		return err
	}
	err := s.run(ctx)
	if !temporal.IsCanceledError(err) {
		return err
	}
	if stopped := s.stop(ctx); stopped != nil {
		return stopped
	}
	return err
}

type simulationRun struct {
	in     SimulationInput
	status SimulationStatus
	shown  string
}

// The shortest and longest time between two looks at a day, because positions of
// drivers on their way are reported in between; and the interval while no driver has
// anything to do, so that orders get their plans.
const (
	shortestLook = 500 * time.Millisecond
	longestLook  = 5 * time.Second
	idleLook     = time.Second
)

func (s *simulationRun) run(ctx workflow.Context) error {
	for {
		input := activities.SimulationInput{OrgID: s.in.OrgID, RunID: s.in.RunID}
		var out activities.SimulationOutcome
		err := workflow.ExecuteActivity(patient(ctx, "drive on"), drives.DriveOn, input).Get(ctx, &out)
		if err != nil {
			return err
		}
		s.status = out
		if err := s.show(ctx); err != nil || out.State != simulation.Running {
			return err
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, SimulateDay, s.in)
		}
		if err := workflow.Sleep(ctx, s.pause(ctx)); err != nil {
			return err
		}
	}
}

// pause is how long nothing is due.
func (s *simulationRun) pause(ctx workflow.Context) time.Duration {
	if s.status.Next == nil {
		return idleLook
	}
	return min(max(s.status.Next.Sub(workflow.Now(ctx)), shortestLook), longestLook)
}

// stop records that the simulation has stopped.
func (s *simulationRun) stop(ctx workflow.Context) error {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	input := activities.SimulationInput{OrgID: s.in.OrgID, RunID: s.in.RunID}
	if err := workflow.ExecuteActivity(patient(ctx, "stop driving"), drives.StopDriving, input).Get(ctx, nil); err != nil {
		return err
	}
	s.status.State = simulation.Stopped
	return s.show(ctx)
}

// show publishes the state of the day to operators and searches.
func (s *simulationRun) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, simulationStory(s.in, s.status))
	state := string(s.status.State)
	if state == s.shown {
		return nil
	}
	s.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}
