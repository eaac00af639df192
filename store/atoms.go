package store

import (
	"context"
	"encoding/json"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store/queries"
)

// Atom is a product of an order as a tree shows it.
type Atom = queries.AtomsOfOrderRow

// Atoms returns the products of an order, in its sequence.
func (s *Store) Atoms(ctx context.Context, org, orderID int64) (atoms []Atom, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		if _, err := t.q.OrderNumber(ctx, queries.OrderNumberParams{OrgID: org, ID: orderID}); err != nil {
			return err
		}
		atoms, err = t.q.AtomsOfOrder(ctx, queries.AtomsOfOrderParams{OrgID: org, OrderID: orderID})
		return err
	})
	return atoms, absent("order", orderID, err)
}

// AtomOfBarcode is a product that a barcode is on.
type AtomOfBarcode = queries.AtomsByBarcodeRow

// AtomByBarcode returns the product with one of some barcodes, which are
// equivalent for a scanner. A product of an active order is preferred, then the
// newest.
func (s *Store) AtomByBarcode(ctx context.Context, org int64, scanned string, same []string) (AtomOfBarcode, error) {
	return atomByBarcode(ctx, s.of(org), org, scanned, same)
}

func atomByBarcode(
	ctx context.Context, q *queries.Queries, org int64, scanned string, same []string,
) (AtomOfBarcode, error) {
	found, err := q.AtomsByBarcode(ctx, queries.AtomsByBarcodeParams{OrgID: org, Barcodes: same})
	switch {
	case err != nil:
		return AtomOfBarcode{}, translate(err)
	case len(found) == 0:
		return AtomOfBarcode{}, &fault.Error{
			Kind: fault.NotFound, Text: fault.Say(
				"barcode.unknown", "name", fault.Clip(scanned),
			), Resource: "barcode", Name: scanned,
		}
	case len(found) > 1 && found[1].Active:
		return AtomOfBarcode{}, fault.Illegal("barcode.ambiguous", "barcode", scanned)
	}
	return found[0], nil
}

// Scanned is a product that was scanned, and the status of its order.
type Scanned struct {
	OrderID, AtomID int64
	Status          int16
}

// SaveScan finds the product with one of some barcodes, which are equivalent for a
// scanner, and records the scan, with a driver unless that is 0. Driver and location
// must exist.
func (t *Tx) SaveScan(ctx context.Context, same []string, scan event.Scan, driver int64) (Scanned, error) {
	if err := t.checkNamed(ctx, queries.PartyOfMovementParams{LocationID: scan.Location, DriverID: driver}); err != nil {
		return Scanned{}, err
	}
	found, err := atomByBarcode(ctx, t.q, t.org, scan.Barcode, same)
	if err != nil {
		return Scanned{}, err
	}
	data, err := json.Marshal(scan)
	if err != nil {
		return Scanned{}, err
	}
	status, err := t.q.AppendScan(ctx, queries.AppendScanParams{
		OrgID: t.org, ProductID: found.ID, DriverID: driver, Data: data,
	})
	return Scanned{OrderID: found.OrderID, AtomID: found.ID, Status: status}, err
}
