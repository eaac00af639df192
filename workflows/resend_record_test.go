package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

// resendingScript is the story of one resending.
type resendingScript struct {
	turns script[activities.ResendingProgress]
}

func (s *resendingScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"ResendBatch": playing[activities.ResendingInput](&s.turns, attempts),
	}
}

// recordResendings records resendings: a complete one, a stopped one, and
// others in which the database is down or a worker dies.
func recordResendings(t *testing.T, r *recorder) {
	for _, tc := range []struct {
		name             string
		ends             notification.ResendingState
		failing, hanging int32
	}{
		{name: "whole", ends: notification.ResendingCompleted},
		{name: "stopped", ends: notification.ResendingStopped},
		{name: "patient", ends: notification.ResendingCompleted, failing: 3},
		{name: "worker_died", ends: notification.ResendingCompleted, hanging: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &resendingScript{}
			s.turns.goOn(resendingTurns(tc.ends)...)
			queue := "resend_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.ResendMessages, resendingInput)
			require.NoError(t, run.Get(t.Context(), nil))
			r.keep(t, run, queue)
		})
	}
}

// recordResendingsThatGoOn records a resending that continues as new, and its next run, on a
// server that suggests it early.
func recordResendingsThatGoOn(t *testing.T, r *recorder) {
	s := &resendingScript{}
	s.turns.goOn(activities.ResendingProgress{State: notification.ResendingRunning, Total: 1000, Sent: 50})
	const queue = "resend_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.ResendMessages, resendingInput)
	second := r.continued(t, first)
	s.turns.goOn(resendingTurns(notification.ResendingCompleted)...)
	require.NoError(t, second.Get(t.Context(), nil))
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second")
}
