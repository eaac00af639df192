package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/store/queries"
)

// SessionKind is the kind of a session.
type SessionKind string

// The kinds of session.
const (
	BrowserSession SessionKind = "browser"
	DeviceSession  SessionKind = "device"
	TokenSession   SessionKind = "token"
)

// FoundSession is a stored session, with the facts about its owner and the
// organization that requests need.
type FoundSession struct {
	OrgID, ID int64
	Kind      SessionKind
	// Hash is the SHA-256 of the whole secret.
	Hash []byte
	// UserID is 0 for a device, DriverID for all else.
	UserID, DriverID int64
	SignedInAt       *time.Time
	LastUsedAt       time.Time
	ExpiresAt        time.Time
	Idle             time.Duration // idle limit; 0 means none
	// IsGood is false if the session has ended or its owner is disabled.
	IsGood             bool
	Timezone, Language string
	Grants             []caller.Grant
	// Suspended is true if the organization is suspended.
	Suspended bool
}

// Ends returns when the session ends unless it is used before.
func (s *FoundSession) Ends() time.Time {
	if idle := s.LastUsedAt.Add(s.Idle); s.Idle > 0 && idle.Before(s.ExpiresAt) {
		return idle
	}
	return s.ExpiresAt
}

// Written by hand, because sqlc does not know the columns of a function's
// result.
const findSession = `
	SELECT org_id, id, kind, hash, coalesce(user_id, 0), coalesce(driver_id, 0), signed_in_at, last_used_at, expires_at,
		coalesce(idle_seconds, 0), is_good, timezone, language, grants, is_suspended(org_id)
	FROM find_session($1)`

// FindSession returns the session with this public part, valid or not, or
// ErrNotFound.
func (s *Store) FindSession(ctx context.Context, public string) (FoundSession, error) {
	var f FoundSession
	var idle int64
	var grants []byte
	err := s.find(ctx, findSession, public, &f.OrgID, &f.ID, &f.Kind, &f.Hash, &f.UserID, &f.DriverID,
		&f.SignedInAt, &f.LastUsedAt, &f.ExpiresAt, &idle, &f.IsGood, &f.Timezone, &f.Language, &grants, &f.Suspended)
	if err != nil {
		return FoundSession{}, err
	}
	f.Idle = time.Duration(idle) * time.Second
	if err := json.Unmarshal(grants, &f.Grants); err != nil {
		return FoundSession{}, fmt.Errorf("roles of session %d: %w", f.ID, err)
	}
	return f, nil
}

// TouchSession records that a session was used at a moment.
func (s *Store) TouchSession(ctx context.Context, org, session int64, at time.Time) error {
	return translate(s.of(org).TouchSession(ctx, queries.TouchSessionParams{OrgID: org, ID: session, At: at}))
}

// SessionOwner is whose a session is: one of the two.
type SessionOwner struct{ UserID, DriverID int64 }

// NewSession is a session to be kept.
type NewSession struct {
	SessionOwner

	Kind       SessionKind
	Secret     credential.Secret
	Name       string
	SignedInAt *time.Time // nil if it did not begin with a sign-in
	At         time.Time
	ExpiresAt  time.Time
	Idle       time.Duration
}

// CreateSession keeps a session and returns its id.
func (t *Tx) CreateSession(ctx context.Context, n NewSession) (int64, error) {
	hash := n.Secret.Hash()
	return t.q.CreateSession(ctx, queries.CreateSessionParams{
		OrgID: t.org, Kind: string(n.Kind), PublicPart: n.Secret.Public(), Hash: hash[:], UserID: n.UserID,
		DriverID: n.DriverID, Name: n.Name, SignedInAt: n.SignedInAt, At: n.At, ExpiresAt: n.ExpiresAt,
		IdleSeconds: int32(n.Idle / time.Second),
	})
}

// Session is a session as its owner sees it.
type Session struct {
	ID         int64
	Public     string
	Name       string
	CreatedAt  time.Time
	LastUsedAt time.Time
	ExpiresAt  time.Time
	// AppRelease and StorageKept are reported by the phone's app; nil means not
	// reported yet.
	AppRelease  *string
	StorageKept *bool
}

// Sessions returns the sessions of a kind that are valid at a moment, newest
// first, at most 200.
func (s *Store) Sessions(
	ctx context.Context, org int64, owner SessionOwner, kind SessionKind, at time.Time,
) ([]Session, error) {
	rows, err := s.of(org).ListSessions(ctx, queries.ListSessionsParams{
		OrgID: org, Kind: string(kind), At: at, UserID: owner.UserID, DriverID: owner.DriverID,
	})
	sessions := make([]Session, len(rows))
	for i, r := range rows {
		sessions[i] = Session{
			ID: r.ID, Public: r.PublicPart, Name: r.Name, CreatedAt: r.CreatedAt, LastUsedAt: r.LastUsedAt,
			ExpiresAt: r.ExpiresAt, AppRelease: r.AppRelease, StorageKept: r.StorageKept,
		}
	}
	return sessions, translate(err)
}

// NoteApp saves what a session's phone reports about its app; nil fields are
// not reported.
func (s *Store) NoteApp(ctx context.Context, org, session int64, release *string, storageKept *bool) error {
	return translate(s.of(org).NoteApp(ctx, queries.NoteAppParams{
		OrgID: org, ID: session, AppRelease: release, StorageKept: storageKept,
	}))
}

// EndSession ends one session of an owner and returns its public part, or
// ErrNotFound.
func (t *Tx) EndSession(
	ctx context.Context, owner SessionOwner, kind SessionKind, id int64, at time.Time,
) (public string, err error) {
	public, err = t.q.EndSession(ctx, queries.EndSessionParams{
		OrgID: t.org, ID: id, Kind: string(kind), At: at, UserID: owner.UserID, DriverID: owner.DriverID,
	})
	return public, translate(err)
}

// EndSessionsOfUser ends a user's sessions except keep, and returns how many it
// ended. Personal tokens end only on request.
func (t *Tx) EndSessionsOfUser(ctx context.Context, user, keep int64, tokens bool, at time.Time) (int, error) {
	ids, err := t.q.EndSessionsOfUser(ctx, queries.EndSessionsOfUserParams{
		OrgID: t.org, UserID: user, At: at, Keep: keep, Tokens: tokens,
	})
	return len(ids), err
}

// EndSessionsOfDriver disconnects the phones of a driver.
func (t *Tx) EndSessionsOfDriver(ctx context.Context, driver int64, at time.Time) error {
	return t.q.EndSessionsOfDriver(ctx, queries.EndSessionsOfDriverParams{OrgID: t.org, DriverID: driver, At: at})
}

// EndSessionByPublicPart ends a session; it is no fault when it had ended.
func (s *Store) EndSessionByPublicPart(ctx context.Context, org int64, public string, at time.Time) error {
	return translate(s.of(org).EndSessionByPublicPart(ctx, queries.EndSessionByPublicPartParams{
		OrgID: org, PublicPart: public, At: at,
	}))
}
