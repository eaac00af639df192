package planning

import (
	"cmp"
	"maps"
	"slices"
)

// Touched returns the orders and drivers that a difference depends on. They are all that has
// to be read again before the difference is written: the orders that it changes, all orders
// of the routes that it rewrites, and the drivers whose routes have any of these.
func (d *Day) Touched(s Solution, diff *Difference) (orders, drivers []int64) {
	driving, touched := set(diff.Rewritten()), set(slices.Concat(diff.Held(), diff.Replanned))
	for _, routes := range [][]Route{d.Routes, s.Routes} {
		for i := range routes {
			if !driving[routes[i].DriverID] {
				continue
			}
			for j := range routes[i].Stops {
				touched[routes[i].Stops[j].OrderID] = true
			}
		}
	}
	for id, driver := range seatsOf(d.Routes) {
		if touched[id] {
			driving[driver] = true
		}
	}
	return slices.Sorted(maps.Keys(touched)), slices.Sorted(maps.Keys(driving))
}

// Renewed returns the day with the present state of these orders and drivers.
// now has those of them that still belong to the day, and every route with any
// of the orders. The rest of the day is unchanged.
func (d *Day) Renewed(now *Day, orders, drivers []int64) Day {
	again, rerouted := set(orders), set(drivers)
	for i := range now.Routes {
		rerouted[now.Routes[i].DriverID] = true
	}
	seats := seatsOf(now.Routes)
	out := *d
	out.Version, out.Fresh, out.Searched, out.LeftOut = now.Version, now.Fresh, now.Searched, now.LeftOut
	out.Release = now.Release
	out.Orders = replaced(d.Orders, now.Orders, func(o *Order) (int64, bool) { return o.ID, again[o.ID] })
	working := set(drivers)
	out.Drivers = replaced(d.Drivers, now.Drivers, func(of *Driver) (int64, bool) { return of.ID, working[of.ID] })
	out.Routes = replaced(d.Routes, now.Routes, func(r *Route) (int64, bool) { return r.DriverID, rerouted[r.DriverID] })
	for i := range out.Routes {
		out.Routes[i].without(seats)
	}
	out.Unplanned = replaced(d.Unplanned, now.Unplanned, func(u *Unplanned) (int64, bool) {
		_, seated := seats[u.OrderID]
		return u.OrderID, again[u.OrderID] || seated
	})
	out.Joined = make(map[int64]int64, len(d.Joined))
	for id, version := range d.Joined {
		if !again[id] {
			out.Joined[id] = version
		}
	}
	maps.Copy(out.Joined, now.Joined)
	if d.district {
		return d.Again(&out)
	}
	return out
}

// without removes stops from the route that another route has now.
func (r *Route) without(seats map[int64]int64) {
	elsewhere := func(s Placed) bool {
		driver, seated := seats[s.OrderID]
		return seated && driver != r.DriverID
	}
	if slices.ContainsFunc(r.Stops, elsewhere) {
		r.Stops = slices.DeleteFunc(slices.Clone(r.Stops), elsewhere)
	}
}

// replaced returns was with the items that were read again replaced by is, by id. Both are
// sorted by id: was is large, and is is small.
func replaced[T any](was, is []T, again func(*T) (id int64, isAgain bool)) []T {
	id := func(one *T) int64 { n, _ := again(one); return n }
	byID := func(a, b *T) int { return cmp.Compare(id(a), id(b)) }
	all, rest := make([]T, 0, len(was)+len(is)), make([]*T, len(is))
	for i := range is {
		rest[i] = &is[i]
	}
	slices.SortFunc(rest, byID)
	for i := range was {
		if _, isAgain := again(&was[i]); isAgain {
			continue
		}
		for ; len(rest) > 0 && byID(rest[0], &was[i]) < 0; rest = rest[1:] {
			all = append(all, *rest[0])
		}
		all = append(all, was[i])
	}
	for _, one := range rest {
		all = append(all, *one)
	}
	return all
}
