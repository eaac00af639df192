package orders

import (
	"context"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
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
	same := []string{scanned}
	if code := label.CodeOf(scanned); code.SSCC {
		same = []string{code.Text, "00" + code.Text}
	}
	found, err := h.store.AtomByBarcode(ctx, org, scanned, same)
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

// atomsIn are those of some products that lie in one of them, each with what lies
// in it; 0 is the top.
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
		Quantity: a.Quantity, Children: atomsIn(all, a.ID),
	}
}
