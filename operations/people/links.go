package people

import (
	"context"
	"crypto/rand"
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

// PutLink inserts the secret link, or the code, into a message that is about to
// be sent, and nowhere else: each attempt creates its own.
func (o *Operations) PutLink(ctx context.Context, c caller.Caller, a *store.Attempt) error {
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

// newSecret creates the secret for a message.
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

// newLink creates a code and returns the URL with it. The code follows the #,
// so that no server and no log sees it.
func (o *Operations) newLink(
	ctx context.Context, t *store.Tx, owner store.SessionOwner, purpose store.CodePurpose,
) (string, error) {
	to := pagesOfCodes[purpose]
	code, err := o.newCode(ctx, t, owner, purpose, to.lifetime)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(o.settings.PublicURL, "/") + to.page + "#c=" + code.Reveal(), nil
}

// newCode returns a code for a purpose and ends the older ones for it: only the
// newest link is good.
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
