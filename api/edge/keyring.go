package edge

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"waybill/domain/apikey"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// APIKey is an API key as it is stored, with what every request needs to know
// of its organization.
type APIKey = store.APIKey

// KeyFinder finds an API key by its public part, whether or not it is still
// good. Of an unknown one it says store.ErrNotFound, or a fault of kind NotFound.
type KeyFinder interface {
	FindAPIKey(ctx context.Context, publicPart string) (APIKey, error)
}

const (
	// keyFreshness is how long a key that was found is trusted, and so how
	// long a revocation may take.
	keyFreshness = 2 * time.Second
	// maxKnownKeys bounds the memory for keys.
	maxKnownKeys = 10_000
	// keyPatience is how long a look-up may take.
	keyPatience = 5 * time.Second
)

// keyring finds out who a key belongs to. Keys that exist are remembered for a
// moment; those that do not are asked for anew each time, so that a new key
// works at once.
type keyring struct {
	finder  KeyFinder
	use     *keyUse
	now     func() time.Time
	flights singleflight.Group

	mu    sync.Mutex
	known map[string]*knownKey
}

type knownKey struct {
	APIKey

	principal *Principal
	until     time.Time
}

func newKeyring(finder KeyFinder, use *keyUse, now func() time.Time) *keyring {
	return &keyring{finder: finder, use: use, now: now, known: make(map[string]*knownKey)}
}

// identify returns the principal of a key, or a fault of kind Unauthenticated
// when the key is unknown, wrong, expired or revoked.
func (k *keyring) identify(ctx context.Context, key apikey.Key) (*Principal, error) {
	found, fresh := k.recall(key.Public())
	if !fresh {
		var err error
		if found, err = k.find(ctx, key.Public()); err != nil {
			return nil, err
		}
	}
	hash := key.Hash()
	if subtle.ConstantTimeCompare(found.Hash, hash[:]) != 1 || found.ended(k.now()) {
		return nil, unauthenticated()
	}
	if !fresh {
		k.use.noteUse(ctx, found.OrgID, found.ID)
	}
	return found.principal, nil
}

// ended reports whether the key's time has passed.
func (k *knownKey) ended(now time.Time) bool {
	return k.ExpiresAt != nil && !now.Before(*k.ExpiresAt) ||
		k.RevokedAt != nil && !now.Before(*k.RevokedAt)
}

func (k *keyring) recall(public string) (*knownKey, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.known[public]
	return found, ok && k.now().Before(found.until)
}

// find looks a key up once for all requests that wait for it. The look-up
// outlives the request that began it.
func (k *keyring) find(ctx context.Context, public string) (*knownKey, error) {
	found, err, _ := k.flights.Do(public, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keyPatience)
		defer cancel()
		return k.load(ctx, public)
	})
	if err != nil {
		return nil, err
	}
	return found.(*knownKey), nil
}

func (k *keyring) load(ctx context.Context, public string) (*knownKey, error) {
	until := k.now().Add(keyFreshness)
	stored, err := k.finder.FindAPIKey(ctx, public)
	if errors.Is(err, store.ErrNotFound) || fault.KindOf(err) == fault.NotFound {
		return nil, unauthenticated()
	}
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
	found := &knownKey{APIKey: stored, until: until, principal: &Principal{
		Caller: caller.Caller{OrgID: stored.OrgID, Kind: caller.Key, ID: stored.ID}, Zone: zone, Language: stored.Language,
	}}
	k.remember(public, found)
	return found, nil
}

func (k *keyring) remember(public string, found *knownKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxKnownKeys {
		k.makeRoom()
	}
	k.known[public] = found
}

// makeRoom drops what is stale, or when nothing is, any one key.
func (k *keyring) makeRoom() {
	now := k.now()
	for public, found := range k.known {
		if !now.Before(found.until) {
			delete(k.known, public)
		}
	}
	for public := range k.known {
		if len(k.known) < maxKnownKeys {
			return
		}
		delete(k.known, public)
	}
}
