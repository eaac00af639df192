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
		return RecordedMessage{}, nil
	}
	if err != nil {
		return RecordedMessage{}, err
	}
	prior := store.NotificationFacts{
		PriorID: facts.PriorID, PriorTry: facts.PriorTry, PriorStatus: facts.PriorStatus,
		PriorWorkflow: facts.PriorWorkflow, PriorRun: facts.PriorRun, PriorFailure: facts.PriorFailure,
	}
	if recorded, done, err := carryOn(ctx, t, m, &prior); done || err != nil {
		return recorded, err
	}
	n := o.composeAccount(m.Key, facts)
	n.WorkflowID, n.RunID, n.RetryOf = m.WorkflowID, m.RunID, facts.PriorID
	if facts.PriorID != 0 {
		n.Try = facts.PriorTry + 1
	}
	recorded := RecordedMessage{Status: notification.Queued, Failure: n.refused}
	recorded.ID, err = t.InsertNotification(ctx, n.NewNotification)
	return recorded, err
}

func (o *Operations) composeAccount(key notification.Key, f store.AccountFacts) composed {
	about, _ := notification.EventOf(event.Kind(f.Kind))
	n := composed{NewNotification: store.NewNotification{
		Key: key, Channel: notification.Email, Event: about, Provider: mailProvider, Sender: f.EmailFrom,
		Message: notification.RenderAccount(about, notification.AccountFacts{
			Language: f.Language, Organization: f.Organization, Name: f.Name,
		}),
	}}
	if n.Sender == "" {
		n.Sender = o.settings.Messaging.MailFrom
	}
	var ok bool
	if n.Receiver, ok = notification.NormalizeEmail(f.Email); !ok {
		n.Receiver, n.refused = f.Email, notification.InvalidAddress
	}
	if n.Sender == "" {
		n.refused = notification.NotConfigured
	}
	return n
}

// putLink writes the secret link into a message that is about to be sent, and
// nowhere else: each attempt makes a code of its own.
func (o *Operations) putLink(ctx context.Context, c caller.Caller, a *store.Attempt) error {
	key, err := notification.ParseKey(a.Key)
	if err != nil || !key.OfAccount() || !strings.Contains(a.Body, notification.Link) {
		return nil //nolint:nilerr // a key of another form is of no account
	}
	var link string
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		facts, err := t.AccountFacts(ctx, key)
		if err != nil {
			return err
		}
		purpose := purposeOf(event.Kind(facts.Kind))
		if !fits(purpose, account.State(facts.State)) {
			return &providers.Fault{Failure: notification.Cancelled}
		}
		link, err = o.newLink(ctx, t, facts.UserID, purpose)
		return err
	})
	a.Body = strings.ReplaceAll(a.Body, notification.Link, link)
	return err
}

func purposeOf(kind event.Kind) store.CodePurpose {
	if kind == event.UserInvited {
		return store.InvitationCode
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

// newLink makes a code and returns the address with it. The code stands behind the
// #, so that no server and no log gets to see it.
func (o *Operations) newLink(ctx context.Context, t *store.Tx, user int64, purpose store.CodePurpose) (string, error) {
	page, lifetime := "/invitation", account.InvitationLifetime
	if purpose == store.ResetCode {
		page, lifetime = "/reset", account.ResetLifetime
	}
	code, err := o.newCode(ctx, t, store.SessionOwner{UserID: user}, purpose, lifetime)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(o.settings.Messaging.PublicURL, "/") + page + "#c=" + code.Reveal(), nil
}

func (o *Operations) newCode(
	ctx context.Context, t *store.Tx, owner store.SessionOwner, purpose store.CodePurpose, lifetime time.Duration,
) (credential.Secret, error) {
	code, err := credential.New(credential.Code, rand.Reader)
	if err != nil {
		return credential.Secret{}, err
	}
	now := o.now()
	return code, t.CreateAccountCode(ctx, store.NewAccountCode{
		SessionOwner: owner, Purpose: purpose, Secret: code, At: now, Expires: now.Add(lifetime),
	})
}
