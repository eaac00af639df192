package driving

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/order"
)

// History is an order with all its facts, in any sequence.
type History struct {
	// GivenTo is the assigned driver while no driver has begun, or 0.
	GivenTo int64
	Facts   []Fact
}

// Effect is the effect of a fact.
type Effect string

// The effects: it moved the order, or why it did not.
const (
	Moved Effect = ""
	// OrderCancelled is the effect of a deed on an order that was cancelled
	// before.
	OrderCancelled Effect = "ORDER_CANCELLED"
	// NotYours is the effect of a driver's deed while another driver was carrying
	// the order out.
	NotYours Effect = "NOT_YOURS_ANY_MORE"
	// AlreadyDone is the effect of a deed on an order that had already
	// progressed further.
	AlreadyDone Effect = "ALREADY_DONE"
	// TakenBack was undone by its driver.
	TakenBack Effect = "UNDONE"
	// NothingToUndo and UndoTooLate undid nothing.
	NothingToUndo Effect = "NOTHING_TO_UNDO"
	UndoTooLate   Effect = "UNDO_TOO_LATE"
)

// StopStatus is the progress of a stop.
type StopStatus string

// The statuses of stops.
const (
	StopPending   StopStatus = "pending"
	StopArrived   StopStatus = "arrived"
	StopCompleted StopStatus = "completed"
	StopFailed    StopStatus = "failed"
	// StopDropped is a delivery that is skipped because its pickup failed.
	StopDropped StopStatus = "dropped"
)

// Over reports whether the stop needs no more visits.
func (s StopStatus) Over() bool { return s == StopCompleted || s == StopFailed || s == StopDropped }

// StopStanding is the progress of a stop with its times; zero when unknown or
// not visited.
type StopStanding struct {
	Status         StopStatus
	Arrived, Ended time.Time
}

// Standing is the state of an order after all its facts.
type Standing struct {
	Status   order.Status
	DriverID int64
	Pickup   StopStanding
	Delivery StopStanding
	// Reason is why it failed, if it did.
	Reason string
	// Begun is set when any fact counts.
	Begun bool
	// Delivered is the id of the fact that counts as the delivery, or empty.
	Delivered string
	// Products are the quantities of that fact, or of the delivery that failed the
	// order.
	Products []Product
	// Missing are the goods that were not there to be picked up.
	Missing []Product
	// Effects are the effects of all facts.
	Effects map[string]Effect
}

// Standing returns the order's state. It depends on the facts and when they
// happened, never on the sequence in which they arrived.
func (h History) Standing() Standing {
	gone, effects := undone(h.Facts)
	s := &standing{Standing: Standing{Effects: effects}, givenTo: h.GivenTo}
	s.reset()
	for _, f := range inOrder(h.Facts) {
		switch {
		case gone[f.ID]:
			s.Effects[f.ID] = TakenBack
		case f.Deed == Undo, f.Deed == Exchange: // no order is further by that
		default:
			s.Effects[f.ID] = s.take(&f)
		}
	}
	return s.Standing
}

// standing applies facts in sequence.
type standing struct {
	Standing
	givenTo int64
	// holder is the driver who carries the order out, or 0 while nobody has
	// begun.
	holder int64
}

// reset returns the order to not begun.
func (s *standing) reset() {
	s.Status, s.DriverID, s.holder, s.Begun = order.Registered, s.givenTo, 0, false
	if s.givenTo != 0 {
		s.Status = order.Planned
	}
	s.Pickup, s.Delivery = StopStanding{Status: StopPending}, StopStanding{Status: StopPending}
	s.Reason, s.Delivered, s.Products, s.Missing = "", "", nil, nil
}

func (s *standing) take(f *Fact) Effect {
	switch f.Deed {
	case Cancel:
		return s.cancel()
	case Reactivated:
		if s.Status == order.Cancelled {
			s.reset()
		}
		return Moved
	case ByOffice:
		return s.said(f)
	}
	return s.did(f)
}

// cancel removes an order from the road, unless it is finished.
func (s *standing) cancel() Effect {
	if s.Status.Over() {
		return AlreadyDone
	}
	s.Status = order.Cancelled
	return Moved
}

