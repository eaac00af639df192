package store

import (
	"context"
	"fmt"

	"waybill/domain/event"
	"waybill/store/queries"
)

// Hint reports that something changed, but not its new state.
type Hint struct {
	OrgID, Position   int64
	Kind              event.Kind
	Subject           event.SubjectType
	SubjectID         int64
	OrderID, DriverID int64 // 0 if there is none
}

// Hints returns up to atMost events of all organizations after a position of the
// log, oldest first.
func (s *Store) Hints(ctx context.Context, after int64, atMost int32) ([]Hint, error) {
	rows, err := s.anyone().ChangesBehind(ctx, queries.ChangesBehindParams{After: after, Batch: atMost})
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", translate(err))
	}
	hints := make([]Hint, len(rows))
	for i, row := range rows {
		hints[i] = Hint{
			OrgID: row.OrgID, Position: row.Position, Kind: event.Kind(row.Kind),
			Subject: event.SubjectType(row.SubjectType), SubjectID: row.SubjectID, OrderID: row.OrderID, DriverID: row.DriverID,
		}
	}
	return hints, nil
}
