package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"waybill/activities"
	"waybill/domain/export"
	"waybill/workflows"
)

// recordRunsThatGoOn records runs that continue as new, and their next runs, on
// a server that suggests it early.
func recordRunsThatGoOn(t *testing.T, r *recorder) {
	t.Run("recurring", func(t *testing.T) {
		s := &templateScript{}
		s.steps.goOn(activeUntil(time.Now().Add(time.Hour)))
		const queue = "recurring_goes_on"
		r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
		first := r.start(t, queue, workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 3})
		r.drive(t, first, workflows.SaveUpdate)
		second := r.signalUntilItGoesOn(t, first, workflows.ChangedSignal)
		r.rests(t, second)
		r.keep(t, first, queue+"_first")
		r.keep(t, second, queue+"_second_open")
		s.steps.goOn(activities.Generated{State: activities.TemplateInactive})
		r.update(t, second, workflows.SaveUpdate, activities.SaveInput{OrgID: 1, TemplateID: 3, ChangeID: 1})
		require.NoError(t, second.Get(t.Context(), nil))
		r.keep(t, second, queue+"_second")
	})

	t.Run("export", func(t *testing.T) {
		s := &exportScript{}
		s.looks.goOn(pendingExport)
		s.acks.goOn(acknowledged(1, closedExport(export.ReexportOff)))
		const queue = "export_goes_on"
		r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
		first := r.start(t, queue, workflows.ExportOrder, workflows.ExportInput{OrgID: 1, OrderID: 3})
		second := r.signalUntilItGoesOn(t, first, workflows.ExportChangedSignal)
		r.rests(t, second)
		r.keep(t, first, queue+"_first")
		r.keep(t, second, queue+"_second_open")
		r.update(t, second, workflows.AcknowledgeUpdate, int64(1))
		require.NoError(t, second.Get(t.Context(), nil))
		r.keep(t, second, queue+"_second")
	})
}

// continued waits until a run has continued as new, and returns the next run.
func (r *recorder) continued(t *testing.T, first client.WorkflowRun) (second client.WorkflowRun) {
	t.Helper()
	require.Eventually(t, func() bool {
		second = r.current(t, first)
		return second.GetRunID() != first.GetRunID()
	}, time.Minute, 50*time.Millisecond)
	return second
}

// signalUntilItGoesOn signals a workflow until it has continued as new, and
// returns the new run.
func (r *recorder) signalUntilItGoesOn(t *testing.T, first client.WorkflowRun, signal string) client.WorkflowRun {
	t.Helper()
	for {
		require.NoError(t, r.SignalWorkflow(t.Context(), first.GetID(), "", signal, nil))
		r.rests(t, first)
		if now := r.current(t, first); now.GetRunID() != first.GetRunID() {
			return now
		}
	}
}
