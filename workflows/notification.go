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

// NotificationInput names a message. It holds nothing of its receiver.
type NotificationInput struct {
	OrgID   int64                `json:"orgId"`
	Key     string               `json:"key"`
	Event   notification.Event   `json:"event"`
	Channel notification.Channel `json:"channel"`
	OrderID int64                `json:"orderId,omitempty"`
	// RetryOf is the message in the log that this one retries.
	RetryOf int64 `json:"retryOf,omitempty"`
}

// NotificationReport tells a workflow that a provider's report has moved its
// message. The log is the truth; the workflow follows it.
type NotificationReport struct {
	Status notification.Status `json:"status"`
}

// NotificationStatus is the answer to the status query.
type NotificationStatus struct {
	State     notification.Status  `json:"state"`
	ID        int64                `json:"id,omitempty"`
	Failure   notification.Failure `json:"failure,omitempty"`
	SendFrom  *time.Time           `json:"sendFrom,omitempty"`
	SendUntil *time.Time           `json:"sendUntil,omitempty"`
}

// Notification brings one message to its receiver: it is recorded, waits for
// its time, is sent, and is followed until its provider reports or nothing can
// be hoped for any more. A message that fails ends the workflow as failed.
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
	n.wait = recorded.ReportWait
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
	if n.status.SendUntil != nil {
		patience = n.status.SendUntil.Sub(workflow.Now(ctx))
	}
	if patience <= 0 {
		return n.settle(ctx, activities.SettleInput{Failure: notification.Expired})
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf(
		"**queued** as %d. It is being handed to the provider; faults that may pass are tried again until %s.",
		n.status.ID, workflow.Now(ctx).Add(patience).UTC().Format(time.RFC3339)))
	var handed activities.SendResult
	in := activities.SendInput{OrgID: n.in.OrgID, ID: n.status.ID}
	err = workflow.ExecuteActivity(toProvider(ctx, patience), notifications.SendNotification, in).Get(ctx, &handed)
	switch {
	case temporal.IsCanceledError(err):
		return false, n.cancelled(ctx, err)
	case err != nil:
		return n.settle(ctx, activities.SettleInput{Failure: failureOf(err)})
	case handed.Unrecorded:
		return n.settle(ctx, activities.SettleInput{ProviderID: handed.ProviderID})
	}
	n.status.State = handed.Status
	return false, n.show(ctx)
}

// failureOf names why sending ended. Whatever was still worth a try has run
// out of time.
func failureOf(err error) notification.Failure {
	var refused *temporal.ApplicationError
	if errors.As(err, &refused) && refused.NonRetryable() {
		return notification.Failure(refused.Type())
	}
	return notification.Expired
}

// cancelled records that an operator cancelled the message before it had left
// us, so that the log does not say for ever that it is to be sent.
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
		return temporal.NewNonRetryableApplicationError(n.status.Failure.Meaning(), string(n.status.Failure), nil)
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

// show tells people where the message stands, and what comes next.
func (n *notificationRun) show(ctx workflow.Context) error {
	if n.status.ID == 0 {
		workflow.SetCurrentDetails(ctx, "Nothing is to be said: the rule is gone, or another workflow says it.")
		return nil
	}
	next := map[notification.Status]string{
		notification.Sent:      "The provider has taken it; its report will say whether it arrived.",
		notification.Delivered: "It has arrived. Nothing is left to do.",
		notification.Bounced: "The receiver's server sent it back, and its address is suppressed. " +
			"To send it anew, remove the suppression and reset this workflow or run `waybill notifications retry`.",
		notification.Spam: "The receiver reported it as spam, and its address is suppressed. Nothing is left to do.",
		notification.Failed: "It failed: " + n.status.Failure.Meaning() +
			". Mend that, then reset this workflow or run `waybill notifications retry`.",
	}[n.status.State]
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s** as %d. %s", n.status.State, n.status.ID, next))
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(string(n.status.State)))
}
