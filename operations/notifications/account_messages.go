package notifications

import (
	"context"
	"errors"

	"waybill/domain/email"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/store"
)

// errNoAccount is that of an event that is of no account.
var errNoAccount = errors.New("the event is of no account")

// recordAccountMessage writes what an account's owner is to be told into the log,
// without the link that it will have.
func (o *Operations) recordAccountMessage(ctx context.Context, t *store.Tx, m *NewMessage) (RecordedMessage, error) {
	facts, err := t.AccountFacts(ctx, m.Key)
	if errors.Is(err, store.ErrNotFound) {
		return RecordedMessage{}, errNoAccount
	}
	if err != nil {
		return RecordedMessage{}, err
	}
	prior := store.NotificationFacts{
		PriorID: facts.PriorID, PriorTry: facts.PriorTry, PriorStatus: facts.PriorStatus,
		PriorWorkflow: facts.PriorWorkflow, PriorRun: facts.PriorRun, PriorFailure: facts.PriorFailure,
		PriorUncertain: facts.PriorUncertain,
	}
	n := o.composeAccount(m.Key, facts)
	wait := o.reportWait(n.Channel, facts.ReportsMail, false)
	if recorded, done, err := carryOn(ctx, t, m, &prior); done || err != nil {
		recorded.ReportWait = wait
		return recorded, err
	}
	n.WorkflowID, n.RunID, n.RetryOf = m.WorkflowID, m.RunID, facts.PriorID
	if facts.PriorID != 0 {
		n.Try = facts.PriorTry + 1
	}
	recorded := RecordedMessage{Status: notification.Queued, Failure: n.refused, ReportWait: wait}
	recorded.ID, err = t.InsertNotification(ctx, n.NewNotification)
	return recorded, err
}

func (o *Operations) composeAccount(key notification.Key, f store.AccountFacts) composed {
	about, _ := notification.EventOf(event.Kind(f.Kind))
	n := composed{NewNotification: store.NewNotification{
		Key: key, Channel: notification.Email, Event: about, Provider: MailProvider, Sender: f.EmailFrom,
		Message: notification.RenderAccount(about, notification.AccountFacts{
			Language: f.Language, Organization: f.Organization, Name: f.Name,
		}),
	}}
	given, fallback, normalize := f.Email, o.settings.MailFrom, email.Normalize
	if f.DriverID != 0 {
		n.Channel, n.Provider, n.Sender = notification.SMS, SMSProvider, f.SmsFrom
		given, fallback, normalize = f.PhoneNumber, o.settings.SMSFrom, internationalNumber
	}
	if n.Sender == "" {
		n.Sender = fallback
	}
	var ok bool
	if n.Receiver, ok = normalize(given); !ok {
		n.Receiver, n.refused = given, notification.InvalidAddress
	}
	if n.Sender == "" {
		n.refused = notification.NotConfigured
	}
	return n
}

// internationalNumber tidies the number of a driver up, which names its country.
func internationalNumber(number string) (string, bool) {
	return notification.NormalizeNumber(number, "")
}
