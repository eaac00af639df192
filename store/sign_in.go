package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/domain/credential"
	"waybill/store/queries"
)

// Credentials are what a user signs in with.
type Credentials = queries.UserCredentialsRow

// CredentialsByEmail returns the credentials of the user with an address, or
// ErrNotFound.
func (s *Store) CredentialsByEmail(ctx context.Context, org int64, email string) (Credentials, error) {
	if !IsText(email) {
		return Credentials{}, ErrNotFound
	}
	row, err := s.of(org).UserCredentials(ctx, queries.UserCredentialsParams{OrgID: org, Email: email})
	return row, translate(err)
}

// IsText reports whether Postgres can store a text: UTF-8 without NUL. A text
// that it can't store matches nothing.
func IsText(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// Credentials returns those of a user.
func (s *Store) Credentials(ctx context.Context, org, user int64) (Credentials, error) {
	row, err := s.of(org).UserCredentials(ctx, queries.UserCredentialsParams{OrgID: org, ID: user})
	return row, translate(err)
}

// Credentials returns those of a user, as the transaction sees them.
func (t *Tx) Credentials(ctx context.Context, user int64) (Credentials, error) {
	row, err := t.q.UserCredentials(ctx, queries.UserCredentialsParams{OrgID: t.org, ID: user})
	return row, absent("user", user, err)
}

// SetPassphrase keeps the hash of a user's passphrase.
func (t *Tx) SetPassphrase(ctx context.Context, user int64, hash string) error {
	return t.q.SetPassphrase(ctx, queries.SetPassphraseParams{OrgID: t.org, ID: user, Passphrase: &hash})
}

// Throttle is how many failed tries a subject has, and how long it is blocked
// then.
type Throttle struct {
	Free    int32         // tries without a pause
	Longest time.Duration // pauses double up to this
	Forget  time.Duration // without a try for this long, the count starts over
}

// BeginTry counts a try of a subject as a failure before it is made, so that tries
// on all instances count. It returns when the next may be made and false while the
// subject has to pause.
func (s *Store) BeginTry(
	ctx context.Context, subject string, by Throttle, now time.Time,
) (next time.Time, ok bool, err error) {
	sum := sha256.Sum256([]byte(subject))
	_, err = s.anyone().BeginTry(ctx, queries.BeginTryParams{
		Subject: sum[:], At: now, Forget: now.Add(-by.Forget), Free: by.Free, Longest: int32(by.Longest / time.Second),
	})
	if err = translate(err); !errors.Is(err, ErrNotFound) {
		return time.Time{}, err == nil, err
	}
	next, err = s.anyone().NextTry(ctx, sum[:])
	return next, false, translate(err)
}

// EndTries resets a subject's tries after it succeeded.
func (s *Store) EndTries(ctx context.Context, subject string) error {
	sum := sha256.Sum256([]byte(subject))
	return translate(s.anyone().EndTries(ctx, sum[:]))
}

// UndoTry takes back the last try of a subject, because it succeeded.
func (s *Store) UndoTry(ctx context.Context, subject string) error {
	sum := sha256.Sum256([]byte(subject))
	return translate(s.anyone().UndoTry(ctx, sum[:]))
}

// Challenge is a procedure that an anonymous caller begins and finishes a
// moment later with its secret.
type Challenge struct {
	Purpose string
	Tries   int16
	Expires time.Time
}

// CreateChallenge saves the data of a challenge until it is answered. It
// deletes old ones.
func (s *Store) CreateChallenge(ctx context.Context, secret string, c Challenge, data any, now time.Time) error {
	encoded, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("write challenge: %w", err)
	}
	sum := sha256.Sum256([]byte(secret))
	return translate(s.anyone().CreateChallenge(ctx, queries.CreateChallengeParams{
		ID: sum[:], Purpose: c.Purpose, Data: encoded, Tries: c.Tries, ExpiresAt: c.Expires, At: now,
	}))
}

