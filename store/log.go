package store

import (
	"context"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Event is one change of state that has its place in the log.
type Event struct {
	OrgID, ID, Position int64
	// Shard is that of its organization.
	Shard int16
	Kind  event.Kind
	// OrderID and DraftID are 0, ExternalID and Stop empty, and Status 0, if
	// the event has none.
	OrderID, DraftID int64
	ExternalID       string
	Status           order.Status
	Stop             string
	// RecordedAt is when the event was written. The log needs it to find the
	// event.
	RecordedAt time.Time
}

// ParkEvent records that a follower skipped an event that it could not process.
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

// MakeEventPartitions creates the missing partitions of the log for the coming
// months, and returns their number.
func (s *Store) MakeEventPartitions(ctx context.Context) (int, error) {
	made, err := s.anyone().MakeEventPartitions(ctx)
	if err != nil {
		return 0, fmt.Errorf("create log partitions: %w", translate(err))
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
		return Lag{}, fmt.Errorf("read relay lag: %w", translate(err))
	}
	lag := Lag{Behind: make(map[string]int64, len(rows))}
	for _, row := range rows {
		lag.Behind[row.Follower] = row.Behind
		lag.Oldest = time.Duration(row.Waiting * float64(time.Second))
	}
	return lag, nil
}
