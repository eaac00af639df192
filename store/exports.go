package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/store/queries"
)

// ExportSubject is an order whose export has something to decide.
type ExportSubject struct {
	OrderID int64
	Number  string
	// IsNew holds as long as the order was never offered.
	IsNew bool
}

// ExportSubjects returns those of some orders that are subject to export, or
// that are marked and can still return. Of orders that only moved, it returns
// those that the move cancels or excludes from the export.
func (s *Store) ExportSubjects(ctx context.Context, org int64, changed, moved []int64) ([]ExportSubject, error) {
	rows, err := s.of(org).ExportSubjects(ctx, queries.ExportSubjectsParams{
		OrgID: org, OrderIds: slices.Concat(changed, moved),
	})
	if err != nil {
		return nil, fmt.Errorf("find subjects of export: %w", translate(err))
	}
	onlyMoved := make(map[int64]bool, len(moved))
	for _, id := range moved {
		onlyMoved[id] = true
	}
	subjects := make([]ExportSubject, 0, len(rows))
	for _, r := range rows {
		record := export.Record{
			State: export.State(r.State), Reason: export.Reason(r.Reason),
			Fingerprint: r.Fingerprint, DoneFingerprint: r.ExportedFingerprint,
		}
		if !onlyMoved[r.ID] || record.Turned(r.ID, r.Cancelled) {
			subjects = append(subjects, ExportSubject{OrderID: r.ID, Number: r.Number, IsNew: !record.Known()})
		}
	}
	return subjects, nil
}

// CountUnexported counts those of some orders that have no export yet.
func (s *Store) CountUnexported(ctx context.Context, org int64, orderIDs []int64) (int64, error) {
	n, err := s.of(org).CountUnexported(ctx, queries.CountUnexportedParams{OrgID: org, OrderIds: orderIDs})
	return n, translate(err)
}

// BulkImportAtWork reports whether an organization has a bulk import that began
// lately and is not done.
func (s *Store) BulkImportAtWork(ctx context.Context, org int64) (bool, error) {
	working, err := s.of(org).BulkImportAtWork(ctx, org)
	return working, translate(err)
}

// Shipment is an order in the form that its carrier would get now, with the
// input of the rules.
type Shipment struct {
	Number  string
	Order   export.Order
	Payload []byte
}

// Shipments builds the shipments of orders, in a fixed number of queries. With
// lock the orders stay locked until the end of the transaction; without it the
// transaction must have a consistent snapshot.
func (t *Tx) Shipments(ctx context.Context, orderIDs []int64, lock bool) (map[int64]Shipment, error) {
	orders, err := t.findOrders(ctx, orderIDs, lock)
	if err != nil {
		return nil, fmt.Errorf("load orders: %w", err)
	}
	document, err := t.q.ShipmentNames(ctx, queries.ShipmentNamesParams{OrgID: t.org, OrderIds: orderIDs})
	if err != nil {
		return nil, fmt.Errorf("load names: %w", err)
	}
	var names export.Names
	if err := json.Unmarshal(document, &names); err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	shipments := make(map[int64]Shipment, len(orders))
	for _, o := range orders {
		s := export.NewShipment(o, &names)
		shipments[o.ID] = Shipment{
			Number: o.Number, Payload: s.Payload(),
			Order: export.Order{Carrier: names.Carriers[o.ID], Cancelled: s.Cancelled, Fingerprint: s.Fingerprint()},
		}
	}
	return shipments, nil
}

// LockExport returns the export of an order, locked until the end of the
// transaction, and the facts of ExportFacts. An order that was never marked has
// the zero record; its own row must be locked then.
func (t *Tx) LockExport(ctx context.Context, orderID int64) (export.Record, export.Facts, error) {
	r, err := t.q.LockExport(ctx, queries.LockExportParams{OrgID: t.org, OrderID: orderID})
	if errors.Is(err, pgx.ErrNoRows) {
		now, err := t.ExportFacts(ctx)
		return export.Record{}, now, err
	}
	if err != nil {
		return export.Record{}, export.Facts{}, fmt.Errorf("lock export: %w", err)
	}
	return newRecord(&r.OrderExport), facts(r.Now, r.Reexport, r.ReexportSince), nil
}

func facts(now time.Time, on bool, since *time.Time) export.Facts {
	return export.Facts{Now: now, Reexport: export.Reexport{On: on, Since: orZero(since)}}
}

