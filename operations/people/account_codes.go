package people

import (
	"context"
	"crypto/subtle"
	"errors"
	"strings"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// codeUnusable is the only error for a code that is unknown, used, expired or
// for another purpose.
func codeUnusable() error {
	return &fault.Error{Kind: fault.NotFound, Text: fault.Say("code.unusable"), Resource: "code"}
}

// findCode returns the code of a purpose that a caller presents.
func (o *Operations) findCode(ctx context.Context, text string, purpose store.CodePurpose) (store.AccountCode, error) {
	secret, ok := credential.Parse(credential.Code, strings.TrimSpace(text))
	if !ok {
		return store.AccountCode{}, codeUnusable()
	}
	code, err := o.store.FindAccountCode(ctx, secret.Public())
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.AccountCode{}, err
	}
	hash := secret.Hash()
	if err != nil || subtle.ConstantTimeCompare(hash[:], code.Hash) != 1 || code.Purpose != purpose ||
		code.UsedAt != nil || !o.now().Before(code.ExpiresAt) {
		return store.AccountCode{}, codeUnusable()
	}
	return code, nil
}

// Passphrase is a new passphrase chosen with a code: from an invitation, or
// after forgetting the old one.
type Passphrase struct {
	Code    string
	Purpose store.CodePurpose
	Chosen  string
	Cause   string
}

// ChoosePassphrase sets the passphrase of an account, uses up the code and ends
// all of its owner's sessions, personal tokens too. It signs nobody in: the
// second factor is still required. It returns the account.
func (o *Operations) ChoosePassphrase(ctx context.Context, p Passphrase) (store.Credentials, error) {
	code, err := o.findCode(ctx, p.Code, p.Purpose)
	if err != nil {
		return store.Credentials{}, err
	}
	user, err := o.store.Credentials(ctx, code.OrgID, code.UserID)
	if err != nil {
		return store.Credentials{}, err
	}
	if !fits(p.Purpose, account.State(user.State)) {
		return store.Credentials{}, codeUnusable()
	}
	hash, err := o.newHash(ctx, p.Chosen, &user)
	if err != nil {
		return store.Credentials{}, err
	}
	err = o.store.InTx(ctx, person(code.OrgID, user.ID, p.Cause), func(t *store.Tx) error {
		if err := t.UseAccountCode(ctx, code, o.now()); errors.Is(err, store.ErrNotFound) {
			return codeUnusable()
		} else if err != nil {
			return err
		}
		return o.takeUp(ctx, t, &user, hash, p.Purpose)
	})
	return user, err
}

// takeUp sets the passphrase of an account by means of a code.
func (o *Operations) takeUp(
	ctx context.Context, t *store.Tx, user *store.Credentials, hash string, purpose store.CodePurpose,
) error {
	if err := t.SetPassphrase(ctx, user.ID, hash); err != nil {
		return err
	}
	if err := o.shutOut(ctx, t, user.ID); err != nil {
		return err
	}
	if purpose == store.ResetCode {
		return t.Append(ctx, event.User{ID: user.ID}.Event(event.UserPassphraseChanged))
	}
	if err := t.SetUserState(ctx, user.ID, account.Active); err != nil {
		return err
	}
	return t.Append(ctx, event.User{ID: user.ID}.Event(event.UserActivated))
}

// newHash returns the hash of a new passphrase, or why the passphrase is
// rejected.
func (o *Operations) newHash(ctx context.Context, chosen string, user *store.Credentials) (string, error) {
	about := account.Context{
		Organization: user.Organization, Slug: user.Slug, Name: user.Name, Email: user.Email,
	}
	if why := account.CheckPassphrase(chosen, user.HasTotp, about); why != nil {
		return "", fault.Field("passphrase", *why)
	}
	return o.passphrases.hash(ctx, chosen)
}

// RequestReset emails a link for a new passphrase to the owner of an account.
// It does not reveal whether the account exists.
func (o *Operations) RequestReset(ctx context.Context, a *Attempt) error {
	slug, email := strings.ToLower(strings.TrimSpace(a.Organization)), strings.TrimSpace(a.Email)
	if err := o.admitTry(ctx, "reset\x00"+accountSubject(slug, email), a.Address); err != nil {
		return err
	}
	org, user, err := o.credentials(ctx, slug, email)
	if err != nil {
		return err
	}
	as := person(org, user.ID, a.Cause)
	return o.store.InTx(ctx, as, func(t *store.Tx) error {
		if account.State(user.State) != account.Active {
			return t.EndAccountCodes(ctx, store.SessionOwner{UserID: -1}, o.now()) // takes as long
		}
		return t.Append(ctx, event.User{ID: user.ID}.Event(event.UserResetRequested))
	})
}

// ChangedPassphrase is a new passphrase together with the present one.
type ChangedPassphrase struct {
	Present, Chosen string
	// Session is the caller's session, which stays.
	Session int64
	// EndTokens also ends personal tokens.
	EndTokens bool
	Address   string
}

// ChangePassphrase replaces the passphrase of a user who knows the present one,
// and ends all other sessions and all links for a new passphrase.
func (o *Operations) ChangePassphrase(ctx context.Context, c caller.Caller, p *ChangedPassphrase) error {
	user, err := o.store.Credentials(ctx, c.OrgID, c.ID)
	if err != nil {
		return err
	}
	subject := accountSubject(user.Slug, user.Email)
	if err := o.admitTry(ctx, subject, p.Address); err != nil {
		return err
	}
	ok, _, err := o.passphrases.match(ctx, user.Passphrase, p.Present)
	if err != nil {
		return err
	}
	if !ok {
		return fault.Field("present", fault.Say("passphrase.wrong"))
	}
	if err := o.forgiveTries(ctx, subject, p.Address); err != nil {
		return err
	}
	hash, err := o.newHash(ctx, p.Chosen, &user)
	if err != nil {
		return err
	}
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		if err := t.SetPassphrase(ctx, c.ID, hash); err != nil {
			return err
		}
		if err := t.EndAccountCodes(ctx, store.SessionOwner{UserID: c.ID}, o.now()); err != nil {
			return err
		}
		if _, err := t.EndSessionsOfUser(ctx, c.ID, p.Session, p.EndTokens, o.now()); err != nil {
			return err
		}
		return t.Append(ctx, event.User{ID: c.ID}.Event(event.UserPassphraseChanged))
	})
}
