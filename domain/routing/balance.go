package routing

import (
	"fmt"
	"math/bits"
)

// Balance is what makes routes that are alike the cheapest: prices that grow with the square of what a shift does. Each
// route can be judged alone, and yet work is cheapest where there is least.
type Balance struct {
	// Hour is the price of the square of the hours from leaving to arriving, and Order that of the square of the
	// orders; 0 is none.
	Hour, Order int64
	// Seconds and Orders are what the shift has done before its start.
	Seconds, Orders int64
}

// Limits of prices and hours that keep every sum within 64 bits.
const (
	maxBalance    = 1 << 31
	mostBalanced  = 1 << 21
	secondsOfHour = 3600
)

// any reports whether there is a price.
func (b *Balance) any() bool { return b.Hour > 0 || b.Order > 0 }

// Price returns the price of so many seconds and orders, whatever was before.
func (b *Balance) Price(seconds, orders int64) int64 {
	seconds = min(seconds, mostBalanced)
	high, low := bits.Mul64(uint64(b.Hour), uint64(seconds*seconds))
	hours, _ := bits.Div64(high, low, secondsOfHour*secondsOfHour)
	return int64(hours) + b.Order*orders*orders
}

// more returns by how much the price grows with so many more seconds and orders than before.
func (b *Balance) more(seconds, orders int64) int64 {
	if !b.any() {
		return 0
	}
	return b.Price(b.Seconds+seconds, b.Orders+orders) - b.Price(b.Seconds, b.Orders)
}

// orders returns how many orders a route delivers.
func (r *route) orders() (count int64) {
	for i := range r.spots {
		if v := r.spots[i].visit; v != terminal && v&1 == 1 {
			count++
		}
	}
	return count
}

// orders returns how many orders the visits deliver.
func (t *Timetable) orders() (count int64) {
	for i := range t.Stops {
		if t.Stops[i].Visit.Delivers() {
			count++
		}
	}
	return count
}

func (b *Balance) validate() error {
	if b.Hour < 0 || b.Hour > maxBalance || b.Order < 0 || b.Order > maxBalance ||
		b.Seconds < 0 || b.Seconds > MaxTime || b.Orders < 0 || b.Orders > maxRequests {
		return fmt.Errorf("the balance %+v is out of range", *b)
	}
	return nil
}

// balanced returns what it costs how much a shift has to do with a route that lasts so long.
func (b *bounds) balanced(r *route, lasts int64) int64 {
	if !b.balance.any() {
		return 0
	}
	return b.balance.more(lasts, r.orders())
}

// balance finds out what one more order in a route costs at least because there is more to do then. A route lasts no
// shorter than its driving, setups and service, and the square of that is above its tangent: a price of each place, and
// one of each second of the way to it.
func (f *finder) balance() {
	b, r := &f.b.balance, f.r
	if f.step = 0; !b.any() {
		return
	}
	busy := b.Seconds
	if r.visits() > 0 {
		busy += r.seconds + r.standing(f.b)
	}
	if busy += int64(f.a.drop.service); !f.a.halved && f.b.loading.Site == 0 {
		busy += int64(f.a.pickup.service)
	}
	f.step = b.Price(busy, b.Orders+r.orders()+1) - b.Price(b.Seconds, b.Orders)
	if r.visits() > 0 {
		f.step -= r.balance
	}
	if second := 2 * b.Hour * min(busy, mostBalanced) / (secondsOfHour * secondsOfHour); second > 0 {
		f.steeper = *f.a
		f.steeper.second += second
		f.steeper.direct += second * f.a.between.seconds
		f.a = &f.steeper
	}
}
