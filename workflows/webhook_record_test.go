package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/activities"
	"waybill/workflows"
)

// webhookScript is the story of one webhook endpoint.
type webhookScript struct {
	turns script[activities.WebhookOutcome]
}

func (s *webhookScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"Deliver": playing[activities.WebhookInput](&s.turns, attempts),
	}
}

// recordWebhooks records endpoints: a complete one, and others in which the
// database is down or a worker dies, or that are paused, wait for events, or
// are cancelled.
func recordWebhooks(t *testing.T, r *recorder) {
	soon, late := time.Now().Add(2*time.Second), time.Now().Add(24*time.Hour)
	sent, ended := activities.WebhookOutcome{Delivered: 12, Next: &soon}, activities.WebhookOutcome{Ended: true}
	resting := activities.WebhookOutcome{Refused: 10, Waiting: 10, Next: &late, RestingUntil: &late, FailingSince: &soon}
	refused := activities.WebhookOutcome{Delivered: 2, Refused: 1, Waiting: 1, Next: &soon, FailingSince: &soon}
	idle := activities.WebhookOutcome{Delivered: 3}
	for _, tc := range []struct {
		name             string
		turns            []activities.WebhookOutcome
		failing, hanging int32
		end              end
	}{
		{name: "whole", turns: []activities.WebhookOutcome{sent, refused, sent, ended}},
		{name: "patient", turns: []activities.WebhookOutcome{sent, ended}, failing: 3},
		{name: "worker_died", turns: []activities.WebhookOutcome{sent, ended}, hanging: 1},
		{name: "resting", turns: []activities.WebhookOutcome{resting}, end: open},
		{name: "open", turns: []activities.WebhookOutcome{idle}, end: open},
		{name: "cancelled", turns: []activities.WebhookOutcome{idle}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &webhookScript{}
			s.turns.goOn(tc.turns...)
			queue := "webhook_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.WebhookEndpoint, webhookInput)
			if tc.end == open {
				for range 3 {
					require.NoError(t, r.SignalWorkflow(t.Context(), run.GetID(), "", workflows.WebhookNewsSignal,
						workflows.WebhookNewsOf{}))
				}
			}
			r.keepAt(t, run, tc.end, r.rests)
		})
	}
}

// recordWebhooksThatGoOn records an endpoint that continues as new, and its next run, on
// a server that suggests it early.
func recordWebhooksThatGoOn(t *testing.T, r *recorder) {
	s := &webhookScript{}
	now := time.Now()
	s.turns.goOn(activities.WebhookOutcome{Delivered: 1, Next: &now})
	const queue = "webhook_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.WebhookEndpoint, webhookInput)
	second := r.continued(t, first)
	s.turns.goOn(activities.WebhookOutcome{Ended: true})
	require.NoError(t, second.Get(t.Context(), nil))
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second")
}
