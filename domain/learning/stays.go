package learning

import (
	"cmp"
	"slices"
	"time"
)

// stays are visits of one location, or of one order type.
type stays struct {
	visits []*Visit
	days   map[time.Time]bool
}

func stayed(at map[int64]*stays, id int64, v *Visit) {
	if at[id] == nil {
		at[id] = &stays{days: map[time.Time]bool{}}
	}
	at[id].visits = append(at[id].visits, v)
	at[id].days[v.Day] = true
}

// suffice reports whether there are so many visits, on enough days.
func (s *stays) suffice(visits int) bool {
	return s != nil && len(s.visits) >= visits && len(s.days) >= fewDays
}

// usualOrders is how many orders half of the visits have at most.
func (s *stays) usualOrders() int {
	orders := make([]int, len(s.visits))
	for i, v := range s.visits {
		orders[i] = v.Orders
	}
	slices.Sort(orders)
	return orders[len(orders)/2]
}

// mostCompared is how many visits are compared with one another.
const mostCompared = 400

// fewPairs is which share of the compared pairs must have different numbers of orders.
const fewPairs = 0.2

// fit returns how long setting up and each order take. Of two visits with different numbers of orders, the longer one
// shows how long an order takes; the middle of all such pairs counts (Theil and Sen), so neither a long wait nor a
// forgotten tap moves it. Where nearly all visits have as many orders, nobody can tell the two apart: then the time of
// an order stays as it is, and the setup has the rest.
func (s *stays) fit(eachNow time.Duration) (setup, each time.Duration) {
	some := s.visits
	if every := (len(some) + mostCompared - 1) / mostCompared; every > 1 {
		some = nil
		for i := 0; i < len(s.visits); i += every {
			some = append(some, s.visits[i])
		}
	}
	var slopes []weighted
	for i, a := range some {
		for _, b := range some[:i] {
			if more := a.Orders - b.Orders; more != 0 {
				slopes = append(slopes, weighted{(a.Took - b.Took) / time.Duration(more), max(more, -more)})
			}
		}
	}
	each = eachNow
	if pairs := len(some) * (len(some) - 1) / 2; float64(len(slopes)) > fewPairs*float64(pairs) {
		each = min(max(middleOf(slopes), 0), longestOrder)
	}
	if setup = s.rest(each); setup < 0 {
		setup, each = 0, s.perOrder()
	}
	return setup, each
}

// rest is what half of the visits take at most beyond their orders.
func (s *stays) rest(each time.Duration) time.Duration {
	rests := make([]time.Duration, len(s.visits))
	for i, v := range s.visits {
		rests[i] = v.Took - time.Duration(v.Orders)*each
	}
	return middle(rests)
}

// perOrder is what half of the visits take at most for each order, with no setup.
func (s *stays) perOrder() time.Duration {
	all := make([]time.Duration, len(s.visits))
	for i, v := range s.visits {
		all[i] = v.Took / time.Duration(v.Orders)
	}
	return middle(all)
}

// weighted is a time that counts as often as its weight.
type weighted struct {
	time   time.Duration
	weight int
}

func middleOf(all []weighted) time.Duration {
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(a.time, b.time) })
	total, sum := 0, 0
	for _, w := range all {
		total += w.weight
	}
	for _, w := range all {
		if sum += w.weight; 2*sum >= total {
			return w.time
		}
	}
	return 0
}

// middle sorts some times, of which there is at least one, and returns the one in the middle.
func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
