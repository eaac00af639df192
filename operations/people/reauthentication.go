package people

import (
	"context"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/store"
)

// SignInAgain replaces a user's session with a new one, for operations that
// require a recent sign-in. The second factor is required if there is one.
func (o *Operations) SignInAgain(
	ctx context.Context, c caller.Caller, session int64, a *Attempt, code string,
) (opened *OpenedSession, err error) {
	user, err := o.store.Credentials(ctx, c.OrgID, c.ID)
	if err != nil {
		return nil, err
	}
	subject := accountSubject(user.Slug, user.Email)
	if err := o.admitTry(ctx, subject, a.Address); err != nil {
		return nil, err
	}
	ok, _, err := o.passphrases.match(ctx, user.Passphrase, a.Passphrase)
	if err == nil && ok && user.HasTotp {
		ok, err = o.useFactor(ctx, c, c.ID, code)
	}
	if err != nil {
		return nil, err
	}
	if !ok || account.State(user.State) != account.Active {
		return nil, signInFailed()
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		opened, err = o.replaceSession(ctx, t, c.ID, session, a.Agent)
		return err
	})
	if err != nil {
		return nil, err
	}
	return opened, o.forgiveTries(ctx, subject, a.Address)
}

func (o *Operations) replaceSession(
	ctx context.Context, t *store.Tx, user, session int64, agent string,
) (*OpenedSession, error) {
	owner := store.SessionOwner{UserID: user}
	if _, err := t.EndSession(ctx, owner, store.BrowserSession, session, o.now()); err != nil {
		return nil, err
	}
	return o.openBrowserSession(ctx, t, user, agent)
}
