package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/store/queries"
)

// Acknowledgement is a carrier's answer to an offered shipment.
type Acknowledgement struct {
	Token             string
	Status            export.Status
	FailureReason     string
	CarrierShipmentID string
	// IdempotencyKey makes a repeated call count once; it may be empty.
	IdempotencyKey string
}

// Earlier is an acknowledgement received before.
type Earlier struct {
	Acknowledgement

	ID, OrderID int64
	OrderNumber string
	// Taken is its result, or nil until it takes effect.
	Taken *Taken
}

// AcknowledgementByKey returns the acknowledgement that was received under an
// idempotency key, or ErrNotFound.
func (s *Store) AcknowledgementByKey(ctx context.Context, org int64, key string) (Earlier, error) {
	row, err := s.of(org).AcknowledgementByKey(ctx, queries.AcknowledgementByKeyParams{OrgID: org, IdempotencyKey: key})
	return Earlier{
		ID: row.ID, OrderID: row.OrderID, OrderNumber: row.OrderNumber,
		Acknowledgement: Acknowledgement{
			Token: row.Token, Status: export.Status(row.Status), FailureReason: row.FailureReason,
			CarrierShipmentID: row.CarrierShipmentID, IdempotencyKey: key,
		},
		Taken: newTaken(row.Counted, row.Number, row.State),
	}, translate(err)
}

// Offered is a version that was offered, with the export of its order.
type Offered struct {
	OrderID     int64
	OrderNumber string
	Version     int
	Fingerprint []byte // of that version
	Record      export.Record
	Facts       export.Facts // without the window
}

// Acknowledge applies an acknowledgement in a transaction of two round trips.
// It locks the export of the token, calls decide for the export's new state and
// the event, and saves both with the acknowledgement and its entry in the
// order's timeline. If decide returns an error, it saves nothing. It returns
// ErrNotFound for an unknown token, and ErrKeyTaken if a concurrent call with
// the same key was faster.
func (s *Store) Acknowledge(
	ctx context.Context, by caller.Caller, a *Acknowledgement,
	decide func(*Offered) (after export.Record, kind event.Kind, err error),
) error {
	err := s.inShortTx(ctx, by, func(t *shortTx) error {
		r, err := t.first().LockOffered(ctx, queries.LockOfferedParams{OrgID: by.OrgID, Token: a.Token})
		if err != nil {
			return err
		}
		of := &Offered{
			OrderID: r.OrderExport.OrderID, OrderNumber: r.Number, Version: int(r.Version), Fingerprint: r.Offered,
			Record: newRecord(&r.OrderExport), Facts: facts(r.Now, r.Reexport, r.ReexportSince),
		}
		after, kind, err := decide(of)
		if err != nil {
			return err
		}
		p := &pipeline{}
		if err := queueAcknowledgement(ctx, p, by.OrgID, of, a, after, kind); err != nil {
			return err
		}
		return t.finish(ctx, p)
	})
	if breaks(err, "export_acknowledgements_idempotency_key") {
		return ErrKeyTaken
	}
	return err
}

func queueAcknowledgement(
	ctx context.Context, p *pipeline, org int64, of *Offered, a *Acknowledgement, after export.Record, kind event.Kind,
) error {
	t, q := &Tx{org: org}, queries.New(p)
	shipment := Shipment{Number: of.OrderNumber}
	return errors.Join(
		t.queueSaveExport(ctx, q, of.OrderID, shipment, of.Record, after, []event.Kind{kind}),
		q.KeepAcknowledgement(ctx, queries.KeepAcknowledgementParams{
			OrgID: org, OrderID: of.OrderID, Version: int32(of.Version), Status: string(a.Status),
			FailureReason: a.FailureReason, CarrierShipmentID: a.CarrierShipmentID, IdempotencyKey: a.IdempotencyKey,
			Number: int16(after.Used), State: string(after.State), EventType: UpdateOrderExported,
			OccurredAt: of.Facts.Now, Success: a.Status == export.StatusExported,
			RawBody: saidInTimeline(a.Status, a.FailureReason, a.CarrierShipmentID),
		}),
	)
}

// ErrKeyTaken is returned when another request used the key at the same moment.
var ErrKeyTaken = errors.New("the key is already used")

// Receipt is an acknowledgement that was received before it takes effect, as
// releases until v0.2.0 did, as the transaction sees it that lets it take effect.
type Receipt struct {
	ID, OrderID int64
	export.Acknowledgement

	// Taken is its result, or nil until it takes effect.
	Taken *Taken

	failureReason, carrierShipmentID string
}

// Taken is the result of an acknowledgement.
type Taken struct {
	// Counted is false when the order's acknowledgements were spent before it.
	Counted bool
	Number  int // its number among the order's acknowledgements, from 1
	State   export.State
}

func newTaken(counted *bool, number int16, state string) *Taken {
	if counted == nil {
		return nil
	}
	return &Taken{Counted: *counted, Number: int(number), State: export.State(state)}
}

// LockReceipt returns an acknowledgement, locked until the end of the transaction.
func (t *Tx) LockReceipt(ctx context.Context, id int64) (Receipt, error) {
	row, err := t.q.LockAcknowledgement(ctx, queries.LockAcknowledgementParams{OrgID: t.org, ID: id})
	if err != nil {
		return Receipt{}, missing("acknowledgement", id, err)
	}
	r := Receipt{
		ID: id, OrderID: row.OrderID, failureReason: row.FailureReason, carrierShipmentID: row.CarrierShipmentID,
		Acknowledgement: export.Acknowledgement{
			Version: int(row.Version), Fingerprint: row.Fingerprint, Status: export.Status(row.Status),
		},
	}
	r.Taken = newTaken(row.Counted, row.Number, row.State)
	return r, nil
}

// FinishReceipt records the result of an acknowledgement, and appends it to the
// order's timeline if it counted.
func (t *Tx) FinishReceipt(ctx context.Context, r *Receipt, taken Taken, f export.Facts) error {
	params := queries.ApplyAcknowledgementParams{
		OrgID: t.org, ID: r.ID, Counted: taken.Counted, State: string(taken.State),
	}
	if taken.Counted {
		number := int16(taken.Number)
		params.Number = &number
		_, err := t.q.AppendExternalUpdate(ctx, queries.AppendExternalUpdateParams{
			OrgID: t.org, OrderID: r.OrderID, EventType: UpdateOrderExported, OccurredAt: f.Now,
			Success: r.Status == export.StatusExported, FailureReason: r.failureReason,
			RawBody: saidInTimeline(r.Status, r.failureReason, r.carrierShipmentID),
		})
		if err != nil {
			return fmt.Errorf("append external update: %w", err)
		}
	}
	return t.q.ApplyAcknowledgement(ctx, params)
}

// saidInTimeline returns the acknowledgement's entry, without the token.
func saidInTimeline(status export.Status, failureReason, carrierShipmentID string) string {
	out, err := json.Marshal(struct {
		Status            export.Status `json:"status"`
		FailureReason     string        `json:"failureReason,omitempty"`
		CarrierShipmentID string        `json:"carrierShipmentId,omitempty"`
	}{status, failureReason, carrierShipmentID})
	if err != nil {
		panic(fmt.Sprintf("store: an acknowledgement cannot be written: %v", err)) // strings only
	}
	return string(out)
}

// CarrierShipmentID returns the carrier's latest id for an order's shipment, or
// "".
func (t *Tx) CarrierShipmentID(ctx context.Context, orderID int64) (string, error) {
	return t.q.CarrierShipmentID(ctx, queries.CarrierShipmentIDParams{OrgID: t.org, OrderID: orderID})
}
