package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// saveAdvance saves the effect of one more fact on an order, without its event.
func saveAdvance(
	ctx context.Context, q *queries.Queries, org int64, o *order.Order, h driving.History, a *driving.Advance,
) error {
	var errs []error
	if a.Lacks() {
		errs = append(errs, saveMissing(ctx, q, org, o.ID, a.After.Missing))
	}
	if !a.Changes() {
		return errors.Join(errs...)
	}
	if a.Event != nil {
		errs = append(errs, q.MoveDriven(ctx, queries.MoveDrivenParams{
			OrgID: org, OrderID: o.ID, StatusID: int16(a.After.Status), DriverID: a.After.DriverID,
		}))
	}
	if gone := a.After.Status == order.Cancelled; gone != (a.Before.Status == order.Cancelled) {
		errs = append(errs, q.MarkDriven(ctx, queries.MarkDrivenParams{OrgID: org, OrderID: o.ID, Cancelled: gone}))
	}
	if a.After.Begun {
		errs = append(errs, q.PutProgress(ctx, newProgress(org, o.ID, h.GivenTo, &a.After)))
	} else {
		errs = append(errs, q.DropProgress(ctx, queries.DropProgressParams{OrgID: org, OrderID: o.ID}))
	}
	if a.After.Delivered != a.Before.Delivered || !slices.Equal(a.After.Products, a.Before.Products) {
		errs = append(errs, saveDelivered(ctx, q, org, o.ID, a))
	}
	return errors.Join(errs...)
}

// saveMissing saves the missing goods.
func saveMissing(ctx context.Context, q *queries.Queries, org, orderID int64, missing []driving.Product) error {
	p := queries.PutProductsMissingParams{OrgID: org, OrderID: orderID}
	for _, product := range missing {
		columns.Add(&p.Ids, product.ID)
		columns.Add(&p.Missing, product.Missing)
		columns.Add(&p.Reasons, product.Reason)
		columns.Add(&p.Drivers, product.ReportedBy)
		columns.Add(&p.Times, product.ReportedAt)
	}
	err := q.DropProductsMissing(ctx, queries.DropProductsMissingParams{OrgID: org, OrderID: orderID})
	if len(missing) > 0 {
		err = errors.Join(err, q.PutProductsMissing(ctx, p))
	}
	return err
}

func newProgress(org, orderID, given int64, s *driving.Standing) queries.PutProgressParams {
	return queries.PutProgressParams{
		OrgID: org, OrderID: orderID, GivenTo: given,
		PickupStatus: string(s.Pickup.Status), PickupArrivedAt: s.Pickup.Arrived, PickupEndedAt: s.Pickup.Ended,
		DeliveryStatus: string(s.Delivery.Status), DeliveryArrivedAt: s.Delivery.Arrived, DeliveryEndedAt: s.Delivery.Ended,
		FailureReason: s.Reason,
	}
}

// saveDelivered saves the quantities of the effective delivery, and which proof
// is in effect.
func saveDelivered(ctx context.Context, q *queries.Queries, org, orderID int64, a *driving.Advance) error {
	var errs []error
	if len(a.Before.Products) > 0 {
		errs = append(errs, q.DropProductDeliveries(ctx, queries.DropProductDeliveriesParams{OrgID: org, OrderID: orderID}))
	}
	if len(a.After.Products) > 0 {
		p := queries.PutProductDeliveriesParams{OrgID: org, OrderID: orderID}
		for _, product := range a.After.Products {
			columns.Add(&p.Ids, product.ID)
			columns.Add(&p.Delivered, product.Delivered)
			columns.Add(&p.Refused, product.Refused)
			columns.Add(&p.Reasons, product.Reason)
		}
		errs = append(errs, q.PutProductDeliveries(ctx, p))
	}
	counts := a.After.Delivered
	if !strings.Contains(counts, "-") {
		counts = "" // Not a driver's action: only those have their own proofs.
	}
	return errors.Join(append(errs, q.CountProofs(ctx, queries.CountProofsParams{
		OrgID: org, OrderID: orderID, Delivered: counts,
	}))...)
}

