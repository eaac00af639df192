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

// SimulationInput names a day of a sandbox that drives by itself.
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

// SimulateDay has the drivers of a sandbox carry out the plan of a day: again and
// again it has done what is due, and waits until the next of them does something. How
// far everybody is follows from the database each time, and so does what changes
// meanwhile. It ends when nobody has anything to do any more, and stops driving when it
// is cancelled.
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

// Between two looks at a day lies at least and at most this long, because positions of
// those who are on the way are told in between. While nobody has anything to do, orders
// get their plans, and this is looked at so often.
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

// stop notes that nobody drives any more.
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

// show keeps where the day stands, for people and searches.
func (s *simulationRun) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, simulationStory(s.in, s.status))
	state := string(s.status.State)
	if state == s.shown {
		return nil
	}
	s.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}
