package store

import (
	"context"
	"errors"

	"waybill/domain/driving"
	"waybill/store/columns"
	"waybill/store/queries"
)

// carriersOf are the load carriers that are exchanged.
func carriersOf(lines []driving.Exchanged) []int64 {
	ids := make([]int64, len(lines))
	for i, line := range lines {
		ids[i] = line.CarrierID
	}
	return ids
}

// exchange records an exchange of load carriers, or its reversal by an undo, in the
// account of the stop's location. An exchange that was undone before it arrived changes
// nothing.
func (w *driven) exchange(ctx context.Context) error {
	if id := w.of.TakesBack(w.r.Fact, w.r.Effect); id != "" {
		return errors.Join(
			w.q.LockExchanged(ctx, queries.LockExchangedParams{OrgID: w.org, Undoes: id}),
			w.q.ReverseExchanged(ctx, queries.ReverseExchangedParams{
				OrgID: w.org, Undoes: id, OccurredAt: w.r.Happened, DriverID: w.action.DriverID, ActionID: w.action.ID,
			}))
	}
	if w.action.Deed != driving.Exchange || w.r.Effect != driving.Moved {
		return nil
	}
	added := queries.AddExchangedParams{OrgID: w.org, StopID: w.action.StopID}
	for _, line := range w.action.Exchanged {
		columns.Add(&added.Carriers, line.CarrierID)
		columns.Add(&added.Quantities, line.Delivered-line.Collected)
	}
	kept := queries.KeepExchangedParams{
		OrgID: w.org, StopID: w.action.StopID, OccurredAt: w.r.Happened, DriverID: w.action.DriverID,
		Comment: w.action.Comment, ActionID: w.action.ID,
	}
	for _, m := range driving.Movements(w.action.Exchanged) {
		columns.Add(&kept.Carriers, m.CarrierID)
		columns.Add(&kept.Quantities, m.Quantity)
		columns.Add(&kept.Rests, m.Rest)
	}
	return errors.Join(w.q.AddExchanged(ctx, added), w.q.KeepExchanged(ctx, kept))
}
