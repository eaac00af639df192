package notifications

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/email"
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

	// Attempt is what was tried; nil when nothing was.
	Attempt *store.Attempt
	// Next is how long the message waits until it is tried again; 0 for never.
	Next time.Duration
	// Unnoted is why the provider's answer is not kept with the message, nil when
	// it is.
	Unnoted error
}

// Unwrap returns the provider's fault.
func (r *SendingRefused) Unwrap() error { return r.Fault }

// SendNotification looks at a message once more, hands it to its provider and records
// that it did. The provider's no, and ours, is a SendingRefused; a message that has to
// wait is a SendingPostponed. The attempt is marked first: one of which nothing came back
// may have arrived, so there is one repeat at most, minutes later, and that carries the
// same Message-ID.
func (o *Operations) SendNotification(ctx context.Context, c caller.Caller, id int64) (SentMessage, error) {
	var seen look
	err := o.store.InMessageTx(ctx, c, id, func(t *store.Tx) (err error) {
		seen, err = o.lookAgain(ctx, t, id)
		return err
	})
	switch {
	case err != nil:
		return SentMessage{}, err
	case seen.ended != "":
		return SentMessage{Status: seen.ended}, nil
	case seen.postponed != nil:
		return SentMessage{}, seen.postponed
	case seen.refused != nil:
		return SentMessage{}, &SendingRefused{Fault: seen.refused}
	}
	attempt := &seen.attempt
	if err := o.accounts.PutLink(ctx, c, attempt); err != nil {
		return SentMessage{}, o.noteFault(ctx, c, id, attempt, providers.FaultOf(err))
	}
	providerID, err := o.send(ctx, c.OrgID, id, attempt, seen.validity)
	if err != nil {
		return SentMessage{}, o.noteFault(ctx, c, id, attempt, providers.FaultOf(err))
	}
	o.attempted(ctx, c.OrgID, id, attempt, nil)
	end := Ending{Channel: notification.Channel(attempt.Channel), ProviderID: providerID}
	return o.recordSent(context.WithoutCancel(ctx), c, id, end), nil
}

// noteFault keeps what came of an attempt, and returns it as an error. After one without
// an answer a report is waited for.
func (o *Operations) noteFault(
	ctx context.Context, c caller.Caller, id int64, attempt *store.Attempt, fault *providers.Fault,
) error {
	if fault.Unanswered {
		fault.RetryAfter = notification.DoubtWait(int(attempt.Unanswered) + 1)
	}
	o.attempted(ctx, c.OrgID, id, attempt, fault)
	refused := &SendingRefused{Fault: fault, Attempt: attempt}
	var next time.Time
	if fault.Passing {
		refused.Next = notification.RetryDelay(attempt.Number, fault.RetryAfter, drawn())
		next = o.now().Add(refused.Next)
	}
	code := notification.JoinCode(fault.Failure, fault.Code)
	refused.Unnoted = o.store.NoteFault(context.WithoutCancel(ctx), c.OrgID, id, store.AttemptFault{
		Code: code, Answer: fault.Answer, Answered: !fault.Unanswered, Next: next,
		Closes: notification.Channel(attempt.Channel) == notification.Email && notification.DeadMailbox(fault.Code),
	})
	return refused
}

// drawn is by chance, so that messages that fail together do not come back together.
func drawn() float64 { return rand.Float64() } //nolint:gosec // it keeps no secret

// staysInSandbox reports whether a message goes nowhere, because it is of a sandbox.
func (o *Operations) staysInSandbox(n *store.Attempt) bool {
	return n.Sandboxed && !o.settings.SandboxSends
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
	if moved {
		o.ended(end)
	} else {
		status = notification.Sent
	}
	return SentMessage{Status: status, ProviderID: end.ProviderID}
}

// send returns the provider's id of the message, when it has one. What a sandbox
// tells of its orders goes nowhere, unless the operator wants it to.
func (o *Operations) send(
	ctx context.Context, org, id int64, n *store.Attempt, validity time.Duration,
) (string, error) {
	m := &o.settings
	if o.staysInSandbox(n) {
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
		return m.SMS.Send(ctx, account, providers.Text{
			From: n.Sender, To: n.Receiver, Body: n.Body, Callback: callback, Validity: validity,
		})
	}
	sender, _ := email.Wire(n.Sender)
	_, domain, _ := strings.Cut(sender, "@")
	return "", m.Mail.Send(ctx, m.Secrets.Or(n.SmtpUrl, m.MailServer), providers.Email{
		From: n.Sender, FromName: n.EmailName, To: n.Receiver, Subject: n.Subject, Text: n.Body, HTML: n.BodyHtml,
		MessageID: reference + "@" + domain, Reference: reference,
	})
}