// TakeChallenge uses one try of a challenge and returns its data, or
// ErrNotFound if there is no valid one.
func (s *Store) TakeChallenge(ctx context.Context, secret, purpose string, data any, now time.Time) error {
	sum := sha256.Sum256([]byte(secret))
	encoded, err := s.anyone().TakeChallenge(ctx, queries.TakeChallengeParams{ID: sum[:], Purpose: purpose, At: now})
	if err != nil {
		return translate(err)
	}
	return json.Unmarshal(encoded, data)
}

// EndChallenge forgets a challenge.
func (s *Store) EndChallenge(ctx context.Context, secret string) error {
	sum := sha256.Sum256([]byte(secret))
	return translate(s.anyone().EndChallenge(ctx, sum[:]))
}

// CodePurpose is the only purpose for which a code is valid.
type CodePurpose string

// The purposes of codes.
const (
	InvitationCode CodePurpose = "invitation"
	ResetCode      CodePurpose = "reset"
	EnrolmentCode  CodePurpose = "enrolment"
	PhoneCode      CodePurpose = "phone"
)

// AccountCode is a code as it was found, whether or not it is still good.
type AccountCode struct {
	OrgID, ID        int64
	Purpose          CodePurpose
	Hash             []byte
	UserID, DriverID int64
	ExpiresAt        time.Time
	UsedAt           *time.Time
}

// Written by hand, because sqlc does not know the columns of a function's
// result.
const findAccountCode = `
	SELECT org_id, id, purpose, hash, coalesce(user_id, 0), coalesce(driver_id, 0), expires_at, used_at
	FROM find_account_code($1)`

// FindAccountCode returns the code with a public part, or ErrNotFound.
func (s *Store) FindAccountCode(ctx context.Context, public string) (AccountCode, error) {
	var c AccountCode
	err := s.find(ctx, findAccountCode, public,
		&c.OrgID, &c.ID, &c.Purpose, &c.Hash, &c.UserID, &c.DriverID, &c.ExpiresAt, &c.UsedAt)
	return c, err
}

// NewAccountCode is a code to be kept.
type NewAccountCode struct {
	SessionOwner

	Purpose CodePurpose
	Secret  credential.Secret
	At      time.Time
	Expires time.Time
}

// CreateAccountCode keeps a code.
func (t *Tx) CreateAccountCode(ctx context.Context, n NewAccountCode) error {
	hash := n.Secret.Hash()
	return t.q.CreateAccountCode(ctx, queries.CreateAccountCodeParams{
		OrgID: t.org, Purpose: string(n.Purpose), PublicPart: n.Secret.Public(), Hash: hash[:], UserID: n.UserID,
		DriverID: n.DriverID, TriesLeft: 1, At: n.At, ExpiresAt: n.Expires,
	})
}

// UseAccountCode uses a code up, and with it all that its owner still has, or
// ErrNotFound if it was used, or has ended, before.
func (t *Tx) UseAccountCode(ctx context.Context, c AccountCode, now time.Time) error {
	if _, err := t.q.UseAccountCode(ctx, queries.UseAccountCodeParams{OrgID: t.org, ID: c.ID, At: now}); err != nil {
		return translate(err)
	}
	return t.EndAccountCodes(ctx, SessionOwner{UserID: c.UserID, DriverID: c.DriverID}, now)
}

// EndAccountCodesFor ends a user's codes for one purpose.
func (t *Tx) EndAccountCodesFor(ctx context.Context, owner SessionOwner, purpose CodePurpose, now time.Time) error {
	return t.q.EndAccountCodes(ctx, queries.EndAccountCodesParams{
		OrgID: t.org, Purpose: string(purpose), At: now, UserID: owner.UserID, DriverID: owner.DriverID,
	})
}

// EndAccountCodes ends all codes of a user.
func (t *Tx) EndAccountCodes(ctx context.Context, owner SessionOwner, now time.Time) error {
	return t.q.EndAccountCodes(ctx, queries.EndAccountCodesParams{
		OrgID: t.org, At: now, UserID: owner.UserID, DriverID: owner.DriverID,
	})
}
