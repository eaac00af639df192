package recurring

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/domain/recurring/wire"
	"waybill/operations/core"
	"waybill/store"
)

// SavedTemplate is the result of a change of a template. The reason of a
// rejection is stored with the change.
type SavedTemplate struct {
	Refused bool
	Version int64
}

// SaveTemplate applies a staged change of a template, in one transaction with
// its event. The change's row is the key: repeating it changes nothing.
func (o *Operations) SaveTemplate(ctx context.Context, c caller.Caller, changeID int64) (SavedTemplate, error) {
	var out SavedTemplate
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		return core.Guarded(o.log, func() (err error) {
			out, err = saveTemplate(ctx, t, changeID)
			return err
		})
	})
	if core.Unstorable(err) {
		err = &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("entry.unstorable"), Cause: err}
	}
	// A rejected change is rolled back; its reason is saved.
	var refusal *fault.Error
	if errors.As(err, &refusal) && refusal.Kind != fault.Unavailable && refusal.Kind != fault.Internal {
		out = SavedTemplate{Refused: true}
		err = o.store.InTx(ctx, c, func(t *store.Tx) error {
			return t.FinishRecurringOrderChange(ctx, changeID, refusal)
		})
	}
	if err != nil {
		return SavedTemplate{}, fmt.Errorf("save template: %w", err)
	}
	return out, nil
}

func saveTemplate(ctx context.Context, t *store.Tx, changeID int64) (SavedTemplate, error) {
	staged, err := t.LockRecurringOrderChange(ctx, changeID)
	if err != nil {
		return SavedTemplate{}, err
	}
	if staged.Done {
		return SavedTemplate{Refused: staged.Refused}, nil
	}
	change, err := wire.ReadChange(strings.NewReader(staged.Body))
	if err != nil {
		return SavedTemplate{}, err
	}
	next, zone, err := changedTemplate(ctx, t, staged, &change)
	if err != nil {
		return SavedTemplate{}, err
	}
	if staged.Creates || change.Refers() {
		if err := adoptTemplate(ctx, t, &next, zone); err != nil {
			return SavedTemplate{}, err
		}
	}
	if err := t.PutRecurringOrder(ctx, &next, change.Event(staged.Creates)); err != nil {
		return SavedTemplate{}, err
	}
	return SavedTemplate{Version: next.Version}, t.FinishRecurringOrderChange(ctx, changeID, nil)
}

// changedTemplate returns the template after a change.
func changedTemplate(
	ctx context.Context, t *store.Tx, staged store.RecurringOrderChange, change *recurring.Change,
) (recurring.Template, *time.Location, error) {
	if staged.Creates {
		zone, err := t.OrganizationZone(ctx)
		if err != nil {
			return recurring.Template{}, nil, err
		}
		next, err := change.New(zone)
		next.ID = staged.TemplateID
		return next, zone, err
	}
	present, err := t.LockRecurringOrder(ctx, staged.TemplateID)
	if errors.Is(err, store.ErrNotFound) {
		return recurring.Template{}, nil, fault.Missing("recurring_order", fmt.Sprint(staged.TemplateID))
	}
	if err != nil {
		return recurring.Template{}, nil, err
	}
	next, err := change.Apply(present.Template, present.Zone)
	return next, present.Zone, err
}

// adoptTemplate resolves the references of a template, by checking the order of
// its first occurrence. It creates unknown locations, and locks locations
// against deletion while the template is saved.
func adoptTemplate(ctx context.Context, t *store.Tx, template *recurring.Template, zone *time.Location) error {
	sample, err := template.Sample(zone)
	if err != nil {
		return err
	}
	if err := t.RegisterLocations(ctx, []order.Request{sample}); err != nil {
		return err
	}
	if err := judgeTemplate(ctx, t, template, sample); err != nil {
		return err
	}
	live, err := t.LockLiveLocations(ctx, []int64{template.Pickup.LocationID, template.Delivery.LocationID})
	if err != nil {
		return err
	}
	return template.CheckPlaces(live)
}

// judgeTemplate looks up the references of a template, and checks a sample of
// its orders.
func judgeTemplate(ctx context.Context, t *store.Tx, template *recurring.Template, sample order.Request) error {
	entries := []order.Request{sample}
	snapshot, err := t.Snapshot(ctx, store.Scope{Entries: entries, Defaults: recurring.Defaults()})
	if err != nil {
		return err
	}
	return template.Adopt(order.Decide(snapshot, recurring.Defaults(), entries).Results[0])
}

// PauseTemplate pauses or resumes a template. It leaves alone one that is
// already in that state, inactive or missing.
func (o *Operations) PauseTemplate(ctx context.Context, c caller.Caller, templateID int64, paused bool) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		present, err := t.LockRecurringOrder(ctx, templateID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		changed, err := t.PauseRecurringOrder(ctx, templateID, paused)
		if err != nil || !changed {
			return err
		}
		kind := event.TemplateResumed
		if paused {
			kind = event.TemplatePaused
		}
		return t.Append(ctx, event.Template{ID: templateID, Name: present.Subject()}.Event(kind))
	})
	if err != nil {
		return fmt.Errorf("pause template: %w", err)
	}
	return nil
}
