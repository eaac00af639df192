package order

import (
	"time"

	"waybill/domain/event"
)

// Event is one change of an order. Status is 0 unless the order's status
// changes, which then applies to all its products. Added are the products that
// joined the order without a change of status, and Removed those that left it.
type Event struct {
	Kind    event.Kind
	Number  string
	Order   *Order
	Draft   *Draft
	Status  Status
	Added   []*Product
	Removed []*Product
	// Rule names the transformation rule that the event is about, if any.
	Rule string
	// Left is the order that the number shared before, if it came from one.
	Left *Order
	// Into are the orders that this one was split into, in addition to itself.
	Into []*Order
	// Notes are the attached documentation records.
	Notes []int64
	// DriverID, Stop and At are the driver, place and time of a driver's action;
	// zero when unknown, and then it happens now.
	DriverID int64
	Stop     StopKind
	At       time.Time
	// Series is the recurring order that caused it, or nil.
	Series *Series
	// Differences are what an update changed, as far as somebody looks at it.
	Differences []Difference
}

// Series is the recurring order behind an event of an order. The event that announces
// the series to receivers also has the number of orders and their days; for others,
// Orders is 0.
type Series struct {
	Template    int64
	Orders      int
	First, Last time.Time
}

// arrivals are the products that are not in the store yet, and departures those
// of before that are no longer present.
func arrivals(present []*Product) []*Product {
	var added []*Product
	for _, p := range present {
		if p.ID == 0 {
			added = append(added, p)
		}
	}
	return added
}

func departures(before, present []*Product) []*Product {
	stays := make(map[int64]bool, len(present))
	for _, p := range present {
		stays[p.ID] = true
	}
	var removed []*Product
	for _, p := range before {
		if p.ID != 0 && !stays[p.ID] {
			removed = append(removed, p)
		}
	}
	return removed
}
