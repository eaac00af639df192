package core

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"waybill/domain/housekeeping"
	"waybill/store"
)

// DryRunCount is up to how many things a dry run of a duty counts.
const DryRunCount = 100_000

// organizationsAtOnce is for how many organizations one step of a duty does a batch each, so
// that none waits for another.
const organizationsAtOnce = 20

// InTurns does a batch of a duty for some organizations, and goes on behind them the next time.
// What fails of one organization keeps no other one waiting.
func InTurns[T any](
	ctx context.Context, s *store.Store, duty housekeeping.Duty, behind func(context.Context, int64) ([]T, error),
	id func(T) int64, batch func(T) (count int, left bool, err error),
) (done housekeeping.Batch, err error) {
	mark, err := s.HouseMark(ctx, duty)
	if err != nil {
		return done, err
	}
	// The mark says behind which organization it goes on, and whether there is more in
	// one of those before.
	last, more := strings.CutSuffix(mark, "+")
	after, _ := strconv.ParseInt(last, 10, 64)
	orgs, err := behind(ctx, after)
	if err != nil {
		return done, err
	}
	var failures []error
	some := orgs[:min(len(orgs), organizationsAtOnce)]
	for _, org := range some {
		n, left, err := batch(org)
		if err != nil {
			failures = append(failures, fmt.Errorf("organization %d: %w", id(org), err))
		}
		done.Done, more, after = done.Done+n, more || left, id(org)
	}
	next := ""
	if len(orgs) > len(some) {
		next = strconv.FormatInt(after, 10)
		if more {
			next += "+"
		}
	}
	done.Left = next != "" || more
	failures = append(failures, s.SetHouseMark(ctx, duty, next))
	return done, errors.Join(failures...)
}
