package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// ErrNotLeading is returned to a member of the relay that may not assign
// positions, because its lease has expired or another member leads.
var ErrNotLeading = errors.New("another process may lead")

// RelayMember is a process that takes part in the work of the relay while it
// renews its lease. Postgres keeps the time, and releases its holdings when the
// lease expires, even if the process believes that it still holds them.
type RelayMember struct {
	store    *Store
	id, name string
	lease    time.Duration
}

// NewRelayMember creates a member that takes part from its first beat on. name
// identifies it for operators.
func (s *Store) NewRelayMember(name string, lease time.Duration) *RelayMember {
	return &RelayMember{store: s, id: uuid.NewString(), name: name, lease: lease}
}

// leases are the queries that keep a lease, and that need it.
func (s *Store) leases() *queries.Queries { return queries.New(s.relay) }

// Standing is what a member of the relay holds.
type Standing struct {
	// Leads is true for the member that assigns positions to events.
	Leads bool
	// Share is how many shards it may hold, so that all members hold as many.
	Share int
	// Shards are the shards whose followers it serves, each with its term: how
	// often a member has taken it.
	Shards map[int16]int64
}

// Beat renews the lease, releases shards, and takes a fair share of the free
// ones. The standing is valid until the next beat, and no longer than the
// lease.
func (m *RelayMember) Beat(ctx context.Context, givenUp []int16) (Standing, error) {
	row, err := m.store.leases().RelayBeat(ctx, queries.RelayBeatParams{
		Member: m.id, MemberName: m.name, Lease: m.lease.Seconds(), GivenUp: append([]int16{}, givenUp...),
	})
	if err != nil {
		return Standing{}, fmt.Errorf("renew the lease: %w", translate(err))
	}
	s := Standing{Leads: row.Leads, Share: int(row.Share), Shards: make(map[int16]int64, len(row.Shards))}
	for i, shard := range row.Shards {
		s.Shards[shard] = row.Terms[i]
	}
	return s, nil
}

// Leave releases everything that the member holds.
func (m *RelayMember) Leave(ctx context.Context) error {
	if err := m.store.leases().RelayLeave(ctx, m.id); err != nil {
		return fmt.Errorf("release the lease: %w", translate(err))
	}
	return nil
}

// Sequence assigns positions to up to atMost committed events, in the order of
// their commits, and returns how many. It returns ErrNotLeading if the member
// does not lead at that moment.
func (m *RelayMember) Sequence(ctx context.Context, atMost int) (int, error) {
	given, err := m.store.leases().SequenceEvents(ctx, queries.SequenceEventsParams{Member: m.id, Batch: int32(atMost)})
	switch {
	case err != nil:
		return 0, fmt.Errorf("sequence events: %w", translate(err))
	case given < 0:
		return 0, ErrNotLeading
	}
	return int(given), nil
}

// Cursor is the position up to which a follower has processed a shard.
type Cursor struct {
	Follower       string
	Shard          int16
	Term, Position int64
}

// Cursors returns those of all followers of shards. Terms are not among it.
func (s *Store) Cursors(ctx context.Context, shards []int16) ([]Cursor, error) {
	rows, err := s.leases().Cursors(ctx, shards)
	if err != nil {
		return nil, fmt.Errorf("read cursors: %w", translate(err))
	}
	cursors := make([]Cursor, len(rows))
	for i, row := range rows {
		cursors[i] = Cursor{Follower: row.Follower, Shard: row.Shard, Position: row.Position}
	}
	return cursors, nil
}

// NoteCursors saves cursors of shards that the member still holds in the same
// term, and ignores the others. A crash may lose them; the same events are then
// processed again.
func (m *RelayMember) NoteCursors(ctx context.Context, cursors []Cursor) error {
	p := queries.NoteCursorsParams{Member: m.id}
	for _, c := range cursors {
		columns.Add(&p.Followers, c.Follower)
		columns.Add(&p.Shards, c.Shard)
		columns.Add(&p.Terms, c.Term)
		columns.Add(&p.Positions, c.Position)
	}
	if err := m.store.leases().NoteCursors(ctx, p); err != nil {
		return fmt.Errorf("save cursors: %w", translate(err))
	}
	return nil
}

// LogBounds are the ends of the log.
type LogBounds struct {
	// Oldest is the position up to which events were dropped, and Last is the
	// last one.
	Oldest, Last int64
}

// LogBounds returns the ends of the log.
func (s *Store) LogBounds(ctx context.Context) (LogBounds, error) {
	row, err := s.finds().LogBounds(ctx)
	if err != nil {
		return LogBounds{}, fmt.Errorf("find the bounds of the log: %w", translate(err))
	}
	return LogBounds{Oldest: row.DroppedPosition, Last: row.LastPosition}, nil
}

// LogEnd returns the last position of the log.
func (s *Store) LogEnd(ctx context.Context) (int64, error) {
	end, err := s.anyone().LogEnd(ctx)
	if err != nil {
		return 0, fmt.Errorf("find the end of the log: %w", translate(err))
	}
	return end, nil
}

// Stretch is a short part of the log, which is read at once.
type Stretch struct {
	// After and UpTo are positions: the one before the first, and the last.
	After, UpTo int64
	// Shards are those of the organizations; Org is one of them, or 0 for all.
	Shards []int16
	Org    int64
	Kinds  []event.Kind
}

// EventsOf returns the events of a part of the log, oldest first.
func (s *Store) EventsOf(ctx context.Context, part Stretch) ([]Event, error) {
	kinds := make([]string, len(part.Kinds))
	for i, kind := range part.Kinds {
		kinds[i] = string(kind)
	}
	rows, err := s.anyone().EventsBetween(ctx, queries.EventsBetweenParams{
		After: part.After, Upto: part.UpTo, Shards: part.Shards, Org: part.Org, Kinds: kinds,
	})
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", translate(err))
	}
	events := make([]Event, len(rows))
	for i, row := range rows {
		events[i] = Event{
			OrgID: row.OrgID, Shard: row.Shard, ID: row.ID, Position: row.Position, Kind: event.Kind(row.Kind),
			OrderID: row.OrderID, DraftID: row.DraftID, ExternalID: row.ExternalID,
			Status: order.Status(row.OrderStatusID), Stop: row.Stop, RecordedAt: row.RecordedAt,
		}
	}
	return events, nil
}
