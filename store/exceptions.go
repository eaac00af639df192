package store

import (
	"context"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Exception is something that the office must look at.
type Exception = queries.ExceptionsRow

// ExceptionFilter selects exceptions; nil matches any.
type ExceptionFilter struct {
	Kind     *string
	Open     *bool
	Day      *time.Time
	DriverID *int64
	OrderID  *int64
	Before   int64 // only those with smaller ids
}

// Exceptions returns up to atMost exceptions, newest first, and the one before
// which the next page begins, or 0 at the end.
func (s *Store) Exceptions(
	ctx context.Context, org int64, f ExceptionFilter, atMost int32,
) (found []Exception, goOn int64, err error) {
	ids, err := s.reads(org).PageExceptionIDs(ctx, queries.PageExceptionIDsParams{
		OrgID: org, Before: f.Before, Kind: f.Kind, Open: f.Open, Day: f.Day, DriverID: f.DriverID, OrderID: f.OrderID,
		PageSize: atMost + 1,
	})
	if err != nil {
		return nil, 0, translate(err)
	}
	if len(ids) > int(atMost) {
		ids, goOn = ids[:atMost], ids[atMost-1]
	}
	found, err = s.lookups(org).Exceptions(ctx, queries.ExceptionsParams{OrgID: org, Ids: ids})
	return found, goOn, translate(err)
}

// Exception returns one exception.
func (s *Store) Exception(ctx context.Context, org, id int64) (Exception, error) {
	found, err := s.lookups(org).Exceptions(ctx, queries.ExceptionsParams{OrgID: org, Ids: []int64{id}})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Exception{}, absent("exception", id, err)
	}
	return found[0], nil
}

// LockedException is an exception locked for its resolution.
type LockedException struct {
	Kind     driving.ExceptionKind
	OrderID  int64  // 0 for none
	ActionID string // empty for none
	// Resolution is empty while it is open.
	Resolution driving.Resolution
}

// LockException locks an exception until the transaction ends.
func (t *Tx) LockException(ctx context.Context, id int64) (LockedException, error) {
	row, err := t.q.LockException(ctx, queries.LockExceptionParams{OrgID: t.org, ID: id})
	return LockedException{
		Kind: driving.ExceptionKind(row.Kind), OrderID: row.OrderID, ActionID: row.ActionID,
		Resolution: driving.Resolution(row.Resolution),
	}, absent("exception", id, err)
}

// SaveResolved writes how an exception was resolved, with its event.
func (t *Tx) SaveResolved(ctx context.Context, id int64, as driving.Resolution, comment string) error {
	return t.q.CloseExceptions(ctx, queries.CloseExceptionsParams{
		OrgID: t.org, Ids: []int64{id}, Resolution: string(as), Comment: comment,
	})
}

// SaveCleared stores the office's correction that makes a driver's deed count,
// and its effects, with the event.
func (t *Tx) SaveCleared(ctx context.Context, o *order.Order, h driving.History, f driving.Fact) error {
	a := h.With(o, f)
	if err := t.keepSaid(ctx, o.ID, f); err != nil {
		return err
	}
	return t.saveMoved(ctx, o, h, &a, "")
}
