package people

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"waybill/domain/account"
	"waybill/store"
)

// challengeKind is something that is begun with somebody who is not signed in yet
// and finished a moment later.
type challengeKind struct {
	purpose string
	// tries is how often an answer may be brought.
	tries    int16
	lifetime time.Duration
}

var (
	// secondFactor is met by a one-time password or a recovery code.
	secondFactor = challengeKind{"factor", 5, account.ChallengeLifetime}
	// phoneCode is met by a code in a text message.
	phoneCode = challengeKind{"phone code", 5, account.PhoneCodeLifetime}
	// newPasskey is met by a passkey that a browser has made.
	newPasskey = challengeKind{"new passkey", 1, account.ChallengeLifetime}
	// showsPasskey is met by a passkey of an account.
	showsPasskey = challengeKind{"passkey", 1, account.ChallengeLifetime}
	// elsewhere is met at an identity provider.
	elsewhere = challengeKind{"elsewhere", 1, account.ChallengeLifetime}
)

// challenge keeps what is to be known when a challenge is met, and returns with
// what the answer is brought back.
func (o *Operations) challenge(ctx context.Context, k challengeKind, about any) (pending string, err error) {
	now := o.now()
	pending = rand.Text()
	return pending, o.store.CreateChallenge(ctx, pending, store.Challenge{
		Purpose: k.purpose, Tries: k.tries, Expires: now.Add(k.lifetime),
	}, about, now)
}

// met uses one of the tries of a challenge and reads what was kept into about. It
// reports whether there is such a challenge and it may still be tried.
func (o *Operations) met(ctx context.Context, k challengeKind, pending string, about any) (ok bool, err error) {
	err = o.store.TakeChallenge(ctx, pending, k.purpose, about, o.now())
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
