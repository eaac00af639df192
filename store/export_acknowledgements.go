package store

import (
	"context"
	"encoding/json"
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

// Received is an acknowledgement that is kept and waits to take effect. Its ID
// is 0 when it was not kept: Spent says that the order's acknowledgements are
// spent, and else the same key has come in already.
type Received struct {
	ID, OrderID int64
	Number      string
	Spent       bool
}

// ReceiveAcknowledgement keeps an acknowledgement until it takes effect, which
// is when it counts and is flushed to the disk. An order has at most so many of
// them. An unknown token is ErrNotFound.
func (s *Store) ReceiveAcknowledgement(
	ctx context.Context, org int64, most int16, a Acknowledgement,
) (Received, error) {
	row, err := s.unflushed(org).ReceiveAcknowledgement(ctx, queries.ReceiveAcknowledgementParams{
		OrgID: org, Most: most, Token: a.Token, Status: string(a.Status), FailureReason: a.FailureReason,
		CarrierShipmentID: a.CarrierShipmentID, IdempotencyKey: a.IdempotencyKey,
	})
	return Received{ID: row.ID, OrderID: row.OrderID, Number: row.Number, Spent: row.Spent}, translate(err)
}

// AcknowledgementByKey finds the acknowledgement that came in under an
// idempotency key, and what it said; ErrNotFound when none did.
func (s *Store) AcknowledgementByKey(ctx context.Context, org int64, key string) (Received, Acknowledgement, error) {
	row, err := s.of(org).AcknowledgementByKey(ctx, queries.AcknowledgementByKeyParams{OrgID: org, IdempotencyKey: key})
	return Received{ID: row.ID, OrderID: row.OrderID, Number: row.Number}, Acknowledgement{
		Token: row.Token, Status: export.Status(row.Status), FailureReason: row.FailureReason,
		CarrierShipmentID: row.CarrierShipmentID, IdempotencyKey: key,
	}, translate(err)
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

// LockReceipt returns an acknowledgement, locked until the end of the transaction.
func (t *Tx) LockReceipt(ctx context.Context, id int64) (Receipt, error) {
	row, err := t.q.LockAcknowledgement(ctx, queries.LockAcknowledgementParams{OrgID: t.org, ID: id})
	if err != nil {
		return Receipt{}, fmt.Errorf("acknowledgement %d: %w", id, translate(err))
	}
	r := Receipt{
		ID: id, OrderID: row.OrderID, failureReason: row.FailureReason, carrierShipmentID: row.CarrierShipmentID,
		Acknowledgement: export.Acknowledgement{
			Version: int(row.Version), Fingerprint: row.Fingerprint, Status: export.Status(row.Status),
		},
	}
	if row.Counted != nil {
		r.Taken = &Taken{Counted: *row.Counted, Number: int(row.Number), State: export.State(row.State)}
	}
	return r, nil
}

// FinishReceipt notes what became of an acknowledgement, and appends one that
// counted to the order's timeline.
func (t *Tx) FinishReceipt(ctx context.Context, r *Receipt, taken Taken, f export.Facts) error {
	params := queries.ApplyAcknowledgementParams{
		OrgID: t.org, ID: r.ID, Counted: taken.Counted, State: string(taken.State),
	}
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

// CarrierShipmentID returns what the carrier calls the shipment of an order, as
// it said last, or nothing.
func (t *Tx) CarrierShipmentID(ctx context.Context, orderID int64) (string, error) {
	return t.q.CarrierShipmentID(ctx, queries.CarrierShipmentIDParams{OrgID: t.org, OrderID: orderID})
}
