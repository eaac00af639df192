package activities

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/store"
)

// RecurringStore is what recurring orders need of the store.
type RecurringStore interface {
	InTx(ctx context.Context, org int64, work func(*store.Tx) error) error
}

// Recurring are the activities of the workflow RecurringOrder.
type Recurring struct {
	store RecurringStore
	now   func() time.Time
}

// NewRecurring makes the activities of recurring orders; now is the clock.
func NewRecurring(s RecurringStore, now func() time.Time) *Recurring {
	return &Recurring{store: s, now: now}
}

// SaveInput names a change of a template that waits to be made.
type SaveInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	ChangeID   int64 `json:"changeId"`
}

// SaveOutcome tells whether a change was made. Why it was refused is kept with
// the change, because histories hold no texts.
type SaveOutcome struct {
	Refused bool  `json:"refused,omitempty"`
	Version int64 `json:"version,omitempty"`
}

// SaveTemplate makes a change of a template in one transaction with its event.
// The change's row is the key that every attempt shares: who finds it done
// changes nothing.
func (a *Recurring) SaveTemplate(ctx context.Context, in SaveInput) (SaveOutcome, error) {
	defer heartbeat(ctx)()
	var out SaveOutcome
	err := a.store.InTx(ctx, in.OrgID, func(tx *store.Tx) (err error) {
		out, err = a.save(ctx, tx, in)
		return err
	})
	// What a refused change had written is rolled back; why is written down.
	var refusal *fault.Error
	if errors.As(err, &refusal) && refusal.Kind != fault.Unavailable && refusal.Kind != fault.Internal {
		out = SaveOutcome{Refused: true}
		err = a.store.InTx(ctx, in.OrgID, func(tx *store.Tx) error {
			return tx.FinishRecurringOrderChange(ctx, in.ChangeID, refusal)
		})
	}
	return out, permanent(err)
}

func (a *Recurring) save(ctx context.Context, tx *store.Tx, in SaveInput) (SaveOutcome, error) {
	staged, err := tx.LockRecurringOrderChange(ctx, in.ChangeID)
	if err != nil {
		return SaveOutcome{}, err
	}
	if staged.Done {
		return SaveOutcome{Refused: staged.Refused}, nil
	}
	change, err := recurring.ReadChange(strings.NewReader(staged.Body))
	if err != nil {
		return SaveOutcome{}, err
	}
	next, zone, err := a.changed(ctx, tx, staged, &change)
	if err != nil {
		return SaveOutcome{}, err
	}
	if staged.Creates || change.Refers() {
		if err := tx.JudgeTemplate(ctx, &next, zone, true); err != nil {
			return SaveOutcome{}, err
		}
	}
	if err := tx.PutRecurringOrder(ctx, &next, eventOf(staged.Creates, &change)); err != nil {
		return SaveOutcome{}, err
	}
	return SaveOutcome{Version: next.Version}, tx.FinishRecurringOrderChange(ctx, in.ChangeID, nil)
}

// changed is the template as it is after the change.
func (a *Recurring) changed(
	ctx context.Context, tx *store.Tx, staged store.RecurringOrderChange, change *recurring.Change,
) (recurring.Template, *time.Location, error) {
	if staged.Creates {
		zone, err := tx.OrganizationZone(ctx)
		if err != nil {
			return recurring.Template{}, nil, err
		}
		next, err := change.New(zone)
		next.ID = staged.TemplateID
		return next, zone, err
	}
	present, err := tx.LockRecurringOrder(ctx, staged.TemplateID)
	if errors.Is(err, store.ErrNotFound) {
		return recurring.Template{}, nil, fault.Missing("recurring_order", fmt.Sprint(staged.TemplateID))
	}
	if err != nil {
		return recurring.Template{}, nil, err
	}
	next, err := change.Apply(present.Template, present.Zone)
	return next, present.Zone, err
}

func eventOf(creates bool, change *recurring.Change) order.EventKind {
	switch {
	case creates:
		return recurring.EventCreated
	case change.Active != nil && !*change.Active:
		return recurring.EventDeactivated
	}
	return recurring.EventUpdated
}

// PauseInput names a template that is to be paused, or to go on.
type PauseInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	Paused     bool  `json:"paused"`
}

// PauseTemplate pauses a template or lets it go on. One that is so already, or
// is not active or not there, is left alone.
func (a *Recurring) PauseTemplate(ctx context.Context, in PauseInput) error {
	defer heartbeat(ctx)()
	return permanent(a.store.InTx(ctx, in.OrgID, func(tx *store.Tx) error {
		present, err := tx.LockRecurringOrder(ctx, in.TemplateID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.PauseRecurringOrder(ctx, &present.Template, in.Paused)
	}))
}
