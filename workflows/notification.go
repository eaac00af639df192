package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/notification"
)

// notifications names the activities for the compiler; it stays nil.
var notifications *activities.Notifications

// sendPatience is how long sending is tried when no window ends it sooner.
const sendPatience = 24 * time.Hour

// NotificationInput names a message. It has no data of its receiver.
type NotificationInput struct {
	OrgID   int64                `json:"orgId"`
	Key     string               `json:"key"`
	Event   notification.Event   `json:"event"`
	Channel notification.Channel `json:"channel"`
	OrderID int64                `json:"orderId,omitempty"`
	// Number is the order's number, as the caller wrote it.
	Number string `json:"number,omitempty"`
	// RetryOf is the message in the log that this one retries.
	RetryOf int64 `json:"retryOf,omitempty"`
}

// NotificationReport signals a workflow that a provider's report has changed
// its message's status. The log is authoritative; the workflow follows it.
type NotificationReport struct {
	Status notification.Status `json:"status"`
}

// NotificationStatus is the answer to the status query.
type NotificationStatus struct {
	State   notification.Status  `json:"state"`
	ID      int64                `json:"id,omitempty"`
	Failure notification.Failure `json:"failure,omitempty"`
	// Code is the provider's response to the last attempt, such as "550 5.1.1".
	Code      string     `json:"code,omitempty"`
	SendFrom  *time.Time `json:"sendFrom,omitempty"`
	SendUntil *time.Time `json:"sendUntil,omitempty"`
}

// Notification sends one message to its receiver: it records the message, waits
// for its time, sends it, and waits for the provider's report until none is to
// be expected. The workflow fails if the message fails; a superseded message
// has not failed.
func Notification(ctx workflow.Context, in NotificationInput) error {
	n := &notificationRun{in: in, status: NotificationStatus{State: notification.Queued}}
	err := workflow.SetQueryHandler(ctx, StatusQuery, func() (NotificationStatus, error) { return n.status, nil })
	if err != nil {
		return err
	}
	for again := true; again; {
		if again, err = n.try(ctx); err != nil {
			return err
		}
	}
	return n.conclude(ctx)
}

type notificationRun struct {
	in     NotificationInput
	status NotificationStatus
	wait   time.Duration // for a report
	// release is when the plan is to be released that the message waits for; nil for none.
	release *time.Time
}

// try records and sends the message. Again is true when it turns out to have
// failed before a person sent the workflow back.
func (n *notificationRun) try(ctx workflow.Context) (again bool, err error) {
	recorded, err := n.record(ctx)
	if err != nil {
		return false, err
	}
	n.status = NotificationStatus{
		State: recorded.Status, ID: recorded.ID, Failure: recorded.Failure,
		SendFrom: recorded.SendFrom, SendUntil: recorded.SendUntil,
	}
	n.wait, n.release = recorded.ReportWait, recorded.ReleaseAt
	if recorded.ID == 0 || !recorded.Status.Waiting() {
		return false, n.show(ctx)
	}
	if recorded.Failure != "" {
		return n.settle(ctx, activities.SettleInput{Failure: recorded.Failure})
	}
	if err := n.awaitWindow(ctx); err != nil {
		return false, n.cancelled(ctx, err)
	}
	return n.send(ctx)
}

func (n *notificationRun) record(ctx workflow.Context) (recorded activities.Recorded, err error) {
	info := workflow.GetInfo(ctx)
	in := activities.RecordInput{
		OrgID: n.in.OrgID, Key: n.in.Key, RetryOf: n.in.RetryOf,
		Reset: info.WorkflowExecution.RunID != info.OriginalRunID,
	}
	err = quickThenPatient(ctx, "write it into the log", notifications.RecordNotification, in, &recorded, nil)
	return recorded, err
}

// awaitWindow waits until the message may be sent.
func (n *notificationRun) awaitWindow(ctx workflow.Context) error {
	from := n.status.SendFrom
	if from == nil || !workflow.Now(ctx).Before(*from) {
		return nil
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("**queued** as %d. It will be sent from %s, when its window opens.",
		n.status.ID, from.Format(time.RFC3339)))
	opens := workflow.TimerOptions{Summary: "until the window opens"}
	return workflow.NewTimerWithOptions(ctx, from.Sub(workflow.Now(ctx)), opens).Get(ctx, nil)
}

