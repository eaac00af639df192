package edge

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/store"
)

// SessionFinder finds the credential of a person or device, valid or not, by
// its public part. For an unknown one it returns store.ErrNotFound.
type SessionFinder interface {
	FindSession(ctx context.Context, publicPart string) (store.FoundSession, error)
}

// SessionToucher records that a session has been used at a moment.
type SessionToucher interface {
	TouchSession(ctx context.Context, orgID, sessionID int64, at time.Time) error
}

// newSessions returns the ring of sessions, devices and personal tokens.
func newSessions(d Dependencies) *keyring {
	use := &keyUse{logger: d.Logger, now: d.Now}
	if d.SessionUse != nil {
		use.touch = func(ctx context.Context, org, session int64) error {
			return d.SessionUse.TouchSession(ctx, org, session, d.Now())
		}
	}
	return newKeyring(func(ctx context.Context, public string) (*knownKey, error) {
		return findSession(ctx, d.Sessions, public)
	}, newKeyUse(use), d.Now)
}

func findSession(ctx context.Context, finder SessionFinder, public string) (*knownKey, error) {
	if finder == nil {
		return nil, store.ErrNotFound
	}
	stored, err := finder.FindSession(ctx, public)
	if err != nil {
		return nil, fmt.Errorf("find session: %w", err)
	}
	if !stored.IsGood {
		return nil, store.ErrNotFound
	}
	if len(stored.Hash) != sha256.Size {
		return nil, fmt.Errorf("session %d of organization %d has no usable hash", stored.ID, stored.OrgID)
	}
	zone, err := time.LoadLocation(stored.Timezone)
	if err != nil {
		return nil, fmt.Errorf("time zone of organization %d: %w", stored.OrgID, err)
	}
	end := stored.Ends()
	return &knownKey{
		ref: keyRef{stored.OrgID, stored.ID}, hash: stored.Hash, end: &end, principal: principalOfSession(stored, zone),
	}, nil
}

// PrincipalOfSession returns the caller of a new session.
func PrincipalOfSession(s store.FoundSession) Principal {
	zone, err := time.LoadLocation(s.Timezone)
	if err != nil {
		zone = time.UTC
	}
	return *principalOfSession(s, zone)
}

func principalOfSession(stored store.FoundSession, zone *time.Location) *Principal {
	p := &Principal{
		Caller: caller.Caller{OrgID: stored.OrgID, Kind: caller.Person, ID: stored.UserID, Grants: stored.Grants},
		Zone:   zone, Language: stored.Language, SessionID: stored.ID, Suspended: stored.Suspended,
	}
	if stored.DriverID != 0 {
		p.Kind, p.ID, p.DriverID = caller.Device, stored.ID, stored.DriverID
	}
	if stored.SignedInAt != nil {
		p.SignedInAt = *stored.SignedInAt
	}
	for _, g := range stored.Grants {
		p.Roles = append(p.Roles, g.Role)
	}
	return p
}
