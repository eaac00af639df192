package operations

import (
	"context"
	"errors"
	"fmt"
)

// SealedValues are all that is sealed, of all organizations.
type SealedValues interface {
	Values(ctx context.Context) ([][]byte, error)
	Replace(ctx context.Context, before, after [][]byte) error
}

// Resealed is what came of resealing.
type Resealed struct {
	// Done were sealed again, Already were sealed with this secret before, and nothing opens
	// Lost.
	Done, Already, Lost int
}

// ErrLost means that no secret opens some of the values.
var ErrLost = errors.New("no secret opens them")

// Reseal seals with the secret of this process what other secrets open. After that they may
// go. The canary goes last: it stays as it is while a value is lost, unless giveUp.
func (o *Operations) Reseal(ctx context.Context, of SealedValues, giveUp bool) (done Resealed, err error) {
	values, err := of.Values(ctx)
	if err != nil {
		return done, err
	}
	var before, after [][]byte
	for _, sealed := range values {
		plain, by, err := o.unsealWith(ctx, o.store, sealed)
		switch {
		case errors.Is(err, errSealed):
			done.Lost++
			continue
		case err != nil:
			return done, err
		case by == o.settings.SealingSecret:
			done.Already++
			continue
		}
		fresh, err := o.sealWith(ctx, o.store, o.settings.SealingSecret, plain)
		if err != nil {
			return done, err
		}
		before, after = append(before, sealed), append(after, fresh)
	}
	if done.Lost > 0 && !giveUp {
		return done, ErrLost
	}
	if err := of.Replace(ctx, before, after); err != nil {
		return done, err
	}
	done.Done = len(before)
	return done, o.resealCanary(ctx)
}

// resealCanary has processes that know this secret start, and no others.
func (o *Operations) resealCanary(ctx context.Context) error {
	sealed, _, err := o.store.Canary(ctx)
	if err != nil {
		return fmt.Errorf("read the sealed canary: %w", err)
	}
	if sealed != nil {
		if _, by, err := o.unsealWith(ctx, o.store, sealed); err == nil && by == o.settings.SealingSecret {
			return nil
		}
	}
	fresh, err := o.sealWith(ctx, o.store, o.settings.SealingSecret, []byte(canary))
	if err != nil {
		return err
	}
	if ours, err := o.store.PutCanary(ctx, fresh, sealed); err != nil || !ours {
		return errors.Join(err, errors.New("another process sealed the canary at the same time: run the command again"))
	}
	return nil
}
