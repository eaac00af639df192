package store

import (
	"context"
	"errors"

	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// DrawSSCCs reserves a run of consecutive numbers for codes of the
// organization. It returns the first and their prefix, which is empty if the
// organization has none. Concurrent transactions take turns.
func (t *Tx) DrawSSCCs(ctx context.Context, many int) (first int64, prefix string, err error) {
	row, err := t.q.DrawSSCCs(ctx, queries.DrawSSCCsParams{OrgID: t.org, Many: int64(many)})
	if err = translate(err); errors.Is(err, ErrNotFound) {
		return 0, "", nil
	}
	return row.First, row.Prefix, err
}

// LabelNames are the texts of a label that are not on the order itself.
type LabelNames = queries.LabelNamesRow

// LoadLabelNames reads the texts of labels that are not on the orders, by order
// id.
func (t *Tx) LoadLabelNames(ctx context.Context, ids []int64) (map[int64]LabelNames, error) {
	rows, err := t.q.LabelNames(ctx, queries.LabelNamesParams{OrgID: t.org, Ids: ids})
	names := make(map[int64]LabelNames, len(rows))
	for _, r := range rows {
		names[r.ID] = r
	}
	return names, err
}

// LoadNumbersOf reads the numbers that name orders, by the orders' ids.
func (t *Tx) LoadNumbersOf(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := t.q.NumbersOfIDs(ctx, queries.NumbersOfIDsParams{OrgID: t.org, Ids: ids})
	numbers := make(map[int64]string, len(rows))
	for _, r := range rows {
		numbers[r.ID] = r.Number
	}
	return numbers, err
}

// LoadUnitCodes reads the codes that units of the lines of orders have.
func (t *Tx) LoadUnitCodes(ctx context.Context, orders []int64) (order.UnitCodes, error) {
	rows, err := t.q.CodesOfUnits(ctx, queries.CodesOfUnitsParams{OrgID: t.org, OrderIds: orders})
	codes := order.UnitCodes{}
	for _, r := range rows {
		codes[r.OrderProductID] = append(codes[r.OrderProductID], r.BarcodeID)
	}
	return codes, err
}

// SaveUnitCodes keeps codes that were drawn for units.
func (t *Tx) SaveUnitCodes(ctx context.Context, drawn []order.UnitCode) error {
	p := queries.AddCodesOfUnitsParams{OrgID: t.org}
	for _, u := range drawn {
		columns.Add(&p.ProductIds, u.ProductID)
		columns.Add(&p.Units, int32(u.Unit))
		columns.Add(&p.Codes, u.Code)
	}
	if len(drawn) == 0 {
		return nil
	}
	return t.q.AddCodesOfUnits(ctx, p)
}
