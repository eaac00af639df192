package notification

import "time"

// Standing is the present state of a message's order and stop.
type Standing struct {
	// HappenedAt is when the event of the message happened.
	HappenedAt time.Time
	// Cancelled reports that the order, or the number that the message is about, is
	// cancelled.
	Cancelled bool
	// PickedUp reports that the pickup is over, with any result.
	PickedUp bool
	// PickupBefore is the end of the pickup's window, or zero.
	PickupBefore time.Time
	// Reached and Done report that the driver is at the stop of the message, or has left
	// it.
	Reached, Done bool
	// ETA is when the driver is expected there; zero if unknown.
	ETA time.Time
	// Delivered and Failed are the ends of an order.
	Delivered, Failed bool
}

// How long messages about a driver are worth sending.
const (
	approachingWithoutETA = time.Hour        // after the event
	approachingAfterETA   = 30 * time.Minute // the driver may be late
	arrivedFor            = 15 * time.Minute
)

// Momentary reports whether a message is about the present moment. Outside its send
// window such a message is dropped, because it is outdated when the window opens.
func (e Event) Momentary() bool { return e == StopApproaching || e == StopArrived || e == TimeMoved }

// Until returns when a message about an event becomes outdated without any further
// event. Bounded is false when only an event can make it so.
func (s Standing) Until(about Event) (until time.Time, bounded bool) {
	switch about {
	case OrderCreated:
		return s.PickupBefore, s.PickupBefore.After(s.HappenedAt)
	case StopApproaching, TimeMoved:
		if s.ETA.After(s.HappenedAt) {
			return s.ETA.Add(approachingAfterETA), true
		}
		return s.HappenedAt.Add(approachingWithoutETA), true
	case StopArrived:
		return s.HappenedAt.Add(arrivedFor), true
	}
	return time.Time{}, false
}

// Holds reports whether a message about an event is still true, and still of use.
func (s Standing) Holds(about Event, now time.Time) bool {
	if until, bounded := s.Until(about); bounded && !now.Before(until) {
		return false
	}
	switch about {
	case OrderCreated:
		return !s.Cancelled && !s.PickedUp
	case OrderCancelled:
		return s.Cancelled
	case StopApproaching, TimeMoved:
		return !s.Cancelled && !s.Reached && !s.Done
	case StopArrived:
		return !s.Cancelled && !s.Done
	case OrderDelivered:
		return !s.Failed
	case OrderFailed:
		return !s.Delivered
	}
	return true
}
