package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"waybill/store/queries"
)

// IdempotentCall names a request that shall be carried out once: by its
// organization, operation, caller and key. Fingerprint tells another request
// apart.
type IdempotentCall struct {
	OrgID     int64
	Operation string
	// Caller is the person or device that the key belongs to; empty for the API
	// keys of the organization, which share theirs.
	Caller      string
	Key         string
	Fingerprint []byte
}

// KeptAnswer is an answer that is given again.
type KeptAnswer struct {
	Status int
	Header map[string]string
	Body   []byte
}

// The outcomes of claiming a key other than getting it.
var (
	// ErrKeyReused is a key that was used for another request.
	ErrKeyReused = errors.New("the idempotency key belongs to another request")
	// ErrKeyBusy is a key whose first request is still being worked on.
	ErrKeyBusy = errors.New("the request of the idempotency key is being worked on")
)

// ClaimKey takes the key of a call, for so long and to be kept for so long. When
// the call was answered before it gives that answer; else claim is what KeepAnswer
// and ReleaseKey ask for.
func (s *Store) ClaimKey(ctx context.Context, c IdempotentCall, claimFor, keepFor time.Duration) (claim int64, kept *KeptAnswer, err error) {
	claim, err = s.of(c.OrgID).ClaimIdempotencyKey(ctx, queries.ClaimIdempotencyKeyParams{
		OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key, Fingerprint: c.Fingerprint,
		ClaimSeconds: claimFor.Seconds(), KeepSeconds: keepFor.Seconds(),
	})
	if err = translate(err); !errors.Is(err, ErrNotFound) {
		return claim, nil, err
	}
	row, err := s.of(c.OrgID).ReadIdempotencyKey(ctx, queries.ReadIdempotencyKeyParams{OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key})
	switch err = translate(err); {
	case errors.Is(err, ErrNotFound):
		return 0, nil, ErrKeyBusy // it was released this moment
	case err != nil:
		return 0, nil, err
	case !bytes.Equal(row.Fingerprint, c.Fingerprint):
		return 0, nil, ErrKeyReused
	case row.Status == 0:
		return 0, nil, ErrKeyBusy
	}
	kept = &KeptAnswer{Status: int(row.Status), Body: row.Body}
	if err := json.Unmarshal(row.Headers, &kept.Header); err != nil {
		return 0, nil, fmt.Errorf("headers of kept answer: %w", err)
	}
	return 0, kept, nil
}

// KeepAnswer keeps the answer to a call whose key is claimed.
func (s *Store) KeepAnswer(ctx context.Context, c IdempotentCall, claim int64, a KeptAnswer) error {
	headers, err := json.Marshal(a.Header)
	if err != nil {
		return fmt.Errorf("headers of answer: %w", err)
	}
	return translate(s.of(c.OrgID).KeepAnswer(ctx, queries.KeepAnswerParams{
		OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key, Claim: claim, Status: int16(a.Status), Headers: headers, Body: a.Body,
	}))
}

// ReleaseKey gives a claimed key back, so that the call can be tried again.
func (s *Store) ReleaseKey(ctx context.Context, c IdempotentCall, claim int64) error {
	return translate(s.of(c.OrgID).ReleaseIdempotencyKey(ctx, queries.ReleaseIdempotencyKeyParams{
		OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key, Claim: claim,
	}))
}

// sweepBatch is how many expired keys one statement forgets.
const sweepBatch = 1000

// ForgetExpiredKeys forgets the expired keys of all organizations, and returns
// how many those were.
func (s *Store) ForgetExpiredKeys(ctx context.Context) (gone int, err error) {
	for {
		n, err := s.anyone().ForgetIdempotencyKeys(ctx, sweepBatch)
		gone += int(n)
		if err != nil || n < sweepBatch {
			return gone, translate(err)
		}
	}
}
