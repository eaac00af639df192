package masterdata

import (
	"context"
	"strconv"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// CreateDriver adds a driver with a unique external id.
func (o *Operations) CreateDriver(ctx context.Context, c caller.Caller, details driver.Details) (store.Driver, error) {
	return core.Once(ctx, o.store, c, func(t *store.Tx) (store.Driver, error) { return t.SaveNewDriver(ctx, details) })
}

// ChangeDriver applies change to a driver, and saves the driver if it differs.
func (o *Operations) ChangeDriver(
	ctx context.Context, c caller.Caller, id int64, change func(driver.Details) (driver.Details, error),
) (d store.Driver, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if d, err = t.LockDriver(ctx, id); err != nil {
			return err
		}
		wanted, err := change(d.Details)
		if err != nil || wanted.Same(d.Details) {
			return err
		}
		return t.SaveDetails(ctx, &d, wanted)
	})
	return d, err
}

// DeactivateDriver deactivates a driver and removes their working days from
// today on. Those with whom they would ride are alone then. The driver keeps
// orders that have begun; others are planned again.
func (o *Operations) DeactivateDriver(ctx context.Context, c caller.Caller, id int64, today time.Time) (d store.Driver, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if d, err = t.LockDriver(ctx, id); err != nil || !d.IsActive {
			return err
		}
		orders, err := t.CountOrdersOfDriver(ctx, id)
		if err != nil {
			return err
		}
		if orders > 0 {
			return fault.Illegal("driver.has_orders", "driver", strconv.FormatInt(id, 10))
		}
		if err := t.DeleteWorkdays(ctx, id, today); err != nil {
			return err
		}
		if err := t.LeaveCrews(ctx, id, today); err != nil {
			return err
		}
		if err := o.disconnect(ctx, t, id); err != nil {
			return err
		}
		return t.SaveDriverActive(ctx, &d, false)
	})
	return d, err
}

// disconnect ends everything with which a phone could still call as a driver.
func (o *Operations) disconnect(ctx context.Context, t *store.Tx, driver int64) error {
	if err := t.EndSessionsOfDriver(ctx, driver, o.now()); err != nil {
		return err
	}
	return t.EndAccountCodes(ctx, store.SessionOwner{DriverID: driver}, o.now())
}

// ReactivateDriver reactivates a driver, whose phones must be enrolled again
// and who works only by the rules of the document.
func (o *Operations) ReactivateDriver(ctx context.Context, c caller.Caller, id int64) (d store.Driver, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if d, err = t.LockDriver(ctx, id); err != nil || d.IsActive {
			return err
		}
		return t.SaveDriverActive(ctx, &d, true)
	})
	return d, err
}

// ScheduleDriver replaces the working days in a range. It is idempotent.
func (o *Operations) ScheduleDriver(ctx context.Context, c caller.Caller, id int64, schedule driver.Schedule) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		colleagues, err := t.LockCrews(ctx, id, schedule)
		if err != nil {
			return err
		}
		d, err := t.LockDriver(ctx, id)
		if err != nil {
			return err
		}
		if !d.IsActive {
			return fault.Illegal("driver.inactive", "driver", strconv.FormatInt(id, 10))
		}
		present, err := t.LoadWorkdays(ctx, id, schedule.Start, schedule.End)
		if err != nil || schedule.Same(present) {
			return err
		}
		return t.SaveWorkdays(ctx, id, schedule, present, colleagues)
	})
}