// send hands the message to its provider, and tries until its latest time.
func (n *notificationRun) send(ctx workflow.Context) (again bool, err error) {
	patience := sendPatience
	if n.release != nil {
		patience += max(n.release.Sub(workflow.Now(ctx)), 0)
	}
	if n.status.SendUntil != nil {
		patience = n.status.SendUntil.Sub(workflow.Now(ctx))
	}
	if patience <= 0 {
		return n.settle(ctx, activities.SettleInput{Failure: notification.Expired})
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf(
		"**queued** as %d. It is being handed to the provider; faults that may pass are tried again until %s.",
		n.status.ID, workflow.Now(ctx).Add(patience).UTC().Format(time.RFC3339)))
	handed, err := n.hand(ctx, patience)
	switch {
	case temporal.IsCanceledError(err):
		return false, n.cancelled(ctx, err)
	case err != nil:
		n.status.Code = codeOf(err)
		return n.settle(ctx, activities.SettleInput{Failure: failureOf(err)})
	case handed.Unrecorded:
		return n.settle(ctx, activities.SettleInput{ProviderID: handed.ProviderID})
	}
	n.status.State = handed.Status
	return false, n.show(ctx)
}

// promptAttempts are the attempts of the first seconds. A message that they could not bring
// to its provider waits for it.
const promptAttempts = 4

// firstWait is how long a message waits after them by default.
const firstWait = 8 * time.Second

// hand passes the message to its provider, with attempts until the patience ends. When
// the first attempts fail, it publishes that before it continues.
func (n *notificationRun) hand(
	ctx workflow.Context, patience time.Duration,
) (handed activities.SendResult, err error) {
	in := activities.SendInput{OrgID: n.in.OrgID, ID: n.status.ID}
	until := workflow.Now(ctx).Add(patience)
	if showsWaiting(ctx) {
		prompt := toProvider(ctx, patience)
		policy := *workflow.GetActivityOptions(prompt).RetryPolicy
		policy.MaximumAttempts = promptAttempts
		prompt = workflow.WithRetryPolicy(prompt, policy)
		err = workflow.ExecuteActivity(prompt, notifications.SendNotification, in).Get(ctx, &handed)
		if err == nil || temporal.IsCanceledError(err) || refusedForGood(err) {
			return handed, err
		}
		if waited := n.awaitProvider(ctx, err, until); waited != nil {
			return handed, waited
		}
		if patience = until.Sub(workflow.Now(ctx)); patience <= 0 {
			return handed, err
		}
	}
	err = workflow.ExecuteActivity(toProvider(ctx, patience), notifications.SendNotification, in).Get(ctx, &handed)
	return handed, err
}

// awaitProvider publishes the reason for waiting, and waits until the next attempt.
// Operators find messages that wait for their provider by their state.
func (n *notificationRun) awaitProvider(ctx workflow.Context, failed error, until time.Time) error {
	state, why, wait := stateRetrying, "the attempts so far were broken off", firstWait
	var refused *temporal.ApplicationError
	if errors.As(failed, &refused) {
		why = refused.Message()
		if refused.Type() == activities.ErrTypePostponed {
			state = string(notification.Queued)
		}
		if delay := refused.NextRetryDelay(); delay > 0 {
			wait = delay
		}
	}
	wait = min(wait, until.Sub(workflow.Now(ctx)))
	if wait <= 0 {
		return nil
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf(
		"**%s** as %d. It waits: %s. It was tried %d times and is tried again at %s; "+
			"from then on *Pending Activities* has the last failure and the time of the next attempt. It is given up at %s.",
		state, n.status.ID, why, promptAttempts, workflow.Now(ctx).Add(wait).UTC().Format(time.RFC3339),
		until.UTC().Format(time.RFC3339)))
	if err := workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state)); err != nil {
		return err
	}
	again := workflow.TimerOptions{Summary: "until it is tried again"}
	return workflow.NewTimerWithOptions(ctx, wait, again).Get(ctx, nil)
}

// refusedForGood reports whether an activity's error is permanent.
func refusedForGood(err error) bool {
	var refused *temporal.ApplicationError
	return errors.As(err, &refused) && refused.NonRetryable()
}

// failureOf returns why sending ended. A retryable error means that time
// ran out.
func failureOf(err error) notification.Failure {
	var refused *temporal.ApplicationError
	if errors.As(err, &refused) && refused.NonRetryable() {
		return notification.Failure(refused.Type())
	}
	return notification.Expired
}

// codeOf returns the provider's answer to the last attempt, or "".
func codeOf(err error) (code string) {
	var refused *temporal.ApplicationError
	if errors.As(err, &refused) && refused.HasDetails() && refused.Details(&code) != nil {
		return ""
	}
	return code
}

// cancelled records that an operator cancelled the message before it was
// sent, so that the log does not show it as pending forever.
func (n *notificationRun) cancelled(ctx workflow.Context, cause error) error {
	if !settlesCancelled(ctx) {
		return cause
	}
	stillWorking, _ := workflow.NewDisconnectedContext(ctx)
	if _, err := n.settle(stillWorking, activities.SettleInput{Failure: notification.Cancelled}); err != nil {
		return err
	}
	return cause
}

