package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/workflows"
)

var webhookInput = workflows.WebhookInput{OrgID: 1, EndpointID: 4}

// webhookBundle runs the workflow of one endpoint on skipped time.
type webhookBundle struct {
	env *testsuite.TestWorkflowEnvironment
	// outcome is the result of each turn, and when it was.
	outcome func(turn int) activities.WebhookOutcome
	at      []time.Duration
}

func setupWebhook(t *testing.T) *webhookBundle {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &webhookBundle{env: newEnvironment(&suite)}
	workflows.Register(b.env)
	start := b.env.Now()
	acts := &activities.Webhooks{}
	b.env.OnActivity(acts.Deliver, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.WebhookInput) (activities.WebhookOutcome, error) {
			require.Equal(t, webhookInput, in)
			b.at = append(b.at, b.env.Now().Sub(start).Round(time.Second))
			return b.outcome(len(b.at)), nil
		})
	return b
}

func (b *webhookBundle) tell(after time.Duration, changed bool) {
	b.env.RegisterDelayedCallback(func() {
		b.env.SignalWorkflow(workflows.WebhookNewsSignal, workflows.WebhookNewsOf{Changed: changed})
	}, after)
}

func (b *webhookBundle) in(d time.Duration) *time.Time {
	at := b.env.Now().Add(d)
	return &at
}

func TestWebhookEndpoint(t *testing.T) {
	t.Parallel()

	t.Run("SendsWhenThereIsNewsOrSomethingIsDueAndEndsWhenItIsSwitchedOff", func(t *testing.T) {
		t.Parallel()
		b := setupWebhook(t)
		b.tell(time.Minute, false)
		b.outcome = func(turn int) activities.WebhookOutcome {
			switch turn {
			case 1:
				return activities.WebhookOutcome{Delivered: 3}
			case 2:
				return activities.WebhookOutcome{Refused: 1, Waiting: 1, Next: b.in(time.Hour)}
			}
			return activities.WebhookOutcome{Ended: true}
		}
		b.env.ExecuteWorkflow(workflows.WebhookEndpoint, webhookInput)
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []time.Duration{0, time.Minute, time.Minute + time.Hour}, b.at)
	})

	t.Run("IsLeftAloneUntilItsTimeOrUntilSomebodyChangesIt", func(t *testing.T) {
		t.Parallel()
		b := setupWebhook(t)
		b.tell(time.Minute, false)
		b.tell(2*time.Minute, true)
		b.tell(3*time.Minute, false)
		b.outcome = func(turn int) activities.WebhookOutcome {
			if turn == 3 {
				return activities.WebhookOutcome{Ended: true}
			}
			until := b.in(15 * time.Minute)
			return activities.WebhookOutcome{FailingSince: b.in(0), RestingUntil: until, Next: until}
		}
		b.env.ExecuteWorkflow(workflows.WebhookEndpoint, webhookInput)
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []time.Duration{0, 2 * time.Minute, 17 * time.Minute}, b.at)
	})

	t.Run("SaysWhyItIsLeftAlone", func(t *testing.T) {
		t.Parallel()
		b := setupWebhook(t)
		b.tell(time.Hour, true)
		b.outcome = func(turn int) activities.WebhookOutcome {
			if turn == 2 {
				return activities.WebhookOutcome{Ended: true}
			}
			until := b.in(2 * time.Hour)
			return activities.WebhookOutcome{
				FailingSince: b.in(0), RestingUntil: until, Next: until, Host: "erp.example.com", Failures: 17,
				LastFault: "STATUS", LastStatus: 500, OffAt: b.in(5 * day),
			}
		}
		requireDetails(t, b.env, time.Minute, "in **17 attempts**. **erp.example.com** answered **500** last. It is switched off at **"+
			b.in(5*day).UTC().Format(time.RFC3339)+"**")
		b.env.ExecuteWorkflow(workflows.WebhookEndpoint, webhookInput)
		require.NoError(t, b.env.GetWorkflowError())
	})

	t.Run("NewsOfTheLastMomentIsNotLost", func(t *testing.T) {
		t.Parallel()
		b := setupWebhook(t)
		b.outcome = func(turn int) activities.WebhookOutcome {
			if turn == 1 {
				b.env.SignalWorkflow(workflows.WebhookNewsSignal, workflows.WebhookNewsOf{Changed: true})
			}
			return activities.WebhookOutcome{Ended: true}
		}
		b.env.ExecuteWorkflow(workflows.WebhookEndpoint, webhookInput)
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.at, 2, "it may have been switched on again")
	})

	t.Run("GoesOnAsNewWhenTheServerSuggestsIt", func(t *testing.T) {
		t.Parallel()
		b := setupWebhook(t)
		b.outcome = func(int) activities.WebhookOutcome { return activities.WebhookOutcome{} }
		b.env.SetContinueAsNewSuggested(true)
		b.env.ExecuteWorkflow(workflows.WebhookEndpoint, webhookInput)
		var again *workflow.ContinueAsNewError
		require.ErrorAs(t, b.env.GetWorkflowError(), &again)
		require.Len(t, b.at, 1)
	})
}
