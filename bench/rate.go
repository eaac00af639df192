package main

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// perSecond runs do count times, with some concurrency, and returns the rate
// per second.
func perSecond(ctx context.Context, atOnce, count int, do func(ctx context.Context, i int) error) (float64, error) {
	took, err := timed(func() error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(atOnce)
		for i := range count {
			group.Go(func() error { return do(ctx, i) })
		}
		return group.Wait()
	})
	return float64(count) / took * 1000, err
}
