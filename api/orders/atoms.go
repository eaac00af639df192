package orders

import (
	"context"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/label"
	"waybill/store"
)

// GetProductTree reads how the products of an order are packed.
func (h *Handlers) GetProductTree(
	ctx context.Context, request contract.GetProductTreeRequestObject,
) (contract.GetProductTreeResponseObject, error) {
	atoms, err := h.store.Atoms(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	return contract.GetProductTree200JSONResponse{OrderID: request.OrderID, Tree: atomsIn(atoms, 0)}, nil
}

// FindAtomByBarcode finds the product that a barcode is on.
func (h *Handlers) FindAtomByBarcode(
	ctx context.Context, request contract.FindAtomByBarcodeRequestObject,
) (contract.FindAtomByBarcodeResponseObject, error) {
	org, scanned := edge.PrincipalOf(ctx).OrgID, request.BarcodeID
	if err := edge.CheckTexts(edge.AtMost(longestText, "barcodeId", scanned)); err != nil {
		return nil, err
	}
	found, err := h.store.AtomByBarcode(ctx, org, scanned, label.Same(scanned))
	if err != nil {
		return nil, err
	}
	atoms, err := h.store.Atoms(ctx, org, found.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.FindAtomByBarcode200JSONResponse{
		OrderID: found.OrderID, OrderStatusID: contract.OrderStatusID(found.StatusID),
	}
	for i := range atoms {
		if atoms[i].ID == found.ID {
			out.Atom = newAtom(&atoms[i], atoms)
		}
	}
	return out, nil
}

// atomsIn returns the products inside one of them, each with its contents; 0 is
// the top level.
func atomsIn(all []store.Atom, parent int64) []contract.Atom {
	in := []contract.Atom{}
	for i := range all {
		if all[i].ParentID == parent {
			in = append(in, newAtom(&all[i], all))
		}
	}
	return in
}

func newAtom(a *store.Atom, all []store.Atom) contract.Atom {
	return contract.Atom{
		ID: a.ID, ExternalID: edge.OrNull(a.ExternalID), InternalOrderNumber: a.Number,
		AtomType: contract.AtomAtomType(strings.ToLower(a.AtomType)), BarcodeID: edge.OrNull(a.BarcodeID), Name: a.Name,
		Quantity: a.Quantity, UnitBarcodeIds: a.UnitBarcodes, Children: atomsIn(all, a.ID),
	}
}

// ScanAtom records that a barcode was read.
func (h *Handlers) ScanAtom(
	ctx context.Context, request contract.ScanAtomRequestObject,
) (contract.ScanAtomResponseObject, error) {
	scan, driver, err := h.scanOf(request.Body)
	if err != nil {
		return nil, err
	}
	scanned, err := h.operations.Driving.ScanAtom(ctx, edge.Caller(ctx), scan, driver)
	if err != nil {
		return nil, err
	}
	return contract.ScanAtom200JSONResponse{
		OrderID: scanned.OrderID, AtomID: scanned.AtomID, OrderStatusID: contract.OrderStatusID(scanned.Status),
	}, nil
}

func (h *Handlers) scanOf(body *contract.ScanAtomRequest) (scan event.Scan, driver int64, err error) {
	if body.BarcodeID == "" {
		return scan, 0, fault.Field("barcode_id", fault.Say("param.required"))
	}
	if err := edge.CheckTexts(edge.AtMost(longestText, "barcode_id", body.BarcodeID)); err != nil {
		return scan, 0, err
	}
	if !body.Event.Valid() {
		return scan, 0, fault.Field(
			"event", fault.Say("request.not_one_of", "allowed", "LOADED, UNLOADED, TERMINAL, DELIVERED"),
		)
	}
	at := h.now()
	if body.OccurredAt != nil {
		at = *body.OccurredAt
	}
	if err := checkAgo("occurred_at", h.now().Sub(at)); err != nil {
		return scan, 0, err
	}
	scan = event.Scan{Event: string(body.Event), Barcode: body.BarcodeID, ScannedAt: at.UTC().Format(time.RFC3339Nano)}
	err = readIDs(
		namedID{"location_id", body.LocationID, &scan.Location}, namedID{"driver_id", body.DriverID, &driver})
	return scan, driver, err
}
