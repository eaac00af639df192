package store

import (
	"context"
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/recurring"
	"waybill/store/queries"
)

// RecurringOrderChange is a change that this transaction works on.
type RecurringOrderChange struct {
	TemplateID int64
	Creates    bool
	Body       string
	Done       bool
	Refused    bool
}

// LockRecurringOrderChange takes a change for this transaction.
func (t *Tx) LockRecurringOrderChange(ctx context.Context, id int64) (RecurringOrderChange, error) {
	row, err := t.q.LockRecurringOrderChange(ctx, queries.LockRecurringOrderChangeParams{OrgID: t.org, ID: id})
	if err != nil {
		return RecurringOrderChange{}, missing("template_change", id, err)
	}
	return RecurringOrderChange{
		TemplateID: row.RecurringOrderID, Creates: row.Creates, Body: row.Change, Done: row.Done, Refused: row.Refused,
	}, nil
}

// FinishRecurringOrderChange records that a change is made, or why it is not.
func (t *Tx) FinishRecurringOrderChange(ctx context.Context, id int64, refusal *fault.Error) error {
	p := queries.FinishRecurringOrderChangeParams{OrgID: t.org, ID: id}
	if refusal != nil {
		told := *refusal
		told.Cause = nil
		raw, err := json.Marshal(told)
		if err != nil {
			return fmt.Errorf("refusal: %w", err)
		}
		p.Refusal = raw
	}
	return t.q.FinishRecurringOrderChange(ctx, p)
}

// LockRecurringOrder takes a template for this transaction and reads it.
func (t *Tx) LockRecurringOrder(ctx context.Context, id int64) (RecurringOrder, error) {
	if _, err := t.q.LockRecurringOrder(ctx, queries.LockRecurringOrderParams{OrgID: t.org, ID: id}); err != nil {
		return RecurringOrder{}, missing("recurring_order", id, err)
	}
	return t.RecurringOrder(ctx, id)
}

// IsRecurringOrderStaged reports whether creating a template with this id was
// requested. Old requests are deleted.
func (t *Tx) IsRecurringOrderStaged(ctx context.Context, id int64) (bool, error) {
	return t.q.IsRecurringOrderStaged(ctx, queries.IsRecurringOrderStagedParams{OrgID: t.org, RecurringOrderID: id})
}

// RecurringOrder reads a template.
func (t *Tx) RecurringOrder(ctx context.Context, id int64) (RecurringOrder, error) {
	row, err := t.q.ReadRecurringOrder(ctx, queries.ReadRecurringOrderParams{OrgID: t.org, ID: id})
	if err != nil {
		return RecurringOrder{}, missing("recurring_order", id, err)
	}
	return newRecurringOrder(&row.RecurringOrderDetail)
}

// LockLiveLocations returns those of some locations that are not deleted, and
// keeps them so until the end of the transaction.
func (t *Tx) LockLiveLocations(ctx context.Context, ids []int64) ([]int64, error) {
	live, err := t.q.LockLiveLocations(ctx, queries.LockLiveLocationsParams{OrgID: t.org, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("lock locations: %w", err)
	}
	return live, nil
}

// PutRecurringOrder writes a template with the event of its change.
func (t *Tx) PutRecurringOrder(ctx context.Context, r *recurring.Template, kind event.Kind) error {
	text, err := jsonv2.Marshal(r.Order)
	if err != nil {
		return fmt.Errorf("order template: %w", err)
	}
	err = t.q.PutRecurringOrder(ctx, queries.PutRecurringOrderParams{
		OrgID: t.org, ID: r.ID, Name: r.Name,
		CustomerID: r.CustomerID, OrderTypeID: r.OrderTypeID, VehicleTypeID: r.VehicleTypeID,
		PickupLocationID: r.Pickup.LocationID, DeliveryLocationID: r.Delivery.LocationID, OrderTemplate: string(text),
		Rruleset: r.RuleSet, StartDate: r.Start, EndDate: r.End, DaysToGenerateAhead: int16(r.DaysAhead),
		IsActive: r.Active, IsPaused: r.Paused, Version: r.Version, AppliedFrom: r.AppliedFrom,
		GeneratedThrough: r.GeneratedThrough, Owes: r.Works(),
	})
	if err != nil {
		return fmt.Errorf("save recurring order: %w", err)
	}
	return t.Append(ctx, event.Template{ID: r.ID, Name: r.Subject()}.Event(kind))
}

// PauseRecurringOrder pauses a template that is active, or lets it continue,
// and reports whether that changed it.
func (t *Tx) PauseRecurringOrder(ctx context.Context, id int64, paused bool) (changed bool, err error) {
	n, err := t.q.PauseRecurringOrder(ctx, queries.PauseRecurringOrderParams{OrgID: t.org, ID: id, Paused: paused})
	return n > 0, err
}
