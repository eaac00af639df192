package planning

import (
	"cmp"
	"maps"
	"slices"
)

// MostOrders is how many open orders one plan takes in. Of those, one district of a large day, or a smaller day, has
// MostTogether at MostPlaces at most: travel times grow with the square of the places, and the search's memory with
// orders times drivers.
const (
	MostOrders   = 20_000
	MostTogether = 2_000
	MostPlaces   = 2_500
)

// precedes sorts orders by what a plan takes in first: those that are locked to a driver, then those that matter
// more, then those that have a driver, then older ones.
func precedes(a, b *Order) int {
	return cmp.Or(compare(b.LockedTo != 0, a.LockedTo != 0), cmp.Compare(b.penalty(), a.penalty()),
		compare(b.DriverID != 0, a.DriverID != 0), cmp.Compare(a.ID, b.ID))
}

// excessOrders returns the orders beyond the limit of a plan.
func (d *Draft) excessOrders(begun map[int64]holding) map[int64]bool {
	var open []*Order
	for i := range d.day.Orders {
		o := &d.day.Orders[i]
		if o.Standing() == Open && begun[o.ID].shift == 0 && o.Pickup.Point != nil && o.Delivery.Point != nil && !o.absurd() {
			open = append(open, o)
		}
	}
	if 2*len(open) <= MostPlaces { // even if all places are distinct
		return d.day.beyond
	}
	slices.SortFunc(open, precedes)
	places, kept, left := map[Point]bool{}, 0, map[int64]bool{}
	maps.Copy(left, d.day.beyond)
	for _, o := range open {
		more := 0
		for _, p := range []*Point{o.Pickup.Point, o.Delivery.Point} {
			if !places[*p] {
				more++
			}
		}
		if kept == MostTogether || len(places)+more > MostPlaces {
			left[o.ID] = true
			continue
		}
		kept++
		places[*o.Pickup.Point], places[*o.Delivery.Point] = true, true
	}
	return left
}

// Overfull reports whether one search does not take in all orders of a day.
func (d *Day) Overfull() bool {
	places, open := map[Point]bool{}, 0
	for i := range d.Orders {
		o := &d.Orders[i]
		if o.Standing() != Open {
			continue
		}
		open++
		for _, p := range []*Point{o.Pickup.Point, o.Delivery.Point} {
			if p != nil {
				places[*p] = true
			}
		}
	}
	return open > MostTogether || len(places) > MostPlaces
}

// tooMany returns the open orders of a large day beyond the limit of a plan.
func (d *Day) tooMany() map[int64]bool {
	if len(d.Orders) <= MostOrders {
		return nil
	}
	var open []*Order
	for i := range d.Orders {
		if d.Orders[i].Standing() == Open {
			open = append(open, &d.Orders[i])
		}
	}
	slices.SortFunc(open, precedes)
	left := map[int64]bool{}
	for _, o := range open[min(MostOrders, len(open)):] {
		left[o.ID] = true
	}
	return left
}
