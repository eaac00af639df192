package people

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"waybill/domain/account"
	"waybill/store"
)

// challengeKind is a procedure that an anonymous caller begins and finishes a
// moment later.
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
	providerSignIn = challengeKind{"elsewhere", 1, account.ChallengeLifetime}
)

// challenge saves the data of a challenge, and returns the secret with which to
// answer it.
func (o *Operations) challenge(ctx context.Context, k challengeKind, about any) (pending string, err error) {
	now := o.now()
	pending = rand.Text()
	return pending, o.store.CreateChallenge(ctx, pending, store.Challenge{
		Purpose: k.purpose, Tries: k.tries, Expires: now.Add(k.lifetime),
	}, about, now)
}

// met uses one try of a challenge and decodes its data into about. It reports
// whether the challenge exists and has tries left.
func (o *Operations) met(ctx context.Context, k challengeKind, pending string, about any) (ok bool, err error) {
	err = o.store.TakeChallenge(ctx, pending, k.purpose, about, o.now())
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
