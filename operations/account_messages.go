package operations

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/email"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/providers"
	"waybill/store"
)

// recordAccountMessage writes what an account's owner is to be told into the log,
// without the link that it will have.
func (o *Operations) recordAccountMessage(ctx context.Context, t *store.Tx, m *NewMessage) (RecordedMessage, error) {
	facts, err := t.AccountFacts(ctx, m.Key)
	if errors.Is(err, store.ErrNotFound) {
		return RecordedMessage{}, eventIsThere(ctx, t, m.Key)
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
	given, fallback, normalize := f.Email, o.settings.Messaging.MailFrom, email.Normalize
	if f.DriverID != 0 {
		n.Channel, n.Provider, n.Sender = notification.SMS, SMSProvider, f.SmsFrom
		given, fallback, normalize = f.PhoneNumber, o.settings.Messaging.SMSFrom, internationalNumber
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

// putLink writes the secret link, or the code, into a message that is about to be
// sent, and nowhere else: each attempt makes one of its own.
func (o *Operations) putLink(ctx context.Context, c caller.Caller, a *store.Attempt) error {
	key, err := notification.ParseKey(a.Key)
	if err != nil || !key.OfAccount() {
		return nil //nolint:nilerr // a key of another form is of no account
	}
	if !strings.Contains(a.Body, notification.Link) && !strings.Contains(a.Body, notification.Code) {
		return nil
	}
	var secret string
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		facts, err := t.AccountFacts(ctx, key)
		if err != nil {
			return err
		}
		secret, err = o.newSecret(ctx, t, &facts)
		return err
	})
	if err != nil {
		return err
	}
	a.Body = strings.NewReplacer(notification.Link, secret, notification.Code, secret).Replace(a.Body)
	return nil
}

// newSecret makes what a message has to carry.
func (o *Operations) newSecret(ctx context.Context, t *store.Tx, f *store.AccountFacts) (string, error) {
	purpose := purposeOf(event.Kind(f.Kind))
	if !fits(purpose, account.State(f.State)) {
		return "", &providers.Fault{Failure: notification.Cancelled}
	}
	owner := store.SessionOwner{UserID: f.UserID, DriverID: f.DriverID}
	if purpose == store.PhoneCode {
		return o.newPhoneCode(ctx, t, f.DriverID, f.Request)
	}
	return o.newLink(ctx, t, owner, purpose)
}

func purposeOf(kind event.Kind) store.CodePurpose {
	switch kind {
	case event.UserInvited:
		return store.InvitationCode
	case event.DriverLinkRequested:
		return store.EnrolmentCode
	case event.DriverCodeRequested:
		return store.PhoneCode
	}
	return store.ResetCode
}

// fits reports whether a code of a purpose is for an account in a state.
func fits(purpose store.CodePurpose, state account.State) bool {
	if purpose == store.InvitationCode {
		return state == account.Invited
	}
	return state == account.Active
}

// pagesOfCodes are where codes of each purpose are taken, and how long they are good
// when they are sent.
var pagesOfCodes = map[store.CodePurpose]struct {
	page     string
	lifetime time.Duration
}{
	store.InvitationCode: {"/invitation", account.InvitationLifetime},
	store.ResetCode:      {"/reset", account.ResetLifetime},
	store.EnrolmentCode:  {"/driver/enrol", account.SentLinkLifetime},
}

// newLink makes a code and returns the address with it. The code stands behind the
// #, so that no server and no log gets to see it.
func (o *Operations) newLink(
	ctx context.Context, t *store.Tx, owner store.SessionOwner, purpose store.CodePurpose,
) (string, error) {
	to := pagesOfCodes[purpose]
	code, err := o.newCode(ctx, t, owner, purpose, to.lifetime)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(o.settings.Messaging.PublicURL, "/") + to.page + "#c=" + code.Reveal(), nil
}

// newCode makes a code for a purpose and ends the older ones for it: only the newest link is
// good.
func (o *Operations) newCode(
	ctx context.Context, t *store.Tx, owner store.SessionOwner, purpose store.CodePurpose, lifetime time.Duration,
) (credential.Secret, error) {
	code, err := credential.New(credential.Code, rand.Reader)
	if err != nil {
		return credential.Secret{}, err
	}
	now := o.now()
	if err := t.EndAccountCodesFor(ctx, owner, purpose, now); err != nil {
		return credential.Secret{}, err
	}
	return code, t.CreateAccountCode(ctx, store.NewAccountCode{
		SessionOwner: owner, Purpose: purpose, Secret: code, At: now, Expires: now.Add(lifetime),
	})
}