// LoadHistory locks an order and reads all its facts, with the parts of the
// order that the rules of driving need.
func (t *Tx) LoadHistory(ctx context.Context, orderID int64) (*order.Order, driving.History, error) {
	row, err := t.q.LockDriven(ctx, queries.LockDrivenParams{OrgID: t.org, OrderID: orderID})
	if err != nil {
		return nil, driving.History{}, absent("order", orderID, err)
	}
	facts, err := readFacts(row.Facts)
	h := newHistory(row.Begun, row.GivenTo, row.DriverID, facts)
	return &order.Order{ID: orderID, Number: row.Number, Status: order.Status(row.StatusID)}, h, err
}

// CarrierMoves reports whether the carrier's reports change an order's status, and
// when the order was created.
func (t *Tx) CarrierMoves(ctx context.Context, orderID int64) (moves bool, created time.Time, err error) {
	row, err := t.q.CarrierMoves(ctx, queries.CarrierMovesParams{OrgID: t.org, OrderID: orderID})
	return row.Moves, row.CreatedAt, err
}

// Report is a carrier's report, with its proof, if any.
type Report struct {
	ID    int64
	Proof *driving.Proof
}

// SaveByCarrier stores a carrier's fact about an order, its proof, and their
// effects, with the event, which names the report. When the carrier gave another
// time than the effective one, the event has both.
func (t *Tx) SaveByCarrier(
	ctx context.Context, o *order.Order, h driving.History, f driving.Fact, report Report,
) error {
	a := h.With(o, f)
	if err := t.keepSaid(ctx, o.ID, f); err != nil {
		return err
	}
	data := fmt.Sprintf(`{"report":%d}`, report.ID)
	if !f.Clock.Equal(f.At) {
		data = fmt.Sprintf(`{"report":%d,"said_at":%q}`, report.ID, f.Clock.UTC().Format(time.RFC3339Nano))
	}
	if report.Proof != nil {
		p := newProof(t.org, o.ID, report.Proof, nil)
		p.OccurredAt, p.Distance = &f.At, math.NaN()
		m := manifest(&p)
		if err := addProof(ctx, t.q, &p, &m); err != nil {
			return err
		}
	}
	return t.saveMoved(ctx, o, h, &a, data)
}

// saveMoved saves an order's state after one more fact, with the event. data is
// the rest of the event as JSON, or empty.
func (t *Tx) saveMoved(
	ctx context.Context, o *order.Order, h driving.History, a *driving.Advance, data string,
) error {
	if err := saveAdvance(ctx, t.q, t.org, o, h, a); err != nil || a.Event == nil {
		return err
	}
	p := queries.LogDrivenParams{
		OrgID: t.org, OrderID: o.ID, Number: o.Number, Kind: string(a.Event.Kind), StatusID: int16(a.Event.Status),
		DriverID: a.Event.DriverID, Stop: string(a.Event.Stop), OccurredAt: a.Event.At, Refused: []int64{}, Data: data,
	}
	if a.Event.Status == order.Delivered || a.Event.Status == order.Failed {
		p.Refused = refusedBy(a.After.Products)
	}
	return t.q.LogDriven(ctx, p)
}

// SaveSaid stores a fact from the office or a carrier, and the resulting progress
// of the stops. The order's row and its event are written elsewhere.
func (t *Tx) SaveSaid(ctx context.Context, o *order.Order, h driving.History, f driving.Fact) error {
	a := h.With(o, f)
	a.Event = nil
	return errors.Join(t.keepSaid(ctx, o.ID, f), saveAdvance(ctx, t.q, t.org, o, h, &a))
}

func (t *Tx) keepSaid(ctx context.Context, orderID int64, f driving.Fact) error {
	return t.q.KeepMove(ctx, queries.KeepMoveParams{
		OrgID: t.org, OrderID: orderID, Source: string(f.Deed), At: f.At, StatusID: int16(f.To), DriverID: f.DriverID,
		Stop: string(f.Stop), Reason: f.Reason, Corrects: f.Corrects,
	})
}
