package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/booking"
	"waybill/store/queries"
)

// Hold is a seat that is kept for a basket until it ends.
type Hold struct {
	ID         int64
	IntervalID booking.IntervalID
	EndsAt     time.Time
}

// SaveHold holds a seat of an interval for a while, or is ErrNoSeat.
func (t *Tx) SaveHold(ctx context.Context, slot *booking.Slot, lasts time.Duration) (Hold, error) {
	row, err := t.q.HoldSeat(ctx, queries.HoldSeatParams{
		IntervalID: slot.Interval.ID, Day: slot.Day, Seconds: int32(lasts / time.Second),
	})
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == codeFull {
		return Hold{}, ErrNoSeat
	}
	if err != nil {
		return Hold{}, fmt.Errorf("hold seat: %w", err)
	}
	return Hold{ID: row.ID, IntervalID: slot.ID, EndsAt: row.EndsAt}, nil
}

// SaveHoldReleased ends a hold before its time. A hold that has ended is not
// found.
func (t *Tx) SaveHoldReleased(ctx context.Context, id int64) error {
	n, err := t.q.ReleaseHold(ctx, queries.ReleaseHoldParams{OrgID: t.org, ID: id})
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return absent("hold", id, err)
}