func newRecord(r *queries.OrderExport) export.Record {
	return export.Record{
		State: export.State(r.State), Reason: export.Reason(orZero(r.Reason)), Carrier: orZero(r.Carrier),
		ByHand: r.ByHand, Reexport: r.Reexport, Owed: r.Owed,
		Version: int(r.Version), Fetched: int(r.FetchedVersion), Done: int(r.ExportedVersion),
		Fingerprint: r.Fingerprint, DoneFingerprint: r.ExportedFingerprint, Used: int(r.Acknowledgements),
		SucceededAt: orZero(r.SucceededAt), ClosesAt: orZero(r.ClosesAt),
	}
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// SaveExport stores a decision about an export, with its events and, for a new
// offer, the payload under a new token.
func (t *Tx) SaveExport(
	ctx context.Context, orderID int64, s Shipment, before, after export.Record, kinds []event.Kind,
) error {
	p := &pipeline{tx: t.tx}
	return errors.Join(t.queueSaveExport(ctx, queries.New(p), orderID, s, before, after, kinds), p.send(ctx))
}

func (t *Tx) queueSaveExport(
	ctx context.Context, q *queries.Queries, orderID int64, s Shipment, before, after export.Record, kinds []event.Kind,
) error {
	events := make([]event.Event, len(kinds))
	for i, kind := range kinds {
		events[i] = event.Order{ID: orderID, Number: s.Number}.Event(kind)
	}
	return errors.Join(
		t.queueExport(ctx, q, orderID, after), t.queueVersions(ctx, q, orderID, s, before, after),
		t.appendEvents(ctx, q, events...),
	)
}

func (t *Tx) queueExport(ctx context.Context, q *queries.Queries, orderID int64, r export.Record) error {
	return q.SaveExport(ctx, queries.SaveExportParams{
		OrgID: t.org, OrderID: orderID, Carrier: r.Carrier, State: string(r.State), Reason: string(r.Reason),
		ByHand: r.ByHand, Reexport: r.Reexport, Owed: r.Owed,
		Version: int32(r.Version), FetchedVersion: int32(r.Fetched), ExportedVersion: int32(r.Done),
		Fingerprint: r.Fingerprint, ExportedFingerprint: r.DoneFingerprint, Acknowledgements: int16(r.Used),
		SucceededAt: orNull(r.SucceededAt), ClosesAt: orNull(r.ClosesAt),
	})
}

// queueVersions stores a new version and drops those that the carrier can't
// have seen.
func (t *Tx) queueVersions(
	ctx context.Context, q *queries.Queries, orderID int64, s Shipment, before, after export.Record,
) error {
	below := after.Version
	if after.State != export.Pending {
		below++
	}
	var err error
	if after.Fetched+1 < below { // a version lies between the two
		err = q.ForgetVersions(ctx, queries.ForgetVersionsParams{
			OrgID: t.org, OrderID: orderID, FetchedVersion: int32(after.Fetched), Below: int32(below),
		})
	}
	if after.Version == before.Version {
		return err
	}
	return errors.Join(err, q.OfferVersion(ctx, queries.OfferVersionParams{
		OrgID: t.org, OrderID: orderID, Version: int32(after.Version), Token: newExportToken(),
		Fingerprint: after.Fingerprint, Payload: string(s.Payload),
	}))
}

// newExportToken returns an unguessable token, so that a carrier can only
// acknowledge shipments it received.
func newExportToken() string { return "exp_" + rand.Text() }

// OrderIDByNumber returns the order that a number leads to.
func (s *Store) OrderIDByNumber(ctx context.Context, org int64, number string) (int64, error) {
	id, err := s.of(org).OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: org, Number: number})
	return id, absent("order", number, err)
}

// Export reads the export of an order, or ErrNotFound if it was never marked.
func (t *Tx) Export(ctx context.Context, orderID int64) (export.Record, error) {
	row, err := t.q.FindExport(ctx, queries.FindExportParams{OrgID: t.org, OrderID: orderID})
	return newRecord(&row.OrderExport), translate(err)
}

// ExportFacts reads the organization's settings and the time for the rules of
// exports, but not the window.
func (t *Tx) ExportFacts(ctx context.Context) (export.Facts, error) {
	setting, err := t.q.ReexportSetting(ctx, t.org)
	return facts(setting.Now, setting.Reexport, setting.ReexportSince), err
}

// OrderExists reports whether an order exists.
func (t *Tx) OrderExists(ctx context.Context, orderID int64) (bool, error) {
	return t.q.OrderExists(ctx, queries.OrderExistsParams{OrgID: t.org, ID: orderID})
}

// ExportedPayload reads the payload of a version that a carrier has
// acknowledged.
func (t *Tx) ExportedPayload(ctx context.Context, orderID int64, version int) ([]byte, error) {
	payload, err := t.q.ExportedPayload(ctx, queries.ExportedPayloadParams{
		OrgID: t.org, OrderID: orderID, Version: int32(version),
	})
	return []byte(payload), translate(err)
}
