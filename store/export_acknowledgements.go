package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"waybill/domain/export"
	"waybill/store/queries"
)

// Acknowledgement is what a carrier says of a shipment that it was offered.
type Acknowledgement struct {
	Token             string
	Status            export.Status
	FailureReason     string
	CarrierShipmentID string
	// IdempotencyKey makes the same call count once; empty when there is none.
	IdempotencyKey string
}

// Received is an acknowledgement that is kept and waits to take effect.
type Received struct {
	ID, OrderID int64
	Number      string
}

// ReceiveAcknowledgement keeps an acknowledgement until it takes effect, which
// is when it counts and is flushed to the disk; or it finds the one that was
// sent before under the same key. An unknown token is ErrNotFound, an order
// whose acknowledgements are spent export.ErrSpent.
func (s *Store) ReceiveAcknowledgement(ctx context.Context, org int64, a Acknowledgement) (Received, error) {
	if a.IdempotencyKey != "" {
		before, err := s.acknowledgementByKey(ctx, org, a)
		if !errors.Is(err, ErrNotFound) {
			return before, err
		}
	}
	row, err := s.unflushed(org).ReceiveAcknowledgement(ctx, queries.ReceiveAcknowledgementParams{
		OrgID: org, Most: export.Limit, Token: a.Token, Status: string(a.Status), FailureReason: a.FailureReason,
		CarrierShipmentID: a.CarrierShipmentID, IdempotencyKey: a.IdempotencyKey,
	})
	switch {
	case err != nil:
		return Received{}, translate(err)
	case row.Spent:
		return Received{OrderID: row.OrderID, Number: row.Number}, export.ErrSpent
	case row.ID == 0: // the same key came in at the same moment
		return s.acknowledgementByKey(ctx, org, a)
	}
	return Received{ID: row.ID, OrderID: row.OrderID, Number: row.Number}, nil
}

func (s *Store) acknowledgementByKey(ctx context.Context, org int64, a Acknowledgement) (Received, error) {
	before, err := s.of(org).AcknowledgementByKey(ctx, queries.AcknowledgementByKeyParams{OrgID: org, IdempotencyKey: a.IdempotencyKey})
	if err != nil {
		return Received{}, translate(err)
	}
	same := Acknowledgement{
		Token: before.Token, Status: export.Status(before.Status), FailureReason: before.FailureReason,
		CarrierShipmentID: before.CarrierShipmentID, IdempotencyKey: a.IdempotencyKey,
	}
	if same != a {
		return Received{}, ErrKeyReused
	}
	return Received{ID: before.ID, OrderID: before.OrderID, Number: before.Number}, nil
}

// Receipt is an acknowledgement that was received, as the transaction sees it
// that lets it take effect.
type Receipt struct {
	ID, OrderID int64
	export.Acknowledgement

	// Taken is what became of it; nil until it has taken effect.
	Taken *Taken

	failureReason, carrierShipmentID string
}

// Taken is what became of an acknowledgement.
type Taken struct {
	// Counted is false when the order's acknowledgements were spent before it.
	Counted bool
	Number  int // which of the order's acknowledgements it was, from 1
	State   export.State
}

// LockReceipt gives an acknowledgement, locked until the end of the transaction.
func (t *Tx) LockReceipt(ctx context.Context, id int64) (Receipt, error) {
	row, err := t.q.LockAcknowledgement(ctx, queries.LockAcknowledgementParams{OrgID: t.org, ID: id})
	if err != nil {
		return Receipt{}, fmt.Errorf("acknowledgement %d: %w", id, translate(err))
	}
	r := Receipt{
		ID: id, OrderID: row.OrderID, failureReason: row.FailureReason, carrierShipmentID: row.CarrierShipmentID,
		Acknowledgement: export.Acknowledgement{Version: int(row.Version), Fingerprint: row.Fingerprint, Status: export.Status(row.Status)},
	}
	if row.Counted != nil {
		r.Taken = &Taken{Counted: *row.Counted, Number: int(row.Number), State: export.State(row.State)}
	}
	return r, nil
}

// FinishReceipt notes what became of an acknowledgement, and appends one that
// counted to the order's timeline.
func (t *Tx) FinishReceipt(ctx context.Context, r *Receipt, taken Taken, f export.Facts) error {
	params := queries.ApplyAcknowledgementParams{OrgID: t.org, ID: r.ID, Counted: taken.Counted, State: string(taken.State)}
	if taken.Counted {
		number := int16(taken.Number)
		params.Number = &number
		_, err := t.q.AppendExternalUpdate(ctx, queries.AppendExternalUpdateParams{
			OrgID: t.org, OrderID: r.OrderID, EventType: UpdateOrderExported, OccurredAt: f.Now,
			Success: r.Status == export.StatusExported, FailureReason: r.failureReason, RawBody: r.body(),
		})
		if err != nil {
			return fmt.Errorf("append external update: %w", err)
		}
	}
	return t.q.ApplyAcknowledgement(ctx, params)
}

// body is what was acknowledged, but for the token.
func (r *Receipt) body() string {
	out, err := json.Marshal(struct {
		Status            export.Status `json:"status"`
		FailureReason     string        `json:"failureReason,omitempty"`
		CarrierShipmentID string        `json:"carrierShipmentId,omitempty"`
	}{r.Status, r.failureReason, r.carrierShipmentID})
	if err != nil {
		panic(fmt.Sprintf("store: acknowledgement %d cannot be written: %v", r.ID, err)) // strings only
	}
	return string(out)
}
