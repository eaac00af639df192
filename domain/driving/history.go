package driving

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/order"
)

// History is an order with all that was said of it, in any sequence.
type History struct {
	// GivenTo has the order as long as nobody begins with it; 0 for nobody.
	GivenTo int64
	Facts   []Fact
}

// Effect is what came of a fact.
type Effect string

// The effects: it moved the order, or why it did not.
const (
	Moved Effect = ""
	// OrderCancelled was said of an order that was cancelled before.
	OrderCancelled Effect = "ORDER_CANCELLED"
	// NotYours was said by a driver while another one was carrying the order out.
	NotYours Effect = "NOT_YOURS_ANY_MORE"
	// AlreadyDone was said of an order that was further on the road by then.
	AlreadyDone Effect = "ALREADY_DONE"
	// TakenBack was undone by its driver.
	TakenBack Effect = "UNDONE"
	// NothingToUndo and UndoTooLate took nothing back.
	NothingToUndo Effect = "NOTHING_TO_UNDO"
	UndoTooLate   Effect = "UNDO_TOO_LATE"
)

// StopStatus is how far a stop is.
type StopStatus string

// The statuses of stops.
const (
	StopPending   StopStatus = "pending"
	StopArrived   StopStatus = "arrived"
	StopCompleted StopStatus = "completed"
	StopFailed    StopStatus = "failed"
	// StopDropped is a delivery that nobody goes to because its pickup failed.
	StopDropped StopStatus = "dropped"
)

// Over reports whether nobody goes to the stop any more.
func (s StopStatus) Over() bool { return s == StopCompleted || s == StopFailed || s == StopDropped }

// StopStanding is how far a stop is, and since when; times are zero where they
// are not known, and where nobody was.
type StopStanding struct {
	Status         StopStatus
	Arrived, Ended time.Time
}

// Standing is where an order stands after all that was said of it.
type Standing struct {
	Status   order.Status
	DriverID int64
	Pickup   StopStanding
	Delivery StopStanding
	// Reason is why it failed, if it did.
	Reason string
	// Begun holds when anything was said that counts.
	Begun bool
	// Delivered is the fact that counts as the delivery; empty when there is none.
	Delivered string
	// Products are what that says of them, or what the delivery says by which the order
	// failed.
	Products []Product
	// Missing are the goods that were not there to be picked up.
	Missing []Product
	// Effects are what came of each fact.
	Effects map[string]Effect
}

// Standing decides where the order stands. It depends on what was said and when
// that happened, and never on the sequence in which it came.
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

// standing takes facts as they happened.
type standing struct {
	Standing
	givenTo int64
	// holder carries the order out; 0 as long as nobody has begun.
	holder int64
}

// reset is an order that nobody has begun with.
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

// cancel takes an order off the road, unless it is over.
func (s *standing) cancel() Effect {
	if s.Status.Over() {
		return AlreadyDone
	}
	s.Status = order.Cancelled
	return Moved
}

// said takes what the office says. A correction counts whatever was before.
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

// did takes what a driver or a carrier did. It is never refused because something
// changed in the office: it counts, or it says why not.
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

// lacks notes goods that are missing, which moves no order as long as others are
// there.
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

// allows asks the table of transitions. Whoever had an order had it planned.
func (s *standing) allows(to order.Status) bool { return may(max(s.Status, order.Planned), to, false) }

// move brings the order to a status; what lies between is implied.
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

// fail notes why the order failed.
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

// Overtaken are the facts that counted before one more was said and do not any more,
// and agree with nothing that counts now.
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

// Restored are the facts that count by one more that was said and did not before.
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
