package planning

import (
	"cmp"
	"slices"
)

// How many open orders and how many places one plan takes in: travel times
// grow with the square of the places, and the search's memory with orders
// times drivers.
const (
	MostOrders = 2_000
	MostPlaces = 2_500
)

// excessOrders returns the orders beyond the limit of a plan. Those that are locked to
// a driver have precedence, then those that matter more, then those that have a
// driver, then older ones.
func (d *Draft) excessOrders(begun map[int64]holding) map[int64]bool {
	var open []*Order
	for i := range d.day.Orders {
		o := &d.day.Orders[i]
		if o.Standing() == Open && begun[o.ID].shift == 0 && o.Pickup.Point != nil && o.Delivery.Point != nil && !o.absurd() {
			open = append(open, o)
		}
	}
	if 2*len(open) <= MostPlaces { // even if all places are distinct
		return nil
	}
	slices.SortFunc(open, func(a, b *Order) int {
		return cmp.Or(compare(b.LockedTo != 0, a.LockedTo != 0), cmp.Compare(b.penalty(), a.penalty()),
			compare(b.DriverID != 0, a.DriverID != 0), cmp.Compare(a.ID, b.ID))
	})
	places, kept, left := map[Point]bool{}, 0, map[int64]bool{}
	for _, o := range open {
		more := 0
		for _, p := range []*Point{o.Pickup.Point, o.Delivery.Point} {
			if !places[*p] {
				more++
			}
		}
		if kept == MostOrders || len(places)+more > MostPlaces {
			left[o.ID] = true
			continue
		}
		kept++
		places[*o.Pickup.Point], places[*o.Delivery.Point] = true, true
	}
	return left
}
