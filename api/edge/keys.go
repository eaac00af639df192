package edge

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/store"
)

// APIKey is a stored API key, with the settings of its organization that
// every request needs.
type APIKey = store.APIKey

// KeyFinder finds an API key, valid or not, by its public part. For an unknown
// one it returns store.ErrNotFound, or a fault of kind NotFound.
type KeyFinder interface {
	FindAPIKey(ctx context.Context, publicPart string) (APIKey, error)
}

// KeyToucher records that an API key has just been used.
type KeyToucher interface {
	TouchAPIKey(ctx context.Context, orgID, keyID int64) error
}

// newKeys returns the ring of API keys.
func newKeys(d Dependencies) *keyring {
	use := &keyUse{logger: d.Logger, now: d.Now}
	if d.KeyUse != nil {
		use.touch = d.KeyUse.TouchAPIKey
	}
	return newKeyring(func(ctx context.Context, public string) (*knownKey, error) {
		return findKey(ctx, d.Keys, public)
	}, newKeyUse(use), d.Now)
}

func findKey(ctx context.Context, finder KeyFinder, public string) (*knownKey, error) {
	stored, err := finder.FindAPIKey(ctx, public)
	if err != nil {
		return nil, fmt.Errorf("find API key: %w", err)
	}
	if len(stored.Hash) != sha256.Size {
		return nil, fmt.Errorf("API key %d of organization %d has no usable hash", stored.ID, stored.OrgID)
	}
	zone, err := time.LoadLocation(stored.Timezone)
	if err != nil {
		return nil, fmt.Errorf("time zone of organization %d: %w", stored.OrgID, err)
	}
	return &knownKey{
		ref: keyRef{stored.OrgID, stored.ID}, hash: stored.Hash, end: earlier(stored.ExpiresAt, stored.RevokedAt),
		principal: &Principal{
			Caller: caller.Caller{
				OrgID: stored.OrgID,
				Kind:  caller.Key,
				ID:    stored.ID,
			}, Zone: zone, Language: stored.Language, Suspended: stored.Suspended, Personal: stored.Personal,
		},
	}, nil
}

// earlier returns the earlier of two times that may be absent.
func earlier(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}
