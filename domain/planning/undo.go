package planning

import "slices"

// Lock is the driver to whom an order is locked, 0 for none, and what is accepted for that.
type Lock struct {
	DriverID int64
	Accepted Accepted
}

// Restored returns the day with other locks of some orders, which leave the sequences that
// people hold.
func (d Day) Restored(locks map[int64]Lock) Day {
	d.Orders = slices.Clone(d.Orders)
	d.Routes = d.loosened(func(id int64) bool { _, restored := locks[id]; return restored })
	for i := range d.Orders {
		o := &d.Orders[i]
		if lock, restored := locks[o.ID]; restored {
			*o = o.strict()
			o.LockedTo = lock.DriverID
			o.Accept(lock.Accepted)
		}
	}
	return d
}

// Unlocked returns the day on which nobody has some orders: they are on no route, and no
// driver is locked to them.
func (d Day) Unlocked(ids []int64) Day {
	if len(ids) == 0 {
		return d
	}
	locks := make(map[int64]Lock, len(ids))
	for _, id := range ids {
		locks[id] = Lock{}
	}
	d = d.Restored(locks)
	for i := range d.Orders {
		if o := &d.Orders[i]; slices.Contains(ids, o.ID) {
			o.DriverID = 0
		}
	}
	return d
}

// CanMove returns why an order can be given to no other driver, or not to this one, or
// nothing. Driver 0 is nobody.
func (d *Draft) CanMove(id, driver int64) RefusalReason {
	o := d.orders[id]
	switch {
	case o == nil || o.Away || o.Exported || !o.Status.Active():
		return NotHere
	case driver != 0 && !d.Works(driver):
		return DriverOff
	case driver != 0 && d.IsClosed(driver):
		return Closed
	}
	r, known := d.requests[id]
	if !known && d.Unplannable[id] != "" {
		return ""
	}
	if !known || o.Standing() != Open || d.begunBy(o.DriverID)[r] {
		return Begun
	}
	return ""
}
