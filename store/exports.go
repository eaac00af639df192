package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store/queries"
)

// ExportSubject is an order whose export has something to decide.
type ExportSubject struct {
	OrderID int64
	Number  string
}

// ExportSubjects gives those of some orders that are subject to export, or have
// been marked and can still come back.
func (s *Store) ExportSubjects(ctx context.Context, org int64, orderIDs []int64) ([]ExportSubject, error) {
	rows, err := s.of(org).ExportSubjects(ctx, queries.ExportSubjectsParams{OrgID: org, OrderIds: orderIDs})
	if err != nil {
		return nil, fmt.Errorf("find subjects of export: %w", translate(err))
	}
	subjects := make([]ExportSubject, len(rows))
	for i, r := range rows {
		subjects[i] = ExportSubject{OrderID: r.ID, Number: r.Number}
	}
	return subjects, nil
}

// BulkImportAtWork tells whether an organization has a bulk import that began
// lately and is not done.
func (s *Store) BulkImportAtWork(ctx context.Context, org int64) (bool, error) {
	working, err := s.of(org).BulkImportAtWork(ctx, org)
	return working, translate(err)
}

// Shipment is an order as its carrier would get it now, and what the rules look
// at.
type Shipment struct {
	Number  string
	Order   export.Order
	Payload []byte
}

// Shipments builds the shipments of orders, in a fixed number of queries. With
// lock nobody else changes the orders until the end of the transaction; without
// it the transaction must see one state of the database.
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

// LockExport gives the export of an order, locked until the end of the
// transaction, and what the rules need to know besides. An order that was never
// marked has the zero record; its own row must be locked then.
func (t *Tx) LockExport(ctx context.Context, orderID int64, window time.Duration) (export.Record, export.Facts, error) {
	r, err := t.q.LockExport(ctx, queries.LockExportParams{OrgID: t.org, OrderID: orderID})
	if errors.Is(err, pgx.ErrNoRows) {
		setting, err := t.q.ReexportSetting(ctx, t.org)
		return export.Record{}, facts(setting.Now, setting.Reexport, setting.ReexportSince, window), err
	}
	if err != nil {
		return export.Record{}, export.Facts{}, err
	}
	record := newRecord(&queries.FindExportsRow{
		Carrier: r.Carrier, State: r.State, Reason: r.Reason, ByHand: r.ByHand, Reexport: r.Reexport, Owed: r.Owed,
		Version: r.Version, FetchedVersion: r.FetchedVersion, ExportedVersion: r.ExportedVersion,
		Fingerprint: r.Fingerprint, ExportedFingerprint: r.ExportedFingerprint,
		Acknowledgements: r.Acknowledgements, SucceededAt: r.SucceededAt, ClosesAt: r.ClosesAt,
	})
	return record, facts(r.Now, r.Setting, r.ReexportSince, window), nil
}

func facts(now time.Time, on bool, since *time.Time, window time.Duration) export.Facts {
	return export.Facts{Now: now, Reexport: export.Reexport{On: on, Since: orZero(since)}, Window: window}
}

