package people

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// OpenedSession is a session with its secret, which is shown only once.
type OpenedSession struct {
	ID        int64
	OrgID     int64
	DriverID  int64 // of a device
	Secret    credential.Secret
	ExpiresAt time.Time
}

// openBrowserSession opens a session of a user who has just signed in.
func (o *Operations) openBrowserSession(ctx context.Context, t *store.Tx, user int64, agent string) (*OpenedSession, error) {
	now := o.now()
	return o.openSession(ctx, t, store.NewSession{
		SessionOwner: store.SessionOwner{UserID: user}, Kind: store.BrowserSession, Name: fault.Clip(agent),
		SignedInAt: &now, ExpiresAt: now.Add(account.BrowserLifetime), Idle: account.BrowserIdle,
	}, credential.Session)
}

func (o *Operations) openSession(
	ctx context.Context, t *store.Tx, n store.NewSession, kind credential.Kind,
) (_ *OpenedSession, err error) {
	if suspended, err := t.IsSuspended(ctx); err != nil || suspended {
		return nil, cmp.Or(err, core.Suspended())
	}
	n.At = o.now()
	if n.Secret, err = credential.New(kind, rand.Reader); err != nil {
		return nil, err
	}
	id, err := t.CreateSession(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("save a session: %w", err)
	}
	return &OpenedSession{ID: id, OrgID: t.Org(), DriverID: n.DriverID, Secret: n.Secret, ExpiresAt: n.ExpiresAt}, nil
}

// EndSession signs a person out of the session that they call with.
func (o *Operations) EndSession(ctx context.Context, c caller.Caller, secret credential.Secret) error {
	return o.store.EndSessionByPublicPart(ctx, c.OrgID, secret.Public(), o.now())
}

// EndSessionOf ends one session of a kind that a user, or a driver, has, and
// returns its public part.
func (o *Operations) EndSessionOf(
	ctx context.Context, c caller.Caller, owner store.SessionOwner, kind store.SessionKind, id int64,
) (public string, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if public, err = t.EndSession(ctx, owner, kind, id, o.now()); err != nil {
			return err
		}
		return t.Append(ctx, sessionEnded(owner, kind, id))
	})
	if errors.Is(err, store.ErrNotFound) {
		err = noSession(kind, fmt.Sprint(id))
	}
	return public, err
}

func noSession(kind store.SessionKind, id string) error {
	switch kind {
	case store.DeviceSession:
		return fault.Missing("device", id)
	case store.TokenSession:
		return fault.Missing("token", id)
	case store.BrowserSession:
	}
	return fault.Missing("session", id)
}

func sessionEnded(owner store.SessionOwner, kind store.SessionKind, id int64) event.Event {
	switch kind {
	case store.DeviceSession:
		return event.Driver{ID: owner.DriverID}.Device(event.DeviceRevoked, id)
	case store.TokenSession:
		return event.User{ID: owner.UserID}.Session(event.TokenRevoked, id)
	case store.BrowserSession:
	}
	return event.User{ID: owner.UserID}.Session(event.SessionEnded, id)
}

// EndSessions ends all of a user's sessions, personal tokens too, except the
// session keep, and returns their number.
func (o *Operations) EndSessions(ctx context.Context, c caller.Caller, user, keep int64) (ended int, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if _, err := t.LockUser(ctx, user); err != nil {
			return err
		}
		if ended, err = t.EndSessionsOfUser(ctx, user, keep, true, o.now()); err != nil || ended == 0 {
			return err
		}
		return t.Append(ctx, event.User{ID: user}.Event(event.SessionsEnded))
	})
	return ended, err
}
