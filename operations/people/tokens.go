package people

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// mostTokens is how many personal tokens a person may have at a time.
const mostTokens = 50

// CreateToken creates a personal token of a user, with which scripts may do
// what the user may. It is shown only once.
func (o *Operations) CreateToken(
	ctx context.Context, c caller.Caller, user int64, name string, expires time.Time,
) (token *OpenedSession, err error) {
	now := o.now()
	if !expires.After(now) || expires.After(now.Add(account.TokenLifetime)) {
		return nil, fault.Field("expires_at", fault.Say("token.bad_end"))
	}
	owner := store.SessionOwner{UserID: user}
	present, err := o.store.Sessions(ctx, c.OrgID, owner, store.TokenSession, now)
	if err != nil {
		return nil, err
	}
	if len(present) >= mostTokens {
		return nil, fault.Illegal("token.too_many", "user", fmt.Sprint(user))
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		token, err = o.openSession(ctx, t, store.NewSession{
			SessionOwner: owner, Kind: store.TokenSession, Name: name, ExpiresAt: expires,
		}, credential.Token)
		if err != nil {
			return err
		}
		return t.Append(ctx, event.User{ID: user}.Session(event.TokenCreated, token.ID))
	})
	return token, err
}
