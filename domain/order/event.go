package order

import (
	"time"

	"waybill/domain/event"
)

// Event is one change of state. Status is 0 unless the change is one of the
// order's status, which then holds for all its products. Added are the products
// that came to the order otherwise, and Removed those that left it.
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
	// Left is the order that the number shared before, when that is where it came
	// from.
	Left *Order
	// Into are the orders that this one was split into, besides itself.
	Into []*Order
	// Notes are the documentations that say more about it.
	Notes []int64
	// DriverID and Stop are whose deed it was and where, and At when; zero where
	// that says nothing, and then it happens now.
	DriverID int64
	Stop     StopKind
	At       time.Time
	// Series says which template caused it; nil when none did.
	Series *Series
}

// Series is the template that caused an event of an order. The event that announces the
// series to receivers also says how many orders the change is about, and of which days;
// for others, Orders is 0.
type Series struct {
	Template    int64
	Orders      int
	First, Last time.Time
}

// arrivals are the products that are not in the store yet, and departures those
// of before that are not among the present ones.
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
