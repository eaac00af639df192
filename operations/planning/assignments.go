package planning

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/store"
)

// ProhibitDrivers makes these, and nobody else, those who may not have an
// order, and returns them with their names. Naming the same ones again changes
// nothing.
func (o *Operations) ProhibitDrivers(
	ctx context.Context, c caller.Caller, id int64, wanted []store.ProhibitedDriver, expected version.Expected,
) (drivers []store.ProhibitedDriver, now version.Version, err error) {
	ids := make([]int64, len(wanted))
	for i, d := range wanted {
		ids[i] = d.DriverID
	}
	now, err = o.drive(ctx, c, id, expected, func(t *store.Tx, of driving.Order) (driving.Outcome, error) {
		known, err := t.LoadKnownDrivers(ctx, ids)
		if err != nil {
			return driving.Outcome{}, err
		}
		if err := knowsAll(known, ids); err != nil {
			return driving.Outcome{}, err
		}
		present, err := t.LoadProhibitedDrivers(ctx, id)
		if err != nil || sameProhibited(present, wanted) {
			drivers = present
			return driving.Outcome{}, err
		}
		out, err := of.Prohibit(ids)
		if err != nil {
			return out, err
		}
		if err := t.SaveProhibitedDrivers(ctx, id, wanted); err != nil {
			return out, fmt.Errorf("save: %w", err)
		}
		drivers, err = t.LoadProhibitedDrivers(ctx, id)
		return out, err
	})
	if err != nil {
		return nil, "", fmt.Errorf("prohibit drivers: %w", err)
	}
	return drivers, now, nil
}

// DriverLock is a change of the lock of an order.
type DriverLock struct {
	// DriverID is the only driver who may have the order; 0 is anybody.
	DriverID int64
	// LockedTo is the driver to whom the order has to be locked so far; 0 is whatever it is.
	LockedTo int64
}

// LockDriver lets one driver alone have an order, or anybody. When the order is locked to
// another driver than it has to be, the fault says who moved it.
func (o *Operations) LockDriver(
	ctx context.Context, c caller.Caller, id int64, lock DriverLock, expected version.Expected,
) (version.Version, error) {
	now, err := o.drive(ctx, c, id, expected, func(t *store.Tx, of driving.Order) (driving.Outcome, error) {
		if lock.LockedTo != 0 && of.LockedTo != lock.LockedTo && of.LockedTo != lock.DriverID {
			return driving.Outcome{}, movedError{[]int64{id}}
		}
		if err := activeDriver(ctx, t, lock.DriverID); err != nil {
			return driving.Outcome{}, err
		}
		out, err := of.Lock(lock.DriverID)
		if err != nil || len(out.Events) == 0 {
			return out, err
		}
		return out, t.SaveDriverLock(ctx, id, lock.DriverID)
	})
	if err = o.sayWhoMoved(ctx, c.OrgID, err); err != nil {
		return "", fmt.Errorf("lock the driver: %w", err)
	}
	return now, nil
}

// MoveOrder brings an order to another status, and keeps what is to be noted
// of that. Only an administrator may correct a status.
func (o *Operations) MoveOrder(
	ctx context.Context, c caller.Caller, id int64, m driving.Move, notes []store.Note, expected version.Expected,
) (version.Version, error) {
	if m.Correct && !slices.Contains(c.Roles, caller.Admin) {
		return "", &fault.Error{Kind: fault.Forbidden, Text: fault.Say("driving.only_admin")}
	}
	now, err := o.drive(ctx, c, id, expected, func(t *store.Tx, of driving.Order) (driving.Outcome, error) {
		if err := activeDriver(ctx, t, m.DriverID); err != nil {
			return driving.Outcome{}, err
		}
		out, err := of.Move(m)
		if err != nil || len(out.Events) == 0 {
			return out, err
		}
		if err := o.saidByOffice(ctx, t, of, out, notes); err != nil {
			return out, err
		}
		out.Events[0].Notes, err = t.SaveNotes(ctx, of.Order, out.Events[0].Stop, notes)
		return out, err
	})
	if err != nil {
		return "", fmt.Errorf("move the order: %w", err)
	}
	return now, nil
}

// saidByOffice keeps what the office says of an order on the road among all that
// was said of it, and how far its stops are by that. Who has an order before it is
// under way says nothing of the road.
func (o *Operations) saidByOffice(
	ctx context.Context, t *store.Tx, of driving.Order, out driving.Outcome, notes []store.Note,
) error {
	happened := out.Events[0]
	corrects := happened.Kind == event.OrderCorrected
	if out.Status <= order.Planned && !corrects {
		return nil
	}
	f := driving.Fact{
		ID: "now", Deed: driving.ByOffice, At: o.now(), DriverID: out.DriverID, To: out.Status, Corrects: corrects,
		Stop: happened.Stop,
	}
	if out.Status == order.Failed && len(notes) > 0 {
		f.Reason = notes[0].Comment
	}
	_, h, err := t.LoadHistory(ctx, of.ID)
	if err != nil {
		return err
	}
	return t.SaveSaid(ctx, of.Order, h, f)
}

// drive decides about an order that nobody changed since the caller looked, and
// writes what becomes of it; nothing is written where nothing happens.
func (o *Operations) drive(
	ctx context.Context, c caller.Caller, id int64, expected version.Expected,
	decide func(*store.Tx, driving.Order) (driving.Outcome, error),
) (now version.Version, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		of, present, err := t.LockDriving(ctx, id)
		if err != nil {
			return err
		}
		if err := expected.Check(present, "order", of.Number); err != nil {
			return err
		}
		now = present
		out, err := decide(t, of)
		if err != nil || len(out.Events) == 0 {
			return err
		}
		now, err = t.SaveDriven(ctx, of.Order, out)
		return err
	})
	return now, err
}

func sameProhibited(present, wanted []store.ProhibitedDriver) bool {
	if len(present) != len(wanted) {
		return false
	}
	return !slices.ContainsFunc(wanted, func(w store.ProhibitedDriver) bool {
		return !slices.ContainsFunc(present, func(p store.ProhibitedDriver) bool {
			return p.DriverID == w.DriverID && p.Reason == w.Reason
		})
	})
}

// knowsAll names the drivers of a list that do not exist, or come twice.
func knowsAll(known map[int64]bool, ids []int64) error {
	var problems []fault.Violation
	for i, id := range ids {
		name, field := strconv.FormatInt(id, 10), fmt.Sprintf("drivers[%d].driver_id", i)
		if _, exists := known[id]; !exists {
			problems = append(problems, fault.Violation{Field: field, Text: fault.Say("driver.not_found", "name", name)})
		} else if slices.Contains(ids[:i], id) {
			problems = append(problems, fault.Violation{Field: field, Text: fault.Say("driving.driver_twice", "name", name)})
		}
	}
	return fault.Violated(problems)
}

// activeDriver refuses a driver who does not exist or is inactive; 0 is nobody.
func activeDriver(ctx context.Context, t *store.Tx, id int64) error {
	if id == 0 {
		return nil
	}
	known, err := t.LoadKnownDrivers(ctx, []int64{id})
	if err != nil || known[id] {
		return err
	}
	name := strconv.FormatInt(id, 10)
	return fault.Violated([]fault.Violation{{Field: "driver_id", Text: fault.Say("driving.driver_unknown", "name", name)}})
}
