package recurring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/store"
)

// TemplatePreview is a template after a change, and the effect on its orders.
type TemplatePreview struct {
	Template recurring.Template
	Plan     recurring.Plan
	// Kept are the days that updateExistingOrders would change and this change does
	// not.
	Kept []time.Time
}

// PreviewTemplateChange returns the effect of a change of a template today, and
// writes nothing. It lists only orders that would really differ as changed.
func (o *Operations) PreviewTemplateChange(
	ctx context.Context, c caller.Caller, templateID int64, change recurring.Change,
) (TemplatePreview, error) {
	var out TemplatePreview
	err := o.store.InReadOnlyTx(ctx, c.OrgID, func(t *store.Tx) error {
		present, err := t.RecurringOrder(ctx, templateID)
		if errors.Is(err, store.ErrNotFound) {
			return fault.Missing("recurring_order", fmt.Sprint(templateID))
		}
		if err != nil {
			return err
		}
		if out.Template, err = change.Apply(present.Template, present.Zone); err != nil {
			return err
		}
		if change.Refers() {
			if err := foreseeTemplate(ctx, t, &out.Template, present.Zone); err != nil {
				return err
			}
		}
		if !out.Template.Works() {
			return nil
		}
		if out.Plan, err = o.foreseePlan(ctx, t, &out.Template, present.Zone); err != nil {
			return err
		}
		out.Kept, err = o.foreseeKept(ctx, t, &out, present.Zone)
		return err
	})
	return out, err
}

// foreseeTemplate checks a template without creating unknown locations: the
// order keeps naming those.
func foreseeTemplate(ctx context.Context, t *store.Tx, template *recurring.Template, zone *time.Location) error {
	sample, err := template.Sample(zone)
	if err != nil {
		return err
	}
	if err := judgeTemplate(ctx, t, template, sample); err != nil {
		return err
	}
	template.DropForeseenPlaces()
	return nil
}

// foreseePlan compares the orders that a template requires with the existing
// ones.
func (o *Operations) foreseePlan(
	ctx context.Context, t *store.Tx, template *recurring.Template, zone *time.Location,
) (recurring.Plan, error) {
	today := recurring.DayOf(o.now(), zone)
	existing, err := t.Occurrences(ctx, template.ID, today)
	if err != nil {
		return recurring.Plan{}, err
	}
	plan, err := template.Compare(existing, today, zone)
	if err != nil {
		return recurring.Plan{}, err
	}
	plan.Change, err = reallyChanging(ctx, t, template, plan.Change, zone)
	return plan, err
}

// foreseeKept returns the days whose orders a change leaves alone.
func (o *Operations) foreseeKept(
	ctx context.Context, t *store.Tx, preview *TemplatePreview, zone *time.Location,
) ([]time.Time, error) {
	if preview.Template.Promised() {
		return nil, nil
	}
	asking := preview.Template
	asking.AppliedFrom = asking.Version
	plan, err := o.foreseePlan(ctx, t, &asking, zone)
	if err != nil {
		return nil, err
	}
	changing := preview.Plan.Days()
	return slices.DeleteFunc(plan.Days(), func(day time.Time) bool { return slices.Contains(changing, day) }), nil
}

// reallyChanging leaves out orders that an import of the template would not
// change.
func reallyChanging(
	ctx context.Context, t *store.Tx, template *recurring.Template, list []recurring.Existing, zone *time.Location,
) ([]recurring.Existing, error) {
	var changing []recurring.Existing
	for len(list) > 0 {
		part := list[:min(len(list), order.ChunkSize)]
		list = list[len(part):]
		requests := (&recurring.Plan{Change: part}).Requests(template, zone)
		snapshot, err := t.Snapshot(ctx, store.Scope{Entries: requests, Defaults: recurring.Defaults()})
		if err != nil {
			return nil, err
		}
		for i, r := range order.Decide(snapshot, recurring.Defaults(), requests).Results {
			if r.Order == nil || r.Order.Changes.Any() {
				changing = append(changing, part[i])
			}
		}
	}
	return changing, nil
}
