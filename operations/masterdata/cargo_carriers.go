package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/operations/core"
	"waybill/store"
)

// SaveCargoCarrier creates or updates a kind of load carrier, by its code.
func (o *Operations) SaveCargoCarrier(
	ctx context.Context, c caller.Caller, carrier store.CargoCarrier,
) (store.CargoCarrier, error) {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		id, isNew, err := t.SaveCargoCarrier(ctx, &carrier)
		if err != nil {
			return err
		}
		kind := event.CargoCarrierUpdated
		if isNew {
			kind = event.CargoCarrierCreated
		}
		carrier.ID = id
		return t.Append(ctx, event.CargoCarrier{ID: id, Code: carrier.Code}.Event(kind))
	})
	if err != nil {
		return store.CargoCarrier{}, fmt.Errorf("save cargo carrier: %w", err)
	}
	return carrier, nil
}

// MoveCargoCarriers records that a party got load carriers or gave them back, with its
// event. Movements of one account take turns.
func (o *Operations) MoveCargoCarriers(
	ctx context.Context, c caller.Caller, move store.CargoMove,
) (store.CargoMoved, error) {
	moved, err := core.Once(ctx, o.store, c, func(t *store.Tx) (store.CargoMoved, error) {
		moved, err := t.SaveCargoMove(ctx, &move)
		if err != nil {
			return moved, err
		}
		return moved, t.Append(ctx, cargoMoved(&moved))
	})
	if err != nil {
		return moved, fmt.Errorf("move cargo carriers: %w", err)
	}
	return moved, nil
}

// ReverseCargoMovement takes a movement back by another one, once, with its event.
func (o *Operations) ReverseCargoMovement(
	ctx context.Context, c caller.Caller, id int64, comment string,
) (store.CargoMoved, error) {
	moved, err := core.Once(ctx, o.store, c, func(t *store.Tx) (store.CargoMoved, error) {
		moved, err := t.SaveCargoReversal(ctx, id, o.now(), comment)
		if err != nil {
			return moved, err
		}
		return moved, t.Append(ctx, cargoMoved(&moved))
	})
	if err != nil {
		return moved, fmt.Errorf("reverse cargo movement: %w", err)
	}
	return moved, nil
}

func cargoMoved(m *store.CargoMoved) event.Event {
	return event.CargoMove{
		Carrier: m.Code, Account: m.AccountID, Movement: m.ID, Quantity: m.Quantity, Reverses: m.Reverses,
		CarrierID: m.CarrierID, OrderID: m.OrderID,
	}.Event(event.CargoCarrierMoved)
}
