package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// One-time passwords are six digits, a new one every half minute; a clock may be
// one of those off.
const (
	totpPeriod   = 30
	totpSkew     = 1
	recoveryKept = 10
)

// pendingFactor is a user who has yet to provide the second factor.
type pendingFactor struct{ Org, User int64 }

func (o *Operations) askForFactor(ctx context.Context, org, user int64) (string, error) {
	return o.challenge(ctx, secondFactor, pendingFactor{org, user})
}

// factorSubject names the second factor of an account for the throttle, so that
// codes are counted after any first step: a passphrase, or a provider.
func factorSubject(org, user int64) string { return fmt.Sprintf("factor\x00%d\x00%d", org, user) }

// FinishSignIn opens a session for a user with the second factor: a one-time
// password, or one of the recovery codes.
func (o *Operations) FinishSignIn(ctx context.Context, a *Attempt, pending, code string) (*OpenedSession, error) {
	var who pendingFactor
	switch ok, err := o.met(ctx, secondFactor, pending, &who); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, codeFailed()
	}
	user, err := o.store.Credentials(ctx, who.Org, who.User)
	if err != nil {
		return nil, err
	}
	if account.State(user.State) != account.Active {
		return nil, codeFailed()
	}
	subject := factorSubject(who.Org, who.User)
	if err := o.admit(ctx, subject, accountThrottle); err != nil {
		return nil, err
	}
	ok, err := o.useFactor(ctx, person(who.Org, who.User, a.Cause), who.User, code)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, codeFailed()
	}
	if err := o.store.EndTries(ctx, subject); err != nil {
		return nil, err
	}
	if err := o.store.EndChallenge(ctx, pending); err != nil {
		return nil, err
	}
	return o.letIn(ctx, a, who.Org, &user)
}

// useFactor uses up a one-time password or a recovery code of a user, and reports
// whether it was good.
func (o *Operations) useFactor(ctx context.Context, c caller.Caller, user int64, code string) (ok bool, err error) {
	code = strings.ToLower(strings.Join(strings.Fields(code), ""))
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if len(code) != otp.DigitsSix.Length() {
			ok, err = t.UseRecoveryCode(ctx, user, recoveryHash(code), o.now())
			if err != nil || !ok {
				return err
			}
			return t.Append(ctx, event.User{ID: user}.Event(event.RecoveryCodeUsed))
		}
		ok, err = o.useTOTP(ctx, t, user, code, true)
		return err
	})
	return ok, err
}

// useTOTP uses up a one-time password. An unconfirmed seed counts only if
// confirmed is false.
func (o *Operations) useTOTP(ctx context.Context, t *store.Tx, user int64, code string, confirmed bool) (bool, error) {
	kept, err := t.TOTPSeed(ctx, user)
	if errors.Is(err, store.ErrNotFound) || err == nil && (kept.ConfirmedAt != nil) != confirmed {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	seed, err := o.sealer.Open(ctx, t, kept.Seed)
	if err != nil {
		return false, err
	}
	step, ok := totpStep(string(seed), code, o.now())
	if !ok {
		return false, nil
	}
	return t.UseTOTPStep(ctx, user, step, o.now())
}

// totpStep returns the step of time that a one-time password is of.
func totpStep(seed, code string, now time.Time) (int64, bool) {
	present := now.Unix() / totpPeriod
	for step := present - totpSkew; step <= present+totpSkew; step++ {
		want, err := hotp.GenerateCode(seed, uint64(step))
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}

// NewTOTP is a seed of one-time passwords as an authenticator takes it. It counts
// once ConfirmTOTP has seen a password of it.
type NewTOTP struct {
	Secret string
	// URI holds all of it, to be drawn as a picture.
	URI string
}

// BeginTOTP creates a seed of one-time passwords for a user without an active
// one.
func (o *Operations) BeginTOTP(ctx context.Context, c caller.Caller, user int64) (NewTOTP, error) {
	who, err := o.store.Credentials(ctx, c.OrgID, user)
	if err != nil {
		return NewTOTP{}, err
	}
	if who.HasTotp {
		return NewTOTP{}, fault.Illegal("totp.exists", "user", fmt.Sprint(user))
	}
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: "Waybill " + who.Organization, AccountName: who.Email, Period: totpPeriod, Rand: rand.Reader,
	})
	if err != nil {
		return NewTOTP{}, fmt.Errorf("generate a seed: %w", err)
	}
	sealed, err := o.sealer.Seal(ctx, o.store, []byte(key.Secret()))
	if err != nil {
		return NewTOTP{}, err
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error { return t.PutTOTPSeed(ctx, user, sealed) })
	return NewTOTP{Secret: key.Secret(), URI: key.URL()}, err
}

// ConfirmTOTP makes a user's one-time passwords count, once one of them is shown,
// and returns the recovery codes for a day without them; they are shown this once.
func (o *Operations) ConfirmTOTP(ctx context.Context, c caller.Caller, user int64, code string) (codes []string, err error) {
	hashes := make([][]byte, recoveryKept)
	codes = make([]string, recoveryKept)
	for i := range codes {
		text := strings.ToLower(rand.Text())
		codes[i] = text[:5] + "-" + text[5:10] + "-" + text[10:15] + "-" + text[15:20]
		hashes[i] = recoveryHash(codes[i])
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		ok, err := o.useTOTP(ctx, t, user, code, false)
		if err != nil {
			return err
		}
		if !ok {
			return &fault.Error{
				Kind: fault.Unprocessable, Text: fault.Say("request.invalid"),
				Violations: []fault.Violation{{Field: "code", Text: fault.Say("totp.wrong")}},
			}
		}
		if err := t.PutRecoveryCodes(ctx, user, hashes); err != nil {
			return err
		}
		return t.Append(ctx, event.User{ID: user}.Event(event.FactorAdded))
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// RemoveTOTPOf removes the one-time passwords and recovery codes of a user who
// has lost them, and notifies the user. It refuses accounts that cover more
// than the caller has.
func (o *Operations) RemoveTOTPOf(ctx context.Context, c caller.Caller, id int64) error {
	user, err := o.store.User(ctx, c.OrgID, id)
	if err != nil {
		return err
	}
	if err := mayGive(c, user.Grants()...); err != nil {
		return err
	}
	return o.RemoveTOTP(ctx, c, id)
}

// RemoveTOTP ends a user's one-time passwords and recovery codes.
func (o *Operations) RemoveTOTP(ctx context.Context, c caller.Caller, user int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		removed, err := t.RemoveTOTP(ctx, user)
		if err != nil || !removed {
			return err
		}
		return t.Append(ctx, event.User{ID: user}.Event(event.FactorRemoved))
	})
}

func recoveryHash(code string) []byte {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(code, "-", "")))
	return sum[:]
}
