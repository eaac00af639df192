package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Event is one change of state that has its place in the log.
type Event struct {
	OrgID, ID, Position int64
	Kind                event.Kind
	// OrderID and DraftID are 0, ExternalID and Stop empty, and Status 0, where
	// the event has none.
	OrderID, DraftID int64
	ExternalID       string
	Status           order.Status
	Stop             string
	OccurredAt       time.Time
}

// sequencerLock is the advisory lock that the one sequencer at work holds.
const sequencerLock = 0x7761796269 // "waybi"

// Sequencer is the right to give committed events their positions. Only one is
// held at a time, in all processes. Were there ever two, the lock on the
// sequencer's row would still make them take turns.
type Sequencer struct {
	conn *pgxpool.Conn
	q    *queries.Queries
}

// ClaimSequencer returns the sequencer, or nil when another process holds it.
// Whoever gets it must release it.
func (s *Store) ClaimSequencer(ctx context.Context) (*Sequencer, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	var ours bool
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", int64(sequencerLock)).Scan(&ours)
	if err != nil || !ours {
		conn.Release()
		return nil, translate(err)
	}
	return &Sequencer{conn: conn, q: queries.New(conn)}, nil
}

// Sequence gives positions to at most so many committed events, in the order of
// their commits, and returns to how many.
func (s *Sequencer) Sequence(ctx context.Context, atMost int) (int, error) {
	given, err := s.q.SequenceEvents(ctx, int32(atMost))
	if err != nil {
		return 0, fmt.Errorf("sequence events: %w", translate(err))
	}
	return int(given), nil
}

// Release lets another process have the sequencer at once. An error means that
// the connection is lost, and the right with it.
func (s *Sequencer) Release(ctx context.Context) error {
	defer s.conn.Release()
	if _, err := s.conn.Exec(ctx, "select pg_advisory_unlock($1)", int64(sequencerLock)); err != nil {
		return errors.Join(err, s.conn.Conn().Close(ctx))
	}
	return nil
}

// EventsFor returns the next events that a follower of the log has not taken
// yet, at most so many, of all organizations and oldest first.
func (s *Store) EventsFor(ctx context.Context, follower string, atMost int) ([]Event, error) {
	rows, err := s.anyone().FollowEvents(ctx, queries.FollowEventsParams{Follower: follower, Batch: int32(atMost)})
	if err != nil {
		return nil, fmt.Errorf("read the log for %s: %w", follower, translate(err))
	}
	events := make([]Event, len(rows))
	for i, row := range rows {
		events[i] = Event{
			OrgID: row.OrgID, ID: row.ID, Position: row.Position, Kind: event.Kind(row.Kind),
			OrderID: row.OrderID, DraftID: row.DraftID, ExternalID: row.ExternalID,
			Status: order.Status(row.OrderStatusID), Stop: row.Stop, OccurredAt: row.OccurredAt,
		}
	}
	return events, nil
}

// AdvanceFollower notes that a follower has taken everything up to a position.
// A crash may lose the note; the same events then come again.
func (s *Store) AdvanceFollower(ctx context.Context, follower string, position int64) error {
	noted, err := s.anyone().AdvanceFollower(ctx, queries.AdvanceFollowerParams{Name: follower, Position: position})
	if err != nil {
		return fmt.Errorf("advance follower %s: %w", follower, translate(err))
	}
	if noted == 0 {
		return fmt.Errorf("there is no follower %q", follower)
	}
	return nil
}

// ParkEvent notes that a follower went on without an event, which it could not take.
func (s *Store) ParkEvent(ctx context.Context, follower string, e *Event, reason string) error {
	return translate(s.of(e.OrgID).ParkEvent(ctx, queries.ParkEventParams{
		OrgID: e.OrgID, Follower: follower, EventID: e.ID, Position: e.Position, Kind: string(e.Kind), Reason: reason,
	}))
}

// Append appends events to the log.
func (t *Tx) Append(ctx context.Context, events ...event.Event) error {
	return t.appendEvents(ctx, t.q, events...)
}

// appendEvents appends events that are not decided together with orders.
func (t *Tx) appendEvents(ctx context.Context, q *queries.Queries, events ...event.Event) error {
	if len(events) == 0 {
		return nil
	}
	p := queries.AppendEventsParams{OrgID: t.org}
	for i, e := range events {
		var orderID int64
		if e.Subject == event.OfOrder {
			orderID = e.ID
		}
		var data []byte
		if e.Data != nil {
			var err error
			if data, err = jsonv2.Marshal(e.Data); err != nil {
				return fmt.Errorf("write %s: %w", e.Kind, err)
			}
		}
		columns.Add(&p.Kinds, string(e.Kind))
		columns.Add(&p.SubjectTypes, string(e.Subject))
		columns.Add(&p.SubjectIds, e.ID)
		columns.Add(&p.OrderIds, orderID)
		columns.Add(&p.ExternalIds, e.Name)
		columns.Add(&p.Datas, string(data))
		columns.Add(&p.Seqs, int32(i))
	}
	return q.AppendEvents(ctx, p)
}

// MakeEventPartitions makes room in the log for the months to come, where it is
// missing, and returns how many partitions it made.
func (s *Store) MakeEventPartitions(ctx context.Context) (int, error) {
	made, err := s.anyone().MakeEventPartitions(ctx)
	if err != nil {
		return 0, fmt.Errorf("make partitions of the log: %w", translate(err))
	}
	return int(made), nil
}

// Lag is how far behind the log's work is.
type Lag struct {
	// Oldest is for how long the oldest event waits for its position.
	Oldest time.Duration
	// Behind is how many positions each follower has not taken, by its name.
	Behind map[string]int64
}

// Lag returns how far behind the log's work is.
func (s *Store) Lag(ctx context.Context) (Lag, error) {
	rows, err := s.anyone().LogLag(ctx)
	if err != nil {
		return Lag{}, fmt.Errorf("look how far the log is: %w", translate(err))
	}
	lag := Lag{Behind: make(map[string]int64, len(rows))}
	for _, row := range rows {
		lag.Behind[row.Follower] = row.Behind
		lag.Oldest = time.Duration(row.Waiting * float64(time.Second))
	}
	return lag, nil
}
