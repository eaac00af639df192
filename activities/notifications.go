package activities

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/providers"
	"waybill/store"
)

// NotificationStore is what notifications need of the store.
type NotificationStore interface {
	InTx(ctx context.Context, by caller.Caller, work func(*store.Tx) error) error
	BeginAttempt(ctx context.Context, by caller.Caller, id int64) (store.Attempt, error)
	NoteFault(ctx context.Context, org, id int64, code, answer string, answered bool) error
	SettleNotification(ctx context.Context, by caller.Caller, id int64, end store.Settlement) (bool, error)
	NotificationState(ctx context.Context, org, id int64) (store.NotificationState, error)
}

// MailSender hands emails to a server.
type MailSender interface {
	Send(ctx context.Context, server string, email providers.Email) error
}

// SMSSender hands text messages to a provider.
type SMSSender interface {
	Send(ctx context.Context, account providers.SMSAccount, text providers.Text) (id string, err error)
}

// NotificationSettings are those of organizations that have none of their own.
type NotificationSettings struct {
	MailServer string
	MailFrom   string
	SMSAccount providers.SMSAccount
	SMSFrom    string
	// PublicURL is where providers reach the webhooks.
	PublicURL string
	// ReportWait is how long a workflow waits for a provider's report.
	ReportWait time.Duration
}

// Notifications are the activities of the workflow Notification.
type Notifications struct {
	store    NotificationStore
	mail     MailSender
	sms      SMSSender
	secrets  providers.Secrets
	settings NotificationSettings
	now      func() time.Time
}

// NewNotifications makes the activities of notifications.
func NewNotifications(
	s NotificationStore, mail MailSender, sms SMSSender, secrets providers.Secrets, settings NotificationSettings,
) *Notifications {
	return &Notifications{store: s, mail: mail, sms: sms, secrets: secrets, settings: settings, now: time.Now}
}

// RecordInput names a message that is to be recorded.
type RecordInput struct {
	OrgID int64  `json:"orgId"`
	Key   string `json:"key"`
	// RetryOf is the message that this one retries, 0 for none.
	RetryOf int64 `json:"retryOf,omitempty"`
	// Reset says that a person sent the workflow back to an earlier point.
	Reset bool `json:"reset,omitempty"`
}

// Recorded is a message in the log. ID is 0 when there is nothing to say, or
// another workflow says it.
type Recorded struct {
	ID     int64               `json:"id"`
	Status notification.Status `json:"status"`
	// Failure is why it failed, or why it must not be sent.
	Failure notification.Failure `json:"failure,omitempty"`
	// SendFrom and SendUntil bound the time to send it; absent for none.
	SendFrom   *time.Time    `json:"sendFrom,omitempty"`
	SendUntil  *time.Time    `json:"sendUntil,omitempty"`
	ReportWait time.Duration `json:"reportWait,omitempty"`
}

// RecordNotification writes what is to be said into the log, once for each run
// of a workflow: who comes again finds it. A run that begins anew after its
// message has failed, and a retry, write another one that names the first. The
// one that was under way is carried on instead.
func (a *Notifications) RecordNotification(ctx context.Context, in RecordInput) (Recorded, error) {
	defer heartbeat(ctx)()
	key, err := notification.ParseKey(in.Key)
	if err != nil {
		return Recorded{}, temporal.NewNonRetryableApplicationError("the key cannot be read", ErrTypeNotFound, err)
	}
	var recorded Recorded
	err = a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
		facts, err := tx.NotificationFacts(ctx, key)
		if errors.Is(err, store.ErrNotFound) {
			return nil // the rule is gone, so nothing is to be said
		}
		if err != nil {
			return err
		}
		run := activity.GetInfo(ctx).WorkflowExecution
		done := false
		if recorded, done, err = a.prior(ctx, tx, in, facts, run.ID, run.RunID); done || err != nil {
			return err
		}
		n := a.compose(key, facts)
		n.WorkflowID, n.RunID, n.RetryOf = run.ID, run.RunID, facts.PriorID
		if facts.PriorID != 0 {
			n.Try = facts.PriorTry + 1
		}
		recorded = Recorded{Status: notification.Queued, Failure: n.refused, SendFrom: n.SendFrom, SendUntil: n.SendUntil}
		recorded.ID, err = tx.InsertNotification(ctx, n.NewNotification)
		return err
	})
	recorded.ReportWait = a.settings.ReportWait
	return recorded, permanent(ctx, err)
}

// prior looks at the latest try of the same message. Done is false when
// another one is to be recorded.
func (a *Notifications) prior(
	ctx context.Context, tx *store.Tx, in RecordInput, facts store.NotificationFacts, workflowID, runID string,
) (found Recorded, done bool, err error) {
	if facts.PriorID == 0 {
		return Recorded{}, false, nil
	}
	status, ours := notification.Status(facts.PriorStatus), facts.PriorWorkflow == workflowID
	found = Recorded{
		ID: facts.PriorID, Status: status, Failure: notification.Failure(facts.PriorFailure),
		SendFrom: facts.PriorWindowFrom, SendUntil: facts.PriorWindowTo,
	}
	switch {
	case ours && facts.PriorRun == runID:
		return found, true, nil
	case status.Retryable() && (in.Reset || in.RetryOf == facts.PriorID):
		return Recorded{}, false, nil
	case ours && status.Waiting():
		return found, true, tx.AdoptNotification(ctx, facts.PriorID, runID)
	case ours:
		return found, true, nil
	}
	return Recorded{}, true, nil
}

// SendInput names a message that is to be sent.
type SendInput struct {
	OrgID int64 `json:"orgId"`
	ID    int64 `json:"id"`
}

