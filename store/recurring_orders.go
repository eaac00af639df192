package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/store/queries"
)

// RecurringOrder is a stored template with its generated orders.
type RecurringOrder struct {
	recurring.Template

	Zone *time.Location // the organization's

	GeneratedCount  int64
	DraftCount      int64
	LastGeneratedAt *time.Time
	NextRunAt       *time.Time
	LastError       string
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// StageRecurringOrder keeps a new template until its workflow saves it, and
// reserves its id.
func (s *Store) StageRecurringOrder(ctx context.Context, by caller.Caller, body []byte) (id, change int64, err error) {
	row, err := s.as(by).StageRecurringOrder(ctx, queries.StageRecurringOrderParams{OrgID: by.OrgID, Change: string(body)})
	return row.RecurringOrderID, row.ID, translate(err)
}

// StageRecurringOrder is like that of Store, within a transaction.
func (t *Tx) StageRecurringOrder(ctx context.Context, body []byte) (id, change int64, err error) {
	row, err := t.q.StageRecurringOrder(ctx, queries.StageRecurringOrderParams{OrgID: t.org, Change: string(body)})
	return row.RecurringOrderID, row.ID, err
}

// StageRecurringOrderChange keeps a change until the template's workflow makes
// it.
func (s *Store) StageRecurringOrderChange(
	ctx context.Context, by caller.Caller, id int64, body []byte,
) (change int64, err error) {
	change, err = s.as(by).StageRecurringOrderChange(ctx, queries.StageRecurringOrderChangeParams{
		OrgID: by.OrgID, RecurringOrderID: id, Change: string(body),
	})
	return change, translate(err)
}

// AbandonRecurringOrderChange takes back a change that could not be handed
// over, unless it was made after all.
func (t *Tx) AbandonRecurringOrderChange(ctx context.Context, change int64) (abandoned bool, err error) {
	n, err := t.q.AbandonRecurringOrderChange(ctx, queries.AbandonRecurringOrderChangeParams{OrgID: t.org, ID: change})
	return n > 0, err
}

// RecurringOrderRefusal returns the fault for which a change was rejected, or
// nil if it was made.
func (s *Store) RecurringOrderRefusal(ctx context.Context, org, change int64) error {
	raw, err := s.of(org).RecurringOrderRefusal(ctx, queries.RecurringOrderRefusalParams{OrgID: org, ID: change})
	if err != nil {
		return fmt.Errorf("read refusal: %w", translate(err))
	}
	if len(raw) == 0 {
		return nil
	}
	var f fault.Error
	if err := json.Unmarshal(raw, &f); err != nil {
		return fmt.Errorf("read refusal: %w", err)
	}
	return &f
}

// RecurringOrder reads a template.
func (s *Store) RecurringOrder(ctx context.Context, org, id int64) (RecurringOrder, error) {
	row, err := s.of(org).ReadRecurringOrder(ctx, queries.ReadRecurringOrderParams{OrgID: org, ID: id})
	if err != nil {
		return RecurringOrder{}, absent("recurring_order", id, err)
	}
	return newRecurringOrder(&row.RecurringOrderDetail)
}

// RecurringOrderFilter filters a list of templates. A nil field matches
// everything.
type RecurringOrderFilter struct {
	Active             *bool
	CustomerID         *int64
	StartFrom, StartTo *time.Time
}

// RecurringOrders returns templates by id, and their total number.
func (s *Store) RecurringOrders(
	ctx context.Context, org int64, f RecurringOrderFilter, limit, offset int32,
) ([]RecurringOrder, int64, error) {
	rows, err := s.lists(org).ListRecurringOrders(ctx, queries.ListRecurringOrdersParams{
		OrgID: org, IsActive: f.Active, CustomerID: f.CustomerID, StartFrom: f.StartFrom, StartTo: f.StartTo,
		PageSize: limit, Skip: offset,
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list recurring orders: %w", translate(err))
	}
	if len(rows) == 0 && offset > 0 {
		_, total, err := s.RecurringOrders(ctx, org, f, 1, 0)
		return nil, total, err
	}
	total := int64(0)
	all := make([]RecurringOrder, len(rows))
	for i := range rows {
		total = rows[i].Total
		if all[i], err = newRecurringOrder(&rows[i].RecurringOrderDetail); err != nil {
			return nil, 0, err
		}
	}
	return all, total, nil
}

func newRecurringOrder(row *queries.RecurringOrderDetail) (RecurringOrder, error) {
	r := RecurringOrder{
		Template: recurring.Template{
			ID: row.ID, Name: row.Name,
			CustomerID: row.CustomerID, OrderTypeID: row.OrderTypeID, VehicleTypeID: row.VehicleTypeID,
			RuleSet: row.Rruleset, Start: row.StartDate.UTC(), End: utc(row.EndDate), DaysAhead: int(row.DaysToGenerateAhead),
			Active: row.IsActive, Paused: row.IsPaused, Version: row.Version, AppliedFrom: row.AppliedFrom,
			AppliedTo: row.AppliedTo, Announced: row.Announced, GeneratedThrough: row.GeneratedThrough,
		},
		GeneratedCount: row.GeneratedCount, DraftCount: row.DraftCount,
		LastGeneratedAt: utc(row.LastGeneratedAt), NextRunAt: utc(row.NextRunAt),
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
	if row.LastError != nil {
		r.LastError = *row.LastError
	}
	var err error
	if r.Zone, err = time.LoadLocation(row.Timezone); err != nil {
		return r, fmt.Errorf("zone of organization: %w", err)
	}
	if err := jsonv2.Unmarshal([]byte(row.OrderTemplate), &r.Order); err != nil {
		return r, fmt.Errorf("order template %d: %w", row.ID, err)
	}
	if r.Pickup, err = newPlace(row.PickupLocationID, row.PickupPlace); err != nil {
		return r, err
	}
	r.Delivery, err = newPlace(row.DeliveryLocationID, row.DeliveryPlace)
	return r, err
}

func newPlace(id int64, document []byte) (recurring.Place, error) {
	var l order.LocationRequest
	if err := jsonv2.Unmarshal(document, &l); err != nil {
		return recurring.Place{}, fmt.Errorf("place %d: %w", id, err)
	}
	return recurring.Place{LocationID: id, ExternalID: l.ExternalID, Name: l.Name, Address: l.Address}, nil
}

func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	moved := at.UTC()
	return &moved
}

// ActiveTemplates returns the ids of active templates behind one of them, by id
// and at most so many.
func (s *Store) ActiveTemplates(ctx context.Context, org, after int64, most int32) ([]int64, error) {
	ids, err := s.of(org).ActiveTemplates(ctx, queries.ActiveTemplatesParams{OrgID: org, After: after, Most: most})
	return ids, translate(err)
}
