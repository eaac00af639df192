package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/internal/wait"
)

const (
	looksTarget = 1.5
	looksTaken  = 200 // looks that are measured
	looksEvents = 200_000
	looksAtOnce = 5_000
)

// measureLooks measures rounds of the sequencer that find nothing: on an idle
// system, and after many events during a transaction that has held a snapshot
// since before them, as a dump does.
func measureLooks(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "looks")
	if err != nil {
		return nil, err
	}
	bare, err := s.looks(ctx)
	if err != nil {
		return nil, err
	}
	dump, err := s.owner.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("begin a dump: %w", err)
	}
	defer func() { _ = dump.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := dump.Exec(ctx, "select count(*) from events"); err != nil {
		return nil, fmt.Errorf("take a snapshot: %w", err)
	}
	for n := 0; n < looksEvents; n += looksAtOnce {
		if _, err := s.owner.Exec(ctx, `insert into events (org_id, kind, subject_type, subject_id, actor, cause)
			select $1, 'order.updated', 'order', n, 'system', 'bench' from generate_series(1, $2::int) n`, org.id, looksAtOnce); err != nil {
			return nil, fmt.Errorf("append events: %w", err)
		}
	}
	if err := s.swept(ctx); err != nil {
		return nil, err
	}
	ours, err := s.looks(ctx)
	if err != nil {
		return nil, err
	}
	note("a look of the sequencer: %.2f ms, after %d events with an old snapshot %.2f ms", median(bare), looksEvents, median(ours))
	return []result{atMost(looksTarget, fmt.Sprintf("look of the sequencer, %d events with an old snapshot : none", looksEvents), "ms",
		median(ours), median(bare), median(ours)/median(bare))}, nil
}

// swept waits until all events have their positions, and the sequencer need not look at
// them again.
func (s *site) swept(ctx context.Context) error {
	for {
		var done bool
		if err := s.owner.QueryRow(ctx, `select swept_id >= (select max(id) from events) and not exists
			(select from events where position is null) from event_sequencer`).Scan(&done); err != nil || done {
			return err
		}
		if !wait.For(ctx, time.Second) {
			return ctx.Err()
		}
		if _, err := s.owner.Exec(ctx, "select sequence_events($1)", looksAtOnce); err != nil {
			return fmt.Errorf("sequence events: %w", err)
		}
	}
}

// looks runs rounds of the sequencer, and returns how long each took.
func (s *site) looks(ctx context.Context) (took []float64, err error) {
	for range looksTaken {
		one, err := timed(func() error {
			_, err := s.owner.Exec(ctx, "select sequence_events($1)", looksAtOnce)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for events: %w", err)
		}
		took = append(took, one)
	}
	return took, nil
}
