package store

import (
	"context"

	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/store/columns"
	"waybill/store/queries"
)

// KeepPromise keeps what a recipient is told about when service at a stop begins. What is told first is the promise,
// with its event. What is told again replaces only what was told last.
func (t *Tx) KeepPromise(
	ctx context.Context, orderID int64, kind order.StopKind, told recipient.Range, again bool,
) error {
	return t.q.KeepPromise(ctx, queries.KeepPromiseParams{
		OrgID: t.org, OrderID: orderID, Kind: string(kind), ToldFrom: told.From, ToldTo: told.To, Again: again,
	})
}

// PromiseChosen has the window that a recipient chose for a delivery be the promise, with its event. It reports false,
// and changes nothing, if recipients of the order have chosen that often.
func (t *Tx) PromiseChosen(ctx context.Context, orderID int64, window order.Window, most int) (bool, error) {
	kept, err := t.q.PromiseChosen(ctx, queries.PromiseChosenParams{
		OrgID: t.org, OrderID: orderID, ChosenFrom: window.Earliest, ChosenTo: window.Latest, Most: int64(most),
	})
	return kept > 0, translate(err)
}

// MovedTime is the stop of a route whose time has moved from what its recipient was told.
type MovedTime struct {
	OrderID int64
	Kind    order.StopKind
	Range   recipient.Range
}

// SaveMovedTimes announces that times have moved, with events. A stop of which that was announced too often stays as
// it was.
func (t *Tx) SaveMovedTimes(ctx context.Context, driverID int64, moved []MovedTime) error {
	if len(moved) == 0 {
		return nil
	}
	p := queries.MovePromisesParams{OrgID: t.org, DriverID: driverID, Most: recipient.MostMoves}
	for _, m := range moved {
		columns.Add(&p.OrderIds, m.OrderID)
		columns.Add(&p.Kinds, string(m.Kind))
		columns.Add(&p.Froms, m.Range.From)
		columns.Add(&p.Tos, m.Range.To)
	}
	return t.q.MovePromises(ctx, p)
}
