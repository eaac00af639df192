package activities

import (
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/domain/simulation"
	"waybill/operations/sandbox"
)

// SimulationOperations are the operations that simulated days need.
type SimulationOperations interface {
	Simulate(ctx context.Context, c caller.Caller, id int64) (sandbox.SimulatedDay, error)
	EndSandboxRun(ctx context.Context, c caller.Caller, id int64, as simulation.State) error
}

// Simulation are the activities of the workflow SimulateDay.
type Simulation struct {
	operations SimulationOperations
}

// NewSimulation returns the activities of simulated days.
func NewSimulation(o SimulationOperations) *Simulation { return &Simulation{operations: o} }

// SimulationInput names a run.
type SimulationInput struct {
	OrgID int64 `json:"orgId"`
	RunID int64 `json:"runId"`
}

// SimulationOutcome is the state of a simulated day.
type SimulationOutcome struct {
	State simulation.State `json:"state"`
	// Orders of the day by progress.
	Orders    int `json:"orders"`
	Delivered int `json:"delivered"`
	Failed    int `json:"failed"`
	Open      int `json:"open"`
	Waiting   int `json:"waiting,omitempty"`
	// Drivers have a route, and OnTheRoad of them have begun it and not ended.
	Drivers   int `json:"drivers"`
	OnTheRoad int `json:"onTheRoad"`
	// Next is when the next driver acts, or nil if none has anything to do.
	Next *time.Time `json:"next,omitempty"`
}

// DriveOn makes the drivers of a run do what is due. It is short, and completes
// even after the server has given it up: nothing is lost or done twice.
func (a *Simulation) DriveOn(ctx context.Context, in SimulationInput) (SimulationOutcome, error) {
	defer heartbeat(ctx)()
	day, err := a.operations.Simulate(context.WithoutCancel(ctx), workflowOf(ctx, in.OrgID), in.RunID)
	if err != nil {
		return SimulationOutcome{}, permanent(ctx, err)
	}
	out := SimulationOutcome{
		State: day.State, Orders: day.Orders.Total, Delivered: day.Orders.Delivered, Failed: day.Orders.Failed,
		Open: day.Orders.Open(), Waiting: day.Orders.Waiting, Drivers: day.Drivers, OnTheRoad: day.OnTheRoad,
	}
	if !day.Next.IsZero() {
		out.Next = &day.Next
	}
	return out, nil
}

// StopDriving ends a run before it is done.
func (a *Simulation) StopDriving(ctx context.Context, in SimulationInput) error {
	err := a.operations.EndSandboxRun(ctx, workflowOf(ctx, in.OrgID), in.RunID, simulation.Stopped)
	return permanent(ctx, err)
}
