// Package core is what the subjects of operations share: requests that are
// repeated, the answers to suspended organizations, the object storage, and duties
// that take turns of organizations.
package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// Once does work in one transaction. For a request that may be repeated, it
// saves the outcome in the same transaction: if the response is lost, the next
// attempt returns the first one's outcome, and does nothing. So either both are
// saved, or neither.
func Once[T any](
	ctx context.Context, s *store.Store, c caller.Caller, work func(*store.Tx) (T, error),
) (T, error) {
	outcome, done, err := Earlier[T](c)
	if done || err != nil {
		return outcome, err
	}
	err = s.InTx(ctx, c, func(t *store.Tx) (err error) {
		if outcome, err = work(t); err != nil {
			return err
		}
		return keepOutcome(ctx, t, c, outcome)
	})
	if err != nil {
		var none T
		return none, err
	}
	return outcome, nil
}

// Earlier returns the outcome of an earlier attempt at the request, if any.
func Earlier[T any](c caller.Caller) (outcome T, done bool, err error) {
	if c.Repeat == nil || len(c.Repeat.Outcome) == 0 {
		return outcome, false, nil
	}
	if err := json.Unmarshal(c.Repeat.Outcome, &outcome); err != nil {
		return outcome, false, fmt.Errorf("outcome of the earlier attempt: %w", err)
	}
	return outcome, true, nil
}

// keepOutcome saves the outcome for later attempts. It fails if the attempt was
// so slow that another one has begun.
func keepOutcome(ctx context.Context, t *store.Tx, c caller.Caller, outcome any) error {
	if c.Repeat == nil {
		return nil
	}
	raw, err := json.Marshal(outcome)
	if err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	err = t.SaveOutcome(ctx, c.Repeat, raw)
	if errors.Is(err, store.ErrKeyBusy) {
		return &fault.Error{
			Kind: fault.Conflict, Text: fault.Say("idempotency.busy", "count", "1"),
			Resource: "idempotency_key", Name: c.Repeat.Key,
		}
	}
	return err
}
