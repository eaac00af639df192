package recurring

import (
	"bytes"
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/domain/recurring/wire"
	"waybill/operations/core"
	"waybill/store"
)

// StagedChange is a change of a template that is kept until the template's
// workflow makes it with SaveTemplate.
type StagedChange struct {
	ID         int64
	TemplateID int64
}

// StageTemplate stores a new template until its workflow saves it, and reserves
// its id. It rejects an invalid template at once.
func (o *Operations) StageTemplate(
	ctx context.Context, c caller.Caller, body []byte, zone *time.Location,
) (StagedChange, error) {
	change, err := wire.ReadChange(bytes.NewReader(body))
	if err != nil {
		return StagedChange{}, err
	}
	if _, err := change.New(zone); err != nil {
		return StagedChange{}, err
	}
	if c.Repeat == nil {
		template, staged, err := o.store.StageRecurringOrder(ctx, c, body)
		return StagedChange{ID: staged, TemplateID: template}, err
	}
	return core.Once(ctx, o.store, c, func(t *store.Tx) (StagedChange, error) {
		template, staged, err := t.StageRecurringOrder(ctx, body)
		return StagedChange{ID: staged, TemplateID: template}, err
	})
}

// StageTemplateChange stores a change of a template. It rejects a change that
// can't be applied to the present template.
func (o *Operations) StageTemplateChange(
	ctx context.Context, c caller.Caller, templateID int64, body []byte,
) (StagedChange, error) {
	change, err := wire.ReadChange(bytes.NewReader(body))
	if err != nil {
		return StagedChange{}, err
	}
	present, err := o.store.RecurringOrder(ctx, c.OrgID, templateID)
	if err != nil {
		return StagedChange{}, err
	}
	if _, err := change.Apply(present.Template, present.Zone); err != nil {
		return StagedChange{}, err
	}
	return o.stage(ctx, c, templateID, body)
}

// StageDeactivation keeps the change that deactivates a template. Needed is
// false when the template is inactive already.
func (o *Operations) StageDeactivation(
	ctx context.Context, c caller.Caller, templateID int64,
) (staged StagedChange, needed bool, err error) {
	present, err := o.store.RecurringOrder(ctx, c.OrgID, templateID)
	if err != nil || !present.Active {
		return StagedChange{}, false, err
	}
	staged, err = o.stage(ctx, c, templateID, []byte(`{"isActive": false}`))
	return staged, err == nil, err
}

func (o *Operations) stage(ctx context.Context, c caller.Caller, templateID int64, body []byte) (StagedChange, error) {
	id, err := o.store.StageRecurringOrderChange(ctx, c, templateID, body)
	return StagedChange{ID: id, TemplateID: templateID}, err
}

// AbandonTemplateChange deletes a change that did not reach the workflow, and
// reports whether it did. It leaves alone one that was made or rejected after
// all. Repeating the request stages it again.
func (o *Operations) AbandonTemplateChange(
	ctx context.Context, c caller.Caller, staged StagedChange,
) (abandoned bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		abandoned, err = t.AbandonRecurringOrderChange(ctx, staged.ID)
		if err == nil && abandoned && c.Repeat != nil {
			err = t.ForgetOutcome(ctx, c.Repeat)
		}
		return err
	})
	return abandoned, err
}
