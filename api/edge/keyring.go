package edge

import (
	"context"
	"crypto/subtle"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"waybill/domain/credential"
	"waybill/domain/fault"
	"waybill/store"
)

const (
	// keyFreshness is how long a secret that was found is trusted, and so how
	// long a revocation may take.
	keyFreshness = 2 * time.Second
	// maxKnownKeys bounds the memory for secrets.
	maxKnownKeys = 10_000
	// keyPatience is how long a look-up may take.
	keyPatience = 5 * time.Second
)

// keyring finds the owners of secrets. It caches existing ones for a short time
// and looks up unknown ones each time, so that a new one works at once.
type keyring struct {
	find    func(ctx context.Context, public string) (*knownKey, error)
	use     *keyUse
	now     func() time.Time
	flights singleflight.Group

	mu    sync.Mutex
	known map[string]*knownKey
}

// knownKey is a secret as it was found.
type knownKey struct {
	ref       keyRef
	hash      []byte
	end       *time.Time // nil means it has none
	principal *Principal
	until     time.Time // end of validity in the cache
}

func newKeyring(
	find func(ctx context.Context, public string) (*knownKey, error), use *keyUse, now func() time.Time,
) *keyring {
	return &keyring{find: find, use: use, now: now, known: make(map[string]*knownKey)}
}

// identify returns the principal of a secret, or a fault of kind Unauthenticated
// when it is unknown, wrong or has ended.
func (k *keyring) identify(ctx context.Context, key credential.Secret) (*Principal, error) {
	found, fresh := k.recall(key.Public())
	if !fresh {
		var err error
		if found, err = k.look(ctx, key.Public()); err != nil {
			return nil, err
		}
	}
	hash := key.Hash()
	if subtle.ConstantTimeCompare(found.hash, hash[:]) != 1 || found.end != nil && !k.now().Before(*found.end) {
		return nil, unauthenticated()
	}
	if !fresh {
		k.use.noteUse(ctx, found.ref)
	}
	return found.principal, nil
}

func (k *keyring) recall(public string) (*knownKey, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.known[public]
	return found, ok && k.now().Before(found.until)
}

// knows reports whether a secret was found before, even a while ago.
func (k *keyring) knows(public string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.known[public]
	return ok
}

// look finds a secret once for all requests that wait for it. The look-up
// outlives the request that began it.
func (k *keyring) look(ctx context.Context, public string) (*knownKey, error) {
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
	found, err := k.find(ctx, public)
	if errors.Is(err, store.ErrNotFound) || fault.KindOf(err) == fault.NotFound {
		return nil, unauthenticated()
	}
	if err != nil {
		return nil, err
	}
	found.until = until
	k.remember(public, found)
	return found, nil
}

// forget makes the next use of a secret look it up again.
func (k *keyring) forget(public string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, public)
}

func (k *keyring) remember(public string, found *knownKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxKnownKeys {
		k.makeRoom()
	}
	k.known[public] = found
}

// makeRoom evicts stale keys, or any key if none is stale.
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
