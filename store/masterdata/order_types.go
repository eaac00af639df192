package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) orderTypes(ctx context.Context) (counts, error) {
	params := queries.ApplyOrderTypesParams{OrgID: a.org}
	for _, t := range a.document.OrderTypes {
		columns.Add(&params.Names, t.Name)
		columns.Add(&params.Priorities, int32(t.Priority))
		columns.Add(&params.ReadyFroms, columns.OrMinusOne[int16](t.ReadyFrom))
		columns.Add(&params.PickUpBefores, columns.OrMinusOne[int16](t.PickUpBefore))
		columns.Add(&params.DeliverBefores, columns.OrMinusOne[int16](t.DeliverBefore))
		columns.Add(&params.MinBookAheads, columns.OrMinusOne[int32](t.MinBookAheadMinutes))
		columns.Add(&params.MaxBookAheads, columns.OrMinusOne[int32](t.MaxBookAheadMinutes))
		columns.Add(&params.ExportCarriers, t.ExportCarrier)
		columns.Add(&params.Proofs, store.ProofText(t.Proof))
		columns.Add(&params.ServiceTimes, store.ServiceTimeText(t.ServiceTime))
	}
	n, err := a.q.ApplyOrderTypes(ctx, params)
	return counts(n), err
}

func (a *applier) pruneOrderTypes(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.OrderTypes, func(t organization.OrderType) string { return t.Name })
	return a.q.PruneOrderTypes(ctx, queries.PruneOrderTypesParams{OrgID: a.org, Names: names})
}
