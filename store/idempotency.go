package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/store/queries"
)

// IdempotentCall names a request to carry out only once: by its organization,
// operation, caller and key. Fingerprint differs for a different request.
type IdempotentCall struct {
	OrgID     int64
	Operation string
	// Caller is the person or device that the key belongs to. It is empty for
	// the API keys of an organization, which share their idempotency keys.
	Caller      string
	Key         string
	Fingerprint []byte
}

// KeptAnswer is a stored answer, to be repeated.
type KeptAnswer struct {
	Status int
	Header map[string]string
	Body   []byte
}

// The outcomes of claiming a key other than getting it.
var (
	// ErrKeyReused is a key that was used for another request.
	ErrKeyReused = errors.New("the idempotency key was used for another request")
	// ErrKeyBusy is a key whose first request is still being worked on.
	ErrKeyBusy = errors.New("the request with this idempotency key is in progress")
)

// BusyKeyError is ErrKeyBusy with the remaining time of the claim on the key.
type BusyKeyError struct{ LapsesIn time.Duration }

// Error describes it.
func (e *BusyKeyError) Error() string { return ErrKeyBusy.Error() }

// Is reports that it is ErrKeyBusy.
func (e *BusyKeyError) Is(target error) bool { return target == ErrKeyBusy }

// ClaimKey claims the key of a call. The claim and the stored answer have
// separate lifetimes. If the call was answered before, kept is that answer;
// otherwise attempt has the claim.
func (s *Store) ClaimKey(
	ctx context.Context, c IdempotentCall, claimFor, keepFor time.Duration,
) (attempt *caller.Repeat, kept *KeptAnswer, err error) {
	claimed, err := s.of(c.OrgID).ClaimIdempotencyKey(ctx, queries.ClaimIdempotencyKeyParams{
		OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key, Fingerprint: c.Fingerprint,
		ClaimSeconds: claimFor.Seconds(), KeepSeconds: keepFor.Seconds(),
	})
	if err = translate(err); !errors.Is(err, ErrNotFound) {
		return &caller.Repeat{
			Operation: c.Operation, Repeater: c.Caller, Key: c.Key, Claim: claimed.Claim, Outcome: claimed.Outcome,
		}, nil, err
	}
	kept, err = s.keptAnswer(ctx, c)
	return nil, kept, err
}

// keptAnswer reads the answer to a call whose key is taken.
func (s *Store) keptAnswer(ctx context.Context, c IdempotentCall) (*KeptAnswer, error) {
	row, err := s.of(c.OrgID).ReadIdempotencyKey(ctx, queries.ReadIdempotencyKeyParams{
		OrgID: c.OrgID, Operation: c.Operation, Caller: c.Caller, Key: c.Key,
	})
	switch err = translate(err); {
	case errors.Is(err, ErrNotFound):
		return nil, ErrKeyBusy // it was released this moment
	case err != nil:
		return nil, err
	case !bytes.Equal(row.Fingerprint, c.Fingerprint):
		return nil, ErrKeyReused
	case row.Status == 0:
		return nil, &BusyKeyError{LapsesIn: time.Duration(row.LapsesIn * float64(time.Second))}
	}
	kept := &KeptAnswer{Status: int(row.Status), Body: row.Body}
	if err := json.Unmarshal(row.Headers, &kept.Header); err != nil {
		return nil, fmt.Errorf("headers of kept answer: %w", err)
	}
	return kept, nil
}

// KeepAnswer keeps the answer of an attempt that still has its key.
func (s *Store) KeepAnswer(ctx context.Context, org int64, attempt *caller.Repeat, a KeptAnswer) error {
	headers, err := json.Marshal(a.Header)
	if err != nil {
		return fmt.Errorf("headers of answer: %w", err)
	}
	return translate(s.of(org).KeepAnswer(ctx, queries.KeepAnswerParams{
		OrgID: org, Operation: attempt.Operation, Caller: attempt.Repeater, Key: attempt.Key, Claim: attempt.Claim,
		Status: int16(a.Status), Headers: headers, Body: a.Body,
	}))
}

// ReleaseKey releases the key of an attempt without an answer, so that the call
// can be retried. The effects of the attempt stay recorded.
func (s *Store) ReleaseKey(ctx context.Context, org int64, attempt *caller.Repeat) error {
	return translate(s.of(org).ReleaseIdempotencyKey(ctx, queries.ReleaseIdempotencyKeyParams{
		OrgID: org, Operation: attempt.Operation, Caller: attempt.Repeater, Key: attempt.Key, Claim: attempt.Claim,
	}))
}

// SaveOutcome saves the effect of an attempt in the transaction that has it. It
// returns ErrKeyBusy if another attempt has taken its key.
func (t *Tx) SaveOutcome(ctx context.Context, attempt *caller.Repeat, outcome []byte) error {
	n, err := t.q.KeepOutcome(ctx, queries.KeepOutcomeParams{
		OrgID: t.org, Operation: attempt.Operation, Caller: attempt.Repeater, Key: attempt.Key, Claim: attempt.Claim,
		Outcome: outcome,
	})
	if err == nil && n == 0 {
		err = ErrKeyBusy
	}
	return err
}

// ForgetOutcome deletes the effect of an attempt, in the transaction that
// undoes it.
func (t *Tx) ForgetOutcome(ctx context.Context, attempt *caller.Repeat) error {
	return t.q.ForgetOutcome(ctx, queries.ForgetOutcomeParams{
		OrgID: t.org, Operation: attempt.Operation, Caller: attempt.Repeater, Key: attempt.Key, Claim: attempt.Claim,
	})
}