// settle records how sending ended.
func (n *notificationRun) settle(ctx workflow.Context, in activities.SettleInput) (again bool, err error) {
	in.OrgID, in.ID, in.Channel = n.in.OrgID, n.status.ID, n.in.Channel
	var settled activities.Settled
	err = quickThenPatient(ctx, "write down how it ended", notifications.SettleNotification, in, &settled, nil)
	if err != nil {
		return false, err
	}
	if settled.Again {
		return true, nil
	}
	n.status.State, n.status.Failure = settled.Status, settled.Failure
	return false, n.show(ctx)
}

// conclude follows a message that has left us until it ends.
func (n *notificationRun) conclude(ctx workflow.Context) error {
	if n.status.State == notification.Sent && n.wait > 0 {
		if err := n.awaitReport(ctx); err != nil {
			return err
		}
	}
	switch n.status.State {
	case notification.Failed:
		if n.status.Failure == notification.Superseded {
			return nil
		}
		return temporal.NewNonRetryableApplicationError(n.status.Failure.Said(n.status.Code), string(n.status.Failure), nil)
	case notification.Bounced:
		return temporal.NewNonRetryableApplicationError("the receiver's server sent it back", ErrTypeBounced, nil)
	}
	return nil
}

// awaitReport waits for the provider's word, for a while.
func (n *notificationRun) awaitReport(ctx workflow.Context) error {
	waiting, stop := workflow.WithCancel(ctx)
	defer stop()
	expected := workflow.TimerOptions{Summary: "until no report is expected any more"}
	silence := workflow.NewTimerWithOptions(waiting, n.wait, expected)
	reports := workflow.GetSignalChannel(ctx, NotificationReportSignal)
	var failure error
	for over := false; !over && n.status.State == notification.Sent && failure == nil; {
		selector := workflow.NewSelector(ctx)
		selector.AddFuture(silence, func(f workflow.Future) { over, failure = true, f.Get(ctx, nil) })
		selector.AddReceive(reports, func(c workflow.ReceiveChannel, _ bool) {
			var report NotificationReport
			c.Receive(ctx, &report)
			if report.Status.Final() {
				n.status.State = report.Status
			}
		})
		selector.Select(ctx)
	}
	if failure != nil {
		return failure
	}
	return n.show(ctx)
}

// show publishes the status of the message and the next step.
func (n *notificationRun) show(ctx workflow.Context) error {
	if n.status.ID == 0 {
		workflow.SetCurrentDetails(ctx, "Nothing is to be said: the rule is gone, or another workflow says it.")
		return nil
	}
	state, reason := string(n.status.State), ""
	switch {
	case n.status.Failure == notification.Superseded:
		state, reason = stateSuperseded, string(n.status.Failure)
	case n.status.State == notification.Failed:
		reason = string(n.status.Failure)
	case n.status.State == notification.Bounced:
		reason = ErrTypeBounced
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s** as %d. %s", state, n.status.ID, n.next(ctx)))
	shown := []temporal.SearchAttributeUpdate{searchState.ValueSet(state)}
	if reason != "" && showsReasons(ctx) {
		shown = append(shown, searchReason.ValueSet(reason))
	}
	return workflow.UpsertTypedSearchAttributes(ctx, shown...)
}

// next describes the next step, or what an operator has to do.
func (n *notificationRun) next(ctx workflow.Context) string {
	org := organizationOf(workflow.GetInfo(ctx).WorkflowExecution.ID)
	switch n.status.State {
	case notification.Sent:
		return "The provider has taken it; its report will say whether it arrived."
	case notification.Delivered:
		return "It has arrived. Nothing is left to do."
	case notification.Bounced:
		return "The receiver's server sent it back, and its address is suppressed. " +
			notification.Suppressed.Remedy(org, n.status.ID)
	case notification.Spam:
		return "The receiver reported it as spam, and its address is suppressed. Nothing is left to do."
	case notification.Failed:
		if n.status.Failure == notification.Superseded {
			return "What it says no longer holds, so it was not sent. Nothing is left to do."
		}
		return "It failed: " + n.status.Failure.Said(n.status.Code) + ". " + n.status.Failure.Remedy(org, n.status.ID)
	}
	return ""
}

// stateSuperseded is the state by which operators find a message that is no
// longer needed. In the API it is failed, but among the workflows nobody should
// look for it there.
const stateSuperseded = "superseded"

// stateRetrying is the state by which operators find a message whose provider
// is unavailable. In the API it is queued.
const stateRetrying = "retrying"
