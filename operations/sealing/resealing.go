package sealing

import (
	"context"
	"errors"
	"fmt"
)

// Values are all that is sealed, of all organizations.
type Values interface {
	Values(ctx context.Context) ([][]byte, error)
	Replace(ctx context.Context, before, after [][]byte) error
}

// Resealed is the result of resealing.
type Resealed struct {
	// Done were sealed again, Already were sealed with this secret before, and
	// no secret opens Lost.
	Done, Already, Lost int
}

// ErrLost means that no secret opens some of the values.
var ErrLost = errors.New("no secret opens them")

// Reseal seals values that other secrets open with the secret of this process.
// After that the other secrets can be removed. The canary comes last: it stays
// unchanged while a value is lost, unless giveUp.
func (s *Sealer) Reseal(ctx context.Context, of Values, giveUp bool) (done Resealed, err error) {
	values, err := of.Values(ctx)
	if err != nil {
		return done, err
	}
	var before, after [][]byte
	for _, sealed := range values {
		plain, by, err := s.openWith(ctx, s.store, sealed)
		switch {
		case errors.Is(err, ErrSealed):
			done.Lost++
			continue
		case err != nil:
			return done, err
		case by == s.settings.Secret:
			done.Already++
			continue
		}
		fresh, err := s.sealWith(ctx, s.store, s.settings.Secret, plain)
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
	return done, s.resealCanary(ctx)
}

// resealCanary makes only processes with this secret start.
func (s *Sealer) resealCanary(ctx context.Context) error {
	sealed, _, err := s.store.Canary(ctx)
	if err != nil {
		return fmt.Errorf("read the sealed canary: %w", err)
	}
	if sealed != nil {
		if _, by, err := s.openWith(ctx, s.store, sealed); err == nil && by == s.settings.Secret {
			return nil
		}
	}
	fresh, err := s.sealWith(ctx, s.store, s.settings.Secret, []byte(canary))
	if err != nil {
		return err
	}
	if ours, err := s.store.PutCanary(ctx, fresh, sealed); err != nil || !ours {
		return errors.Join(err, errors.New("another process sealed the canary at the same time: run the command again"))
	}
	return nil
}
