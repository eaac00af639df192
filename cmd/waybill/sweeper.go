package main

import (
	"context"
	"log/slog"
	"time"

	"waybill/pause"
	"waybill/store"
)

// sweepEvery is how often what has had its time is forgotten.
const sweepEvery = 10 * time.Minute

// keySweeper forgets idempotency keys that have expired, and how many messages there
// were on earlier days. Any number may work at the same time.
type keySweeper struct {
	store  *store.Store
	logger *slog.Logger
}

// Run forgets now and then, until ctx ends.
func (k *keySweeper) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if gone, err := k.store.ForgetExpiredKeys(ctx); err != nil && ctx.Err() == nil {
			k.logger.WarnContext(ctx, "idempotency keys not forgotten", "error", err)
		} else if gone > 0 {
			k.logger.InfoContext(ctx, "idempotency keys forgotten", "count", gone)
		}
		// Of the last days, one may still be today somewhere.
		if _, err := k.store.ForgetTallies(ctx, time.Now().AddDate(0, 0, -2)); err != nil && ctx.Err() == nil {
			k.logger.WarnContext(ctx, "tallies of messages not forgotten", "error", err)
		}
		pause.For(ctx, sweepEvery)
	}
	return nil
}
