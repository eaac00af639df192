package operations

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/providers"
	"waybill/store"
)

// SentMessage is a message that its provider has taken. Unrecorded says that the
// database was away, so that it is not in the log yet.
type SentMessage struct {
	Status     notification.Status
	ProviderID string
	Unrecorded bool
}

// SendingRefused is the error of an attempt to send a message.
type SendingRefused struct {
	*providers.Fault

	// Unnoted is why the provider's answer is not kept with the message, nil when
	// it is.
	Unnoted error
}

// Unwrap returns the provider's fault.
func (r *SendingRefused) Unwrap() error { return r.Fault }

// SendNotification hands a message to its provider and records that it did; the
// provider's no is a SendingRefused. The attempt is marked first: one of which
// nothing came back may have arrived, so there is one repeat at most, and that
// carries the same Message-ID.
func (o *Operations) SendNotification(ctx context.Context, c caller.Caller, id int64) (SentMessage, error) {
	attempt, err := o.store.BeginAttempt(ctx, c, id, notification.MostUnanswered)
	if err != nil {
		return SentMessage{}, err
	}
	before := notification.Status(attempt.Before)
	switch {
	case attempt.Begun:
	case !before.Waiting():
		return SentMessage{Status: before}, nil
	case attempt.Suppressed:
		return SentMessage{}, &SendingRefused{Fault: &providers.Fault{Failure: notification.Suppressed}}
	default:
		return SentMessage{}, &SendingRefused{Fault: &providers.Fault{Failure: notification.Uncertain}}
	}
	if err := o.putLink(ctx, c, &attempt); err != nil {
		return SentMessage{}, o.noteFault(ctx, c, id, providers.FaultOf(err))
	}
	providerID, err := o.send(ctx, c.OrgID, id, &attempt)
	if err != nil {
		return SentMessage{}, o.noteFault(ctx, c, id, providers.FaultOf(err))
	}
	return o.recordSent(ctx, c, id, Ending{Channel: notification.Channel(attempt.Channel), ProviderID: providerID}), nil
}

// noteFault keeps what came of an attempt, and returns it as an error.
func (o *Operations) noteFault(ctx context.Context, c caller.Caller, id int64, fault *providers.Fault) error {
	code := notification.JoinCode(fault.Failure, fault.Code)
	unnoted := o.store.NoteFault(context.WithoutCancel(ctx), c.OrgID, id, code, fault.Answer, !fault.Unanswered)
	return &SendingRefused{Fault: fault, Unnoted: unnoted}
}

// recordSent writes that a message is sent. It returns no error, because an
// attempt that succeeded must not be made again: whoever asked settles it.
func (o *Operations) recordSent(ctx context.Context, c caller.Caller, id int64, end Ending) SentMessage {
	var status notification.Status
	var moved bool
	err := o.store.InMessageTx(ctx, c, id, func(t *store.Tx) (err error) {
		status, moved, err = settle(ctx, t, id, end)
		return err
	})
	if err != nil {
		return SentMessage{Status: notification.Sent, ProviderID: end.ProviderID, Unrecorded: true}
	}
	if !moved {
		status = notification.Sent
	}
	return SentMessage{Status: status, ProviderID: end.ProviderID}
}

// send returns the provider's id of the message, when it has one. What a sandbox
// tells of its orders goes nowhere, unless the operator wants it to.
func (o *Operations) send(ctx context.Context, org, id int64, n *store.Attempt) (string, error) {
	m := &o.settings.Messaging
	if n.Sandboxed && !m.SandboxSends {
		return "", nil
	}
	reference := fmt.Sprintf("waybill.%d.%d", org, id)
	if notification.Channel(n.Channel) == notification.SMS {
		account := providers.SMSAccount{
			ID:    m.Secrets.Or(n.SmsAccount, m.SMSAccount.ID),
			Token: m.Secrets.Or(n.SmsToken, m.SMSAccount.Token),
		}
		callback := fmt.Sprintf("%s/webhooks/sms/twilio/%s?id=%d",
			strings.TrimSuffix(m.PublicURL, "/"), url.PathEscape(n.Slug), id)
		return m.SMS.Send(ctx, account, providers.Text{From: n.Sender, To: n.Receiver, Body: n.Body, Callback: callback})
	}
	_, domain, _ := strings.Cut(n.Sender, "@")
	return "", m.Mail.Send(ctx, m.Secrets.Or(n.SmtpUrl, m.MailServer), providers.Email{
		From: n.Sender, FromName: n.EmailName, To: n.Receiver, Subject: n.Subject, Text: n.Body, HTML: n.BodyHtml,
		MessageID: reference + "@" + domain, Reference: reference,
	})
}
