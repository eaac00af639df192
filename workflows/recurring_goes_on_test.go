package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/recurring"
	"waybill/workflows"
)

// runToTheNext runs a template until it continues as new, and returns the
// input of the next run.
func (b *template) runToTheNext() workflows.RecurringInput {
	b.t.Helper()
	b.env.ExecuteWorkflow(workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 3})
	var next *workflow.ContinueAsNewError
	require.ErrorAs(b.t, b.env.GetWorkflowError(), &next)
	require.Equal(b.t, workflows.RecurringOrderType, next.WorkflowType.Name)
	var in workflows.RecurringInput
	require.NoError(b.t, converter.GetDefaultDataConverter().FromPayloads(next.Input, &in))
	return in
}

func TestRecurringOrderContinuesAsNew(t *testing.T) {
	t.Parallel()

	// The server suggests a new run while the third look is under way.
	setup := func(t *testing.T, meanwhile func(*template)) *template {
		b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
		b.duringLook[3] = func() {
			b.env.SetContinueAsNewSuggested(true)
			meanwhile(b)
		}
		return b
	}

	t.Run("WithWhereItStands", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(*template) {})
		in := b.runToTheNext()
		status := b.status()
		require.Equal(t, workflows.RecurringInput{OrgID: 1, TemplateID: 3, Carried: &status}, in)
		require.Equal(t, "ACTIVE", status.State)
		require.Equal(t, 3, status.Runs)
		require.NotZero(t, status.Last.WakeAt)
		require.Len(t, b.days, 4, "what was begun is done first")
	})

	t.Run("WithASignalThatCameWhileItWorked", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(b *template) { b.env.SignalWorkflow(workflows.PauseSignal, nil) })
		require.Equal(t, workflows.PauseSignal, b.runToTheNext().Pending)
	})

	t.Run("WithASignalThatNobodyHasReceived", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(b *template) { b.env.SignalWorkflowSkippingWorkflowTask(workflows.PauseSignal, nil) })
		require.Equal(t, workflows.PauseSignal, b.runToTheNext().Pending)
	})

	t.Run("AfterAChangeThatWaitedForItsTurn", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(b *template) { b.send(1) })
		b.endsOn("2027-04-01")
		b.saves[1] = recurring.Change{NoEnd: true}
		in := b.runToTheNext()
		require.Equal(t, 2, b.answered)
		require.Nil(t, b.now.End, "it is made")
		require.NotNil(t, in.Carried)
	})

	t.Run("FromCarriedState", func(t *testing.T) {
		t.Parallel()
		b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates()
		b.endsOn("2027-03-05")
		b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.ResumeSignal, nil) }, day)
		b.env.ExecuteWorkflow(workflows.RecurringOrder, workflows.RecurringInput{
			OrgID: 1, TemplateID: 3, Pending: workflows.PauseSignal,
			Carried: &workflows.RecurringStatus{State: "ACTIVE", Runs: 41},
		})
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []string{"2027-03-02", "2027-03-03", "2027-03-04", "2027-03-05"}, b.days,
			"the pause that was asked for came first")
		require.Equal(t, 41+len(b.days)-1, b.status().Runs)
		require.Zero(t, b.looks[0].Sub(b.now.Start), "it does not wait for a save")
	})
}

func TestRecurringOrderDoesNotEnd(t *testing.T) {
	t.Parallel()

	// The template is inactive when it is first looked at.
	setup := func(t *testing.T) *template {
		b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
		b.endsOn("2027-03-05")
		b.now.Active = false
		return b
	}

	t.Run("BeforeAChangeThatWaitedForItsTurnIsMade", func(t *testing.T) {
		t.Parallel()
		b, active := setup(t), true
		b.saves[1] = recurring.Change{Active: &active}
		b.duringLook[1] = func() { b.send(1) }
		b.run()
		require.Equal(t, 2, b.answered)
		require.Equal(t, calendar(t, "2027-03-01", "2027-03-05", everyDay), b.days)
		require.Equal(t, "COMPLETE", b.status().State)
	})

	t.Run("BeforeItLookedForASignalThatNobodyHadReceived", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.duringLook[1] = func() {
			b.now.Active = true
			b.env.SignalWorkflowSkippingWorkflowTask(workflows.ChangedSignal, nil)
		}
		b.run()
		require.Equal(t, calendar(t, "2027-03-01", "2027-03-05", everyDay), b.days)
	})
}

func TestRecurringOrderIsResumedWhileItIsBeingPaused(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
	b.endsOn("2027-03-10")
	b.duringPause = func() {
		if len(b.pauses) == 1 {
			b.env.SignalWorkflow(workflows.ResumeSignal, nil)
		}
	}
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PauseSignal, nil) }, 4*day+time.Hour)
	b.run()
	require.Equal(t, []bool{true, false}, b.pauses)
	require.Equal(t, calendar(t, "2027-03-01", "2027-03-10", everyDay), b.days)
}

func TestRecurringOrderRejectsInvalidSave(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
	b.endsOn("2027-03-03")
	refused := 0
	b.env.RegisterDelayedCallback(func() {
		for _, in := range []activities.SaveInput{
			{OrgID: 2, TemplateID: 3, ChangeID: 1000}, {OrgID: 1, TemplateID: 4, ChangeID: 1000}, {OrgID: 1, TemplateID: 3},
		} {
			b.env.UpdateWorkflow(workflows.SaveUpdate, "", &testsuite.TestUpdateCallback{
				OnAccept: func() {}, OnReject: func(error) { refused++ }, OnComplete: func(any, error) {},
			}, in)
		}
	}, time.Hour)
	b.run()
	require.Equal(t, 3, refused)
	require.Equal(t, 1, b.answered)
}
