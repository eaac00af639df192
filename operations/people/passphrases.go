package people

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"

	"waybill/domain/account"
)

// hashing is the cost of a passphrase hash: 46 MiB and some 40 ms, the same on
// every machine.
var hashing = &argon2id.Params{Memory: 46 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashesAtOnce bounds the memory for hashes, however many users sign in at
// once.
const hashesAtOnce = 2

// nobodysHash is compared if there is no account, so that it takes as long. No
// passphrase has this hash.
const nobodysHash = "$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// passphrases hashes passphrases, few at a time.
type passphrases struct {
	slots chan struct{}
	check func(passphrase, hash string) (ok bool, params *argon2id.Params, err error)
}

func newPassphrases() *passphrases {
	return &passphrases{
		slots: make(chan struct{}, min(hashesAtOnce, runtime.GOMAXPROCS(0))), check: argon2id.CheckHash,
	}
}

func (p *passphrases) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait to hash a passphrase: %w", ctx.Err())
	}
}

func (p *passphrases) leave() { <-p.slots }

// hash returns the stored form of a passphrase.
func (p *passphrases) hash(ctx context.Context, passphrase string) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	hash, err := argon2id.CreateHash(account.Normal(passphrase), hashing)
	if err != nil {
		return "", fmt.Errorf("hash a passphrase: %w", err)
	}
	return hash, nil
}

// match reports whether a passphrase matches a hash, and whether the hash is of
// an older kind. Without a hash it takes as long, and returns false.
func (p *passphrases) match(ctx context.Context, hash, passphrase string) (ok, stale bool, err error) {
	if err := p.enter(ctx); err != nil {
		return false, false, err
	}
	defer p.leave()
	known := hash != ""
	if !known {
		hash = nobodysHash
	}
	ok, params, err := p.check(account.Normal(passphrase), hash)
	if err != nil {
		return false, false, fmt.Errorf("compare a passphrase: %w", err)
	}
	return ok && known, *params != *hashing, nil
}