// Handed is a message that its provider has taken.
type Handed struct {
	Status notification.Status `json:"status"`
	// ProviderID is what the provider calls it. Unrecorded says that the
	// database was away, so that it is not in the log yet.
	ProviderID string `json:"providerId,omitempty"`
	Unrecorded bool   `json:"unrecorded,omitempty"`
}

// SendNotification hands a message to its provider and records that it did. It
// marks the attempt first: an attempt of which nothing came back may have
// arrived, so there is one repeat at most, and that carries the same
// Message-ID.
func (a *Notifications) SendNotification(ctx context.Context, in SendInput) (Handed, error) {
	defer heartbeat(ctx)()
	attempt, err := a.store.BeginAttempt(ctx, workflowOf(ctx, in.OrgID), in.ID)
	if err != nil {
		return Handed{}, permanent(ctx, err)
	}
	before := notification.Status(attempt.Before)
	switch {
	case attempt.Begun:
	case !before.Waiting():
		return Handed{Status: before}, nil
	case attempt.Suppressed:
		return Handed{}, refusal(&providers.Fault{Failure: notification.Suppressed})
	default:
		return Handed{}, refusal(&providers.Fault{Failure: notification.Uncertain})
	}
	id, err := a.send(ctx, in, attempt)
	if err != nil {
		fault := providers.FaultOf(err)
		code := strings.TrimSpace(string(fault.Failure) + " " + fault.Code)
		noted := a.store.NoteFault(context.WithoutCancel(ctx), in.OrgID, in.ID, code, fault.Answer, !fault.Unanswered)
		if noted != nil {
			activity.GetLogger(ctx).Warn("a provider's answer is not kept", "notification_id", in.ID, "error", noted)
		}
		return Handed{}, refusal(fault)
	}
	return a.recordSent(ctx, in, notification.Channel(attempt.Channel), id), nil
}

// recordSent writes that a message is sent. It gives no error, because an
// attempt that succeeded must not be made again: the workflow sees to it.
func (a *Notifications) recordSent(ctx context.Context, in SendInput, channel notification.Channel, id string) Handed {
	handed := Handed{Status: notification.Sent, ProviderID: id}
	end := store.Settlement{By: notification.HandedOver, Channel: channel, ProviderID: id}
	if _, err := a.store.SettleNotification(ctx, workflowOf(ctx, in.OrgID), in.ID, end); err != nil {
		handed.Unrecorded = true
	}
	return handed
}

// send gives the provider's id of the message, when it has one.
func (a *Notifications) send(ctx context.Context, in SendInput, n store.Attempt) (string, error) {
	reference := fmt.Sprintf("waybill.%d.%d", in.OrgID, in.ID)
	if notification.Channel(n.Channel) == notification.SMS {
		account := providers.SMSAccount{
			ID:    a.secrets.Or(n.SmsAccount, a.settings.SMSAccount.ID),
			Token: a.secrets.Or(n.SmsToken, a.settings.SMSAccount.Token),
		}
		callback := fmt.Sprintf("%s/webhooks/sms/twilio/%s?id=%d", strings.TrimSuffix(a.settings.PublicURL, "/"), url.PathEscape(n.Slug), in.ID)
		return a.sms.Send(ctx, account, providers.Text{From: n.Sender, To: n.Receiver, Body: n.Body, Callback: callback})
	}
	_, domain, _ := strings.Cut(n.Sender, "@")
	return "", a.mail.Send(ctx, a.secrets.Or(n.SmtpUrl, a.settings.MailServer), providers.Email{
		From: n.Sender, FromName: n.EmailName, To: n.Receiver, Subject: n.Subject, Text: n.Body, HTML: n.BodyHtml,
		MessageID: reference + "@" + domain, Reference: reference,
	})
}

// refusal is the error of an attempt. It is expected, so nobody is alarmed,
// and it names nobody.
func refusal(fault *providers.Fault) error {
	return temporal.NewApplicationErrorWithOptions(fault.Error(), string(fault.Failure), temporal.ApplicationErrorOptions{
		NonRetryable: !fault.Passing, Category: temporal.ApplicationErrorCategoryBenign,
	})
}

// SettleInput is how the sending of a message ended: failed, or else sent.
type SettleInput struct {
	OrgID      int64                `json:"orgId"`
	ID         int64                `json:"id"`
	Channel    notification.Channel `json:"channel"`
	Failure    notification.Failure `json:"failure,omitempty"`
	ProviderID string               `json:"providerId,omitempty"`
}

// Settled is where a message stands. Again says that it failed in an earlier
// run of the workflow, which a person has sent back: it is to be sent anew.
type Settled struct {
	Status  notification.Status  `json:"status"`
	Failure notification.Failure `json:"failure,omitempty"`
	Again   bool                 `json:"again,omitempty"`
}

// SettleNotification records how the sending of a message ended, unless it has
// ended already.
func (a *Notifications) SettleNotification(ctx context.Context, in SettleInput) (Settled, error) {
	defer heartbeat(ctx)()
	end := store.Settlement{By: notification.HandedOver, Channel: in.Channel, ProviderID: in.ProviderID}
	if in.Failure != "" {
		end.By, end.Failure = notification.SendingFailed, in.Failure
	}
	moved, err := a.store.SettleNotification(ctx, workflowOf(ctx, in.OrgID), in.ID, end)
	if err != nil {
		return Settled{}, err
	}
	state, err := a.store.NotificationState(ctx, in.OrgID, in.ID)
	if err != nil {
		return Settled{}, permanent(ctx, err)
	}
	stranger := state.RunID != activity.GetInfo(ctx).WorkflowExecution.RunID
	return Settled{Status: state.Status, Failure: state.Failure, Again: !moved && stranger && state.Status.Retryable()}, nil
}
