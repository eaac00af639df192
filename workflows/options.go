package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// quick suits a short step against our own database whose result a caller waits
// for. It runs in the worker that has the workflow, without a round trip to the
// server, and gives up after seconds; patient takes over then.
func quick(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		Summary:                summary,
		StartToCloseTimeout:    8 * time.Second,
		ScheduleToCloseTimeout: 8 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 20 * time.Millisecond, MaximumInterval: 500 * time.Millisecond,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

// patient suits work on our own database that must not be given up: it waits
// hours for a database that is down, and its heartbeat moves it to another
// worker within seconds after its own dies.
func patient(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:             summary,
		StartToCloseTimeout: 5 * time.Minute,
		HeartbeatTimeout:    6 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 5 * time.Second,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

// quickThenPatient runs a step against our own database with quick options, and
// if that fails with patient ones. delayed, which may be nil, is called with
// the reason in between, and stops the step there by returning an error.
func quickThenPatient[In, Out any](
	ctx workflow.Context, summary string, step any, in In, out *Out, delayed func(error) error,
) error {
	err := workflow.ExecuteLocalActivity(quick(ctx, summary), step, in).Get(ctx, out)
	if err == nil {
		return nil
	}
	if delayed != nil {
		if err := delayed(err); err != nil {
			return err
		}
	}
	return workflow.ExecuteActivity(patient(ctx, summary), step, in).Get(ctx, out)
}

// tellDelay logs that a step continues with patient options.
func tellDelay(ctx workflow.Context, who string, err error) {
	workflow.GetLogger(ctx).Warn(who+" delayed, retrying until the database answers", "error", err)
	workflow.SetCurrentDetails(ctx, "The database did not answer in time. Trying until it does.")
}

// providerPatience is how long an attempt may take: longer than all that a mail server
// may take by its protocol. A shorter one doubles messages.
const providerPatience = 75 * time.Minute

// toProvider suits a call of an external service. An attempt has the time that
// its protocol allows, and a temporary fault is retried until the time is up.
// The activity itself marks the faults that are final, and sets when others are
// retried; the policy applies to a worker that died. The heartbeat notices that
// within seconds, but a slow worker keeps its attempt: another attempt could
// send a second copy of the message.
func toProvider(ctx workflow.Context, patience time.Duration) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:                "hand it to the provider",
		StartToCloseTimeout:    providerPatience,
		HeartbeatTimeout:       15 * time.Second,
		ScheduleToCloseTimeout: patience,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Minute,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

// searching suits a search that still saves its result when it is cancelled, so
// the workflow waits for its end. It waits hours for a database that is down,
// and moves to another worker when its own dies.
func searching(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:             summary,
		StartToCloseTimeout: 5 * time.Minute,
		HeartbeatTimeout:    6 * time.Second,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 5 * time.Second,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

// onStreets suits work with a server of road data that the workflow can do without, but waits
// for: it is given up soon.
func onStreets(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:             summary,
		StartToCloseTimeout: time.Minute,
		HeartbeatTimeout:    6 * time.Second,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumAttempts: 3,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}
