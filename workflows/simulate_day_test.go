package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/simulation"
	"waybill/workflows"
)

var simulationInput = workflows.SimulationInput{OrgID: 1, RunID: 3, Date: "2026-03-02", Pace: 60}

// simulationBundle runs the workflow of one simulated day on skipped time.
type simulationBundle struct {
	env *testsuite.TestWorkflowEnvironment
	// outcome is the result of each check, and when it was.
	outcome func(look int) (activities.SimulationOutcome, error)
	at      []time.Duration
	stopped int
}

func setupSimulation(t *testing.T) *simulationBundle {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &simulationBundle{env: newEnvironment(&suite)}
	workflows.Register(b.env)
	start := b.env.Now()
	acts := &activities.Simulation{}
	b.env.OnActivity(acts.DriveOn, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.SimulationInput) (activities.SimulationOutcome, error) {
			require.Equal(t, activities.SimulationInput{OrgID: 1, RunID: 3}, in)
			b.at = append(b.at, b.env.Now().Sub(start))
			return b.outcome(len(b.at))
		})
	b.env.OnActivity(acts.StopDriving, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.SimulationInput) error { b.stopped++; return nil })
	return b
}

func (b *simulationBundle) run() { b.env.ExecuteWorkflow(workflows.SimulateDay, simulationInput) }

// in returns a day on which a driver acts after some time.
func (b *simulationBundle) in(after time.Duration) (activities.SimulationOutcome, error) {
	return drivingOutcome(b.env.Now().Add(after)), nil
}

func done() (activities.SimulationOutcome, error) {
	return activities.SimulationOutcome{State: simulation.Done, Orders: 12, Delivered: 11, Failed: 1}, nil
}

func TestSimulateDay(t *testing.T) {
	t.Parallel()

	t.Run("LooksWhenSomethingIsDueAndEndsWithTheDay", func(t *testing.T) {
		t.Parallel()
		b := setupSimulation(t)
		b.outcome = func(look int) (activities.SimulationOutcome, error) {
			switch look {
			case 1:
				return b.in(2 * time.Second)
			case 2:
				return b.in(-time.Second) // more to do at once
			case 3:
				return b.in(time.Hour)
			case 4:
				return drivingOutcome(time.Time{}), nil // nothing to do for now
			}
			return done()
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []time.Duration{0, 2 * time.Second, 2500 * time.Millisecond, 7500 * time.Millisecond, 8500 * time.Millisecond}, b.at)
		require.Equal(t, "**11 orders** of 12 delivered, 1 failed, 0 still to do.\n\n"+
			"The day is done: nobody has anything to do any more.", details(t, b.env))
		require.Zero(t, b.stopped)
	})

	t.Run("SaysWhereItStands", func(t *testing.T) {
		t.Parallel()
		b := setupSimulation(t)
		b.outcome = func(look int) (activities.SimulationOutcome, error) {
			if look == 1 {
				return b.in(time.Second)
			}
			require.Equal(t, "**3 orders** of 12 delivered, 1 failed, 7 still to do.\n\n"+
				"**3 drivers** of 4 on the road, at pace 60.\n\n1 order waits for the plan.", details(t, b.env))
			answer, err := b.env.QueryWorkflow(workflows.StatusQuery)
			require.NoError(t, err)
			var status workflows.SimulationStatus
			require.NoError(t, answer.Get(&status))
			require.Equal(t, 3, status.Delivered)
			return done()
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.at, 2)
	})

	t.Run("StopsDrivingWhenItIsCancelled", func(t *testing.T) {
		t.Parallel()
		b := setupSimulation(t)
		b.outcome = func(int) (activities.SimulationOutcome, error) { return b.in(time.Hour) }
		b.env.RegisterDelayedCallback(b.env.CancelWorkflow, 12*time.Second)
		b.run()
		require.True(t, temporal.IsCanceledError(b.env.GetWorkflowError()))
		require.Equal(t, 1, b.stopped)
		require.Equal(t, []time.Duration{0, 5 * time.Second, 10 * time.Second}, b.at)
		require.Contains(t, details(t, b.env), "It was stopped.")
	})

	t.Run("ContinuesAsNewWithWhatItIsAbout", func(t *testing.T) {
		t.Parallel()
		b := setupSimulation(t)
		b.env.SetContinueAsNewSuggested(true)
		b.outcome = func(int) (activities.SimulationOutcome, error) { return b.in(time.Second) }
		b.run()
		var again *workflow.ContinueAsNewError
		require.ErrorAs(t, b.env.GetWorkflowError(), &again)
		var in workflows.SimulationInput
		require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(again.Input, &in))
		require.Equal(t, simulationInput, in)
	})
}
