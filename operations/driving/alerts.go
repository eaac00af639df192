package driving

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"waybill/domain/alert"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// AcknowledgeAlert says that somebody sees to an alert. Doing it again changes nothing.
func (o *Operations) AcknowledgeAlert(ctx context.Context, c caller.Caller, id int64, note string) error {
	return o.handleAlert(ctx, c, id, func(t *store.Tx, a store.LockedAlert) error {
		if a.Acknowledged {
			return nil
		}
		return t.HandleAlert(ctx, id, nil, note)
	})
}

// SnoozeAlert hides an alert for some minutes.
func (o *Operations) SnoozeAlert(ctx context.Context, c caller.Caller, id int64, minutes int, note string) error {
	return o.handleAlert(ctx, c, id, func(t *store.Tx, a store.LockedAlert) error {
		if a.Acknowledged {
			return fault.Illegal("alert.acknowledged", "alert", strconv.FormatInt(id, 10))
		}
		until := o.now().Add(time.Duration(minutes) * time.Minute)
		return t.HandleAlert(ctx, id, &until, note)
	})
}

func (o *Operations) handleAlert(
	ctx context.Context, c caller.Caller, id int64, handle func(*store.Tx, store.LockedAlert) error,
) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		a, err := t.LockAlert(ctx, id)
		if err != nil {
			return err
		}
		if a.Resolved {
			return fault.Illegal("alert.resolved", "alert", strconv.FormatInt(id, 10))
		}
		return handle(t, a)
	})
	if err != nil {
		return fmt.Errorf("handle alert: %w", err)
	}
	return nil
}

// CreateAlertRule creates a rule by which alerts are raised, and returns its id.
func (o *Operations) CreateAlertRule(ctx context.Context, c caller.Caller, r alert.Rule) (id int64, err error) {
	err = o.changeAlertRules(ctx, c, &r, func(t *store.Tx, rules int64) error {
		if rules >= alert.MostRules {
			return fault.Illegal("alert.too_many_rules", "alert_rule", strconv.Itoa(alert.MostRules))
		}
		id, err = t.AddAlertRule(ctx, &r)
		return err
	})
	return id, err
}

// UpdateAlertRule replaces a rule. What it has raised is resolved, because the new rule raises what still holds.
func (o *Operations) UpdateAlertRule(ctx context.Context, c caller.Caller, r alert.Rule) error {
	return o.changeAlertRules(ctx, c, &r, func(t *store.Tx, _ int64) error { return t.PutAlertRule(ctx, &r) })
}

// DeleteAlertRule deletes a rule, and resolves what it has raised.
func (o *Operations) DeleteAlertRule(ctx context.Context, c caller.Caller, id int64) error {
	return o.changeAlertRules(ctx, c, nil, func(t *store.Tx, _ int64) error { return t.DropAlertRule(ctx, id) })
}

// changeAlertRules changes the rules of an organization, one caller after the other. A new content is checked before.
func (o *Operations) changeAlertRules(
	ctx context.Context, c caller.Caller, r *alert.Rule, change func(t *store.Tx, rules int64) error,
) error {
	if r != nil {
		if err := r.Check(); err != nil {
			return err
		}
	}
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		rules, err := t.LockAlertRules(ctx)
		if err != nil {
			return err
		}
		if r != nil && r.DepartmentID != 0 {
			has, err := t.HasDepartment(ctx, r.DepartmentID)
			if err == nil && !has {
				err = fault.Field("departmentId", fault.Say("department.not_found", "name", strconv.FormatInt(r.DepartmentID, 10)))
			}
			if err != nil {
				return err
			}
		}
		return change(t, rules)
	})
	if err != nil {
		return fmt.Errorf("change alert rules: %w", err)
	}
	return nil
}