// said applies a fact from the office. A correction always counts.
func (s *standing) said(f *Fact) Effect {
	switch {
	case s.Status == order.Cancelled:
		return OrderCancelled
	case f.Corrects:
		s.reset()
	case !s.allows(f.To):
		return AlreadyDone
	}
	if f.To <= order.Planned {
		return Moved
	}
	s.move(f, f.To)
	if f.DriverID != 0 {
		s.holder, s.DriverID = f.DriverID, f.DriverID
	}
	return Moved
}

// did applies an action of a driver or carrier. A change by the office never
// makes it fail: it counts, or its effect names the reason.
func (s *standing) did(f *Fact) Effect {
	to := f.reach()
	switch {
	case s.Status == order.Cancelled:
		return OrderCancelled
	case f.Deed == ReportMissing && !f.Nothing:
		return s.lacks(f)
	case s.Status.Over(), !s.allows(to), to == order.Failed && f.Stop == order.Pickup && s.Status.Loaded():
		return AlreadyDone
	case s.holder != 0 && s.holder != f.DriverID:
		return NotYours
	}
	s.move(f, to)
	if f.DriverID != 0 {
		s.holder, s.DriverID = f.DriverID, f.DriverID
	}
	return Moved
}

// lacks records missing goods, which changes no status while other goods remain.
func (s *standing) lacks(f *Fact) Effect {
	switch {
	case s.Status.Over():
		return AlreadyDone
	case s.holder != 0 && s.holder != f.DriverID:
		return NotYours
	}
	s.Missing = merged(s.Missing, f.reported())
	return Moved
}

// allows checks the table of transitions. An order that has a driver counts
// as planned.
func (s *standing) allows(to order.Status) bool { return may(max(s.Status, order.Planned), to, false) }

// move sets the status; skipped statuses are implied.
func (s *standing) move(f *Fact, to order.Status) {
	s.Begun = true
	at := f.At
	stop := f.Stop
	if stop == "" {
		stop = stopOf(s.Status, to)
	}
	s.Status = to
	switch {
	case to == order.Failed && stop == order.Pickup:
		s.Pickup.end(StopFailed, at)
		s.Delivery = StopStanding{Status: StopDropped}
	case to == order.Failed:
		s.Pickup.end(StopCompleted, at)
		s.Delivery.end(StopFailed, at)
	case to == order.AtPickup:
		s.Pickup = StopStanding{Status: StopArrived, Arrived: at}
	case to >= order.PickedUp:
		s.Pickup.end(StopCompleted, at)
	}
	switch to {
	case order.AtDelivery:
		s.Delivery = StopStanding{Status: StopArrived, Arrived: at}
	case order.Delivered:
		s.Delivery.end(StopCompleted, at)
		s.Delivered, s.Products = f.ID, f.Products
	case order.Failed:
		s.fail(f)
	}
}

// fail records why the order failed.
func (s *standing) fail(f *Fact) {
	s.Reason = f.Reason
	switch f.Deed {
	case Deliver:
		s.Reason, s.Products = cmp.Or(f.Reason, ReasonRefused), f.Products
	case ReportMissing:
		s.Reason, s.Missing = cmp.Or(f.Reason, ReasonMissing), merged(s.Missing, f.reported())
	}
}

// end ends a stop that has not ended before.
func (s *StopStanding) end(as StopStatus, at time.Time) {
	if s.Status == StopPending || s.Status == StopArrived {
		s.Status, s.Ended = as, at
	}
}

// Overtaken returns the facts that counted before this advance and no longer do,
// except those that agree with a fact that counts now.
func (a *Advance) Overtaken(facts []Fact) (ids []string) {
	for i := range facts {
		f := &facts[i]
		if !f.Deed.Moves() || f.Deed == Undo || f.DriverID == 0 {
			continue
		}
		before, counted := a.Before.Effects[f.ID]
		now := a.After.Effects[f.ID]
		if counted && before == Moved && now != Moved && now != TakenBack && !a.After.agrees(f) {
			ids = append(ids, f.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// Restored returns the facts that count because of this advance and did not
// before.
func (a *Advance) Restored(facts []Fact) (ids []string) {
	for i := range facts {
		f := &facts[i]
		before, decided := a.Before.Effects[f.ID]
		if now, still := a.After.Effects[f.ID]; still && decided && f.DriverID != 0 && f.Deed.Moves() && f.Deed != Undo &&
			before != Moved && now == Moved {
			ids = append(ids, f.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
