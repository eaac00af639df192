package planning

import (
	"slices"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// Put gives orders to drivers in the sequences that the drivers should have, as far as
// these hold; otherwise in the best sequences found. sequences has stops by
// driver: those that the driver does not have are passed over, and other stops
// of the driver stay behind the ones they follow now. left are the orders
// without a place. The draft is that of the day Locked with the moves.
func (d *Draft) Put(moves []Move, sequences map[int64][]StopRef, ended func() bool) (plan routing.Plan, left []int64) {
	plan = routing.Repair(&d.Problem, d.Present)
	to := map[int64][]int{}
	var drivers []int64
	for _, m := range moves {
		r, known := d.requests[m.OrderID]
		if !known || !slices.Contains(d.Drivers, m.DriverID) {
			left = append(left, m.OrderID)
			continue
		}
		if !slices.Contains(drivers, m.DriverID) {
			drivers = append(drivers, m.DriverID)
		}
		to[m.DriverID] = append(to[m.DriverID], r)
	}
	slices.Sort(drivers)
	for _, driver := range drivers {
		k := slices.Index(d.Drivers, driver)
		route, out := d.put(k, plan.Routes[k], to[driver], sequences[driver], ended)
		plan.Routes[k] = route
		for _, r := range out {
			left = append(left, d.Orders[r])
		}
	}
	return plan, left
}

// put gives a shift requests in a sequence.
func (d *Draft) put(
	k int, has []routing.Visit, join []int, sequence []StopRef, ended func() bool,
) (route []routing.Visit, left []int) {
	has = slices.DeleteFunc(slices.Clone(has), func(v routing.Visit) bool { return slices.Contains(join, v.Request()) })
	route = d.resequenced(k, has, join, sequence)
	alone := routing.Frozen(&d.Problem)
	alone.Routes[k] = route
	if !slices.ContainsFunc(routing.Broken(&d.Problem, alone), func(v routing.Violation) bool { return v.Shift == k }) {
		return route, nil
	}
	route, left, err := routing.Join(&d.Problem, k, has, join, joining(len(join)+len(has)/2, ended))
	if err != nil {
		return has, join
	}
	return route, left
}

// resequenced returns the visits that a shift has and those of requests that join it, in a
// sequence. Visits outside the sequence stay behind the one that they follow.
func (d *Draft) resequenced(k int, has []routing.Visit, join []int, sequence []StopRef) []routing.Visit {
	fixed := len(d.Problem.Shifts[k].Frozen)
	route, rest := slices.Clone(has[:fixed]), has[fixed:]
	joins := func(v routing.Visit) bool { return slices.Contains(join, v.Request()) }
	var wanted []routing.Visit
	for _, s := range sequence {
		for _, v := range d.visits([]Placed{{OrderID: s.OrderID, Kind: s.Kind}}) {
			if (slices.Contains(rest, v) || joins(v)) && !slices.Contains(wanted, v) {
				wanted = append(wanted, v)
			}
		}
	}
	for _, r := range join { // those that the sequence does not name come last
		for _, v := range []routing.Visit{routing.PickupOf(r), routing.DeliveryOf(r)} {
			if !slices.Contains(wanted, v) {
				wanted = append(wanted, v)
			}
		}
	}
	at := 0 // how many of the wanted are in the route
	for i, v := range rest {
		if slices.Contains(wanted, v) {
			continue
		}
		// What follows a wanted stop now waits until that stop is in the route.
		for before := i - 1; before >= 0; before-- {
			if n := slices.Index(wanted, rest[before]); n >= 0 {
				for ; at <= n; at++ {
					route = append(route, wanted[at])
				}
				break
			}
		}
		route = append(route, v)
	}
	return append(route, wanted[at:]...)
}

// OpenOrders returns the orders of a driver's route that another driver can have, and its
// open stops in their sequence. The draft is that of a day in which nobody holds them.
func (d *Draft) OpenOrders(driver int64) (orders []int64, stops []StopRef) {
	stops = d.OpenStops(driver)
	for _, s := range stops {
		pickup := StopRef{s.OrderID, order.Pickup}
		if s.Kind == order.Delivery && slices.Contains(stops, pickup) {
			orders = append(orders, s.OrderID)
		}
	}
	return orders, stops
}

// WhyLeft says of orders that Put has left why the drivers cannot have them.
func (d *Draft) WhyLeft(plan routing.Plan, moves []Move, left []int64) []Stays {
	t := taker{d: d, p: d.Problem}
	explainer := routing.NewExplainer(&d.Problem, plan)
	for _, m := range moves {
		if !slices.Contains(left, m.OrderID) {
			continue
		}
		r, known := d.requests[m.OrderID]
		k := slices.Index(d.Drivers, m.DriverID)
		if !known || k < 0 {
			why := d.whyNever(m.OrderID)
			if why.Code == "" {
				why.Code = LockedDriverOff
			}
			why.Drivers, why.Count = []int64{m.DriverID}, 1
			t.Stay = append(t.Stay, Stays{OrderID: m.OrderID, Why: why})
			continue
		}
		t.k, t.h.To = k, m.DriverID
		t.stay(r, explainer.Refusal(k, r))
	}
	return t.Stay
}
