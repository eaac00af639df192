package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// hooks names the activities for the compiler; it stays nil.
var hooks *activities.Webhooks

// WebhookInput names a webhook endpoint.
type WebhookInput = activities.WebhookInput

// WebhookStatus is the answer to the status query.
type WebhookStatus = activities.WebhookOutcome

// WebhookEndpoint sends events to one endpoint, until it is disabled or
// removed. It gets a signal when there may be new events, and has the timer for
// retries. The endpoint's progress, and waiting events, are in the database;
// each turn reads them again.
func WebhookEndpoint(ctx workflow.Context, in WebhookInput) error {
	w := &webhookRun{in: in, signals: workflow.GetSignalChannel(ctx, WebhookNewsSignal)}
	if err := workflow.SetQueryHandler(
		ctx, StatusQuery, func() (WebhookStatus, error) { return w.status, nil },
	); err != nil {
		return err
	}
	return w.run(ctx)
}

type webhookRun struct {
	in      WebhookInput
	status  WebhookStatus
	signals workflow.ReceiveChannel
	// shown is the state that operators find the workflow by.
	shown string
}

func (w *webhookRun) run(ctx workflow.Context) error {
	for {
		w.drain()
		var out activities.WebhookOutcome
		err := workflow.ExecuteActivity(sending(ctx), hooks.Deliver, w.in).Get(ctx, &out)
		if err != nil {
			return err
		}
		w.status = out
		if err := w.show(ctx); err != nil {
			return err
		}
		switch {
		case out.Ended && w.signals.Len() == 0:
			return nil
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			// Pending signals may be lost here: the new run checks in any case.
			return workflow.NewContinueAsNewError(ctx, WebhookEndpoint, w.in)
		}
		if err := w.sleep(ctx); err != nil {
			return err
		}
	}
}

// sending sets the activity options for requests to external servers. It waits for a
// database that is down for hours, and moves to another worker when its own dies.
func sending(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:             "send what there is to send",
		StartToCloseTimeout: 5 * time.Minute,
		HeartbeatTimeout:    10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 10 * time.Second,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

// drain takes all news: one turn sends them all.
func (w *webhookRun) drain() {
	for w.signals.ReceiveAsync(nil) {
		continue
	}
}

// sleep waits until work is due. An endpoint that rests wakes early only for changed
// settings.
func (w *webhookRun) sleep(ctx workflow.Context) error {
	timer, stop := workflow.WithCancel(ctx)
	defer stop()
	due := false
	selector := workflow.NewSelector(ctx)
	if next := w.status.Next; next != nil {
		wait := max(next.Sub(workflow.Now(ctx)), time.Millisecond)
		selector.AddFuture(workflow.NewTimer(timer, wait), func(workflow.Future) { due = true })
	}
	awake := false
	selector.AddReceive(w.signals, func(c workflow.ReceiveChannel, _ bool) {
		var news WebhookNewsOf
		c.Receive(ctx, &news)
		awake = awake || news.Changed || w.status.RestingUntil == nil
	})
	selector.AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) {})
	for !due && !awake {
		selector.Select(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// show publishes the state of the endpoint to operators and searches.
func (w *webhookRun) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, webhookStory(w.status))
	state := webhookState(w.status)
	if state == w.shown {
		return nil
	}
	w.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}