func newRecord(r *queries.FindExportsRow) export.Record {
	return export.Record{
		State: export.State(r.State), Reason: export.Reason(r.Reason), Carrier: r.Carrier, ByHand: r.ByHand,
		Reexport: r.Reexport, Owed: r.Owed, Version: int(r.Version), Fetched: int(r.FetchedVersion), Done: int(r.ExportedVersion),
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

// SaveExport keeps what was decided of an export, with its event and, when it
// offers a new version, the payload under a new token. What did not change is
// not written.
func (t *Tx) SaveExport(ctx context.Context, orderID int64, s Shipment, before, after export.Record, events ...string) error {
	if event := export.Event(before, after); event != "" {
		events = append(events, event)
	}
	if len(events) == 0 && reflect.DeepEqual(before, after) {
		return nil
	}
	p := &pipeline{tx: t.tx}
	q := queries.New(p)
	err := errors.Join(t.queueExport(ctx, q, orderID, after), t.queueVersions(ctx, q, orderID, s, before, after))
	if len(events) > 0 {
		log := queries.AppendEventsParams{OrgID: t.org, Kinds: events}
		for i := range events {
			log.OrderIds, log.ExternalIds = append(log.OrderIds, orderID), append(log.ExternalIds, s.Number)
			log.DraftIds, log.StatusIds, log.Seqs = append(log.DraftIds, 0), append(log.StatusIds, 0), append(log.Seqs, int32(i))
		}
		err = errors.Join(err, q.AppendEvents(ctx, log))
	}
	return errors.Join(err, p.send(ctx))
}

func (t *Tx) queueExport(ctx context.Context, q *queries.Queries, orderID int64, r export.Record) error {
	return q.SaveExport(ctx, queries.SaveExportParams{
		OrgID: t.org, OrderID: orderID, Carrier: r.Carrier, State: string(r.State), Reason: string(r.Reason), ByHand: r.ByHand,
		Reexport: r.Reexport, Owed: r.Owed, Version: int32(r.Version), FetchedVersion: int32(r.Fetched), ExportedVersion: int32(r.Done),
		Fingerprint: r.Fingerprint, ExportedFingerprint: r.DoneFingerprint, Acknowledgements: int16(r.Used),
		SucceededAt: orNull(r.SucceededAt), ClosesAt: orNull(r.ClosesAt),
	})
}

// queueVersions keeps a new version and drops those that nobody can know.
func (t *Tx) queueVersions(ctx context.Context, q *queries.Queries, orderID int64, s Shipment, before, after export.Record) error {
	below := after.Version
	if after.State != export.Pending {
		below++
	}
	err := q.ForgetVersions(ctx, queries.ForgetVersionsParams{
		OrgID: t.org, OrderID: orderID, FetchedVersion: int32(after.Fetched), Below: int32(below),
	})
	if after.Version == before.Version {
		return err
	}
	return errors.Join(err, q.OfferVersion(ctx, queries.OfferVersionParams{
		OrgID: t.org, OrderID: orderID, Version: int32(after.Version), Token: newExportToken(),
		Fingerprint: after.Fingerprint, Payload: string(s.Payload),
	}))
}

// newExportToken cannot be guessed, so a carrier can only acknowledge what it
// was given.
func newExportToken() string { return "exp_" + rand.Text() }

// MarkExport offers an order to its carrier because an operator says so.
func (s *Store) MarkExport(ctx context.Context, by caller.Caller, orderID int64, window time.Duration) error {
	err := s.InTx(ctx, by, func(t *Tx) error {
		shipments, err := t.Shipments(ctx, []int64{orderID}, true)
		if err != nil {
			return err
		}
		shipment, found := shipments[orderID]
		if !found {
			return ErrNotFound
		}
		before, facts, err := t.LockExport(ctx, orderID, window)
		if err != nil {
			return err
		}
		after, err := export.Mark(before, shipment.Order, facts)
		if err != nil {
			return err
		}
		return t.SaveExport(ctx, orderID, shipment, before, after, export.EventMarked)
	})
	if err != nil {
		return fmt.Errorf("mark order %d for export: %w", orderID, err)
	}
	return nil
}

// OrderIDByNumber gives the order that a number leads to.
func (s *Store) OrderIDByNumber(ctx context.Context, org int64, number string) (int64, error) {
	id, err := s.of(org).OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: org, Number: number})
	return id, absent("order", number, err)
}

// OrderExport is where the export of an order stands.
type OrderExport struct {
	export.Record

	Number string
	InFeed bool
	// Changes are the fields in which the order differs from what its carrier
	// last acknowledged as exported; nil when it has acknowledged nothing.
	Changes []export.Change
}

// OrderExport reads the export of an order. What time or the setting has ended
// counts as ended, whether or not its workflow has looked already.
func (s *Store) OrderExport(ctx context.Context, org, orderID int64) (OrderExport, error) {
	var out OrderExport
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		rows, err := t.q.FindExports(ctx, queries.FindExportsParams{OrgID: org, OrderIds: []int64{orderID}})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return t.noExport(ctx, orderID)
		}
		setting, err := t.q.ReexportSetting(ctx, org)
		if err != nil {
			return err
		}
		now := facts(setting.Now, setting.Reexport, setting.ReexportSince, 0)
		out = OrderExport{Record: export.Settle(newRecord(&rows[0]), now)}
		out.InFeed = out.Record.InFeed(now.Reexport)
		return t.compare(ctx, orderID, &out)
	})
	return out, err
}

// noExport tells an order that is not exported from one that is not there.
func (t *Tx) noExport(ctx context.Context, orderID int64) error {
	found, err := t.q.OrderExists(ctx, queries.OrderExistsParams{OrgID: t.org, ID: orderID})
	switch {
	case err != nil:
		return err
	case !found:
		return absent("order", orderID, ErrNotFound)
	}
	return fault.Missing("order_export", fmt.Sprint(orderID))
}

func (t *Tx) compare(ctx context.Context, orderID int64, out *OrderExport) error {
	shipments, err := t.Shipments(ctx, []int64{orderID}, false)
	if err != nil {
		return err
	}
	out.Number = shipments[orderID].Number
	if !out.IsUpdate() {
		return nil
	}
	was, err := t.q.ExportedPayload(ctx, queries.ExportedPayloadParams{OrgID: t.org, OrderID: orderID, Version: int32(out.Done)})
	if err != nil {
		return err
	}
	if out.Changes, err = export.Difference([]byte(was), shipments[orderID].Payload); err != nil {
		return err
	}
	if bytes.Equal(out.DoneFingerprint, shipments[orderID].Order.Fingerprint) {
		out.Changes = []export.Change{} // of a cancelled order nothing else matters
	}
	return nil
}
