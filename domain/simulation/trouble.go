package simulation

import (
	"slices"
	"strconv"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// Trouble is how much goes wrong on a simulated day. The zero value means
// nothing.
type Trouble string

// The levels of trouble.
const (
	NoTrouble    Trouble = "NONE"
	UsualTrouble Trouble = "USUAL"
	MuchTrouble  Trouble = "MUCH"
)

// Troubles are all levels.
func Troubles() []Trouble { return []Trouble{NoTrouble, UsualTrouble, MuchTrouble} }

// rates are the percentages of incidents.
type rates struct {
	pickupFails int // of pickups
	refuses     int // of deliveries
	outOfTurn   int // of deliveries that another one follows
	queues      int // of stops
	hurries     int // of stops with a window
	leavesEarly int // of drivers
}

var ratesOf = map[Trouble]rates{
	UsualTrouble: {pickupFails: 2, refuses: 3, outOfTurn: 8, queues: 4, hurries: 10, leavesEarly: 20},
	MuchTrouble:  {pickupFails: 8, refuses: 10, outOfTurn: 25, queues: 12, hurries: 30, leavesEarly: 50},
}

// Reasons for missing or refused goods, in drivers' words.
const (
	NotReady = "The goods were not ready."
	Absent   = "Nobody was there to hand over the goods."
	Refused  = "The recipient refused the goods."
)

// mishap is an incident at a stop on a day with incidents.
type mishap struct {
	// fails is why the stop fails; empty when it does not.
	fails string
	// refuses has the recipient take only some of the goods.
	refuses bool
	// queue is how long the driver waits at the door.
	queue time.Duration
	// hurries has the driver ignore when the window begins.
	hurries bool
}

// mishapOf returns the incident at a stop. An order whose number requests an outcome
// gets it, but its driver may still wait or hurry.
func (r *Run) mishapOf(d *Driver, s *Stop) (m mishap) {
	of, what := ratesOf[r.Trouble], string(s.Kind)
	if r.happens(of.queues, d, s.Number, what, "queues") {
		m.queue = 15*time.Minute + time.Duration(r.dice(d, s.Number, what, "queue")%46)*time.Minute
	}
	m.hurries = r.happens(of.hurries, d, s.Number, what, "hurries")
	switch {
	case asksForEnding(s.Number):
	case s.Kind == order.Pickup && r.happens(of.pickupFails, d, s.Number, "fails"):
		m.fails = []string{NotReady, Absent}[r.dice(d, s.Number, "why")%2]
	case s.Kind == order.Delivery && r.happens(of.refuses, d, s.Number, "refuses"):
		if r.dice(d, s.Number, "all")%3 == 0 {
			m.fails = Refused
		}
		m.refuses = m.fails == ""
	}
	return m
}

// early returns how long before the planned time a driver leaves.
func (r *Run) early(d *Driver) time.Duration {
	if !r.happens(ratesOf[r.Trouble].leavesEarly, d, "leaves early") {
		return 0
	}
	return time.Duration(5+r.dice(d, "early")%26) * time.Minute
}

// next returns the open stop that a driver goes to: the one they are at, or the
// first, or occasionally the delivery after it. It depends only on the open
// stops.
func (r *Run) next(d *Driver, left []Stop) int {
	if at := slices.IndexFunc(left, func(s Stop) bool { return s.Arrived }); at >= 0 {
		return at
	}
	if len(left) < 2 || left[0].Kind != order.Delivery || left[1].Kind != order.Delivery ||
		!r.happens(ratesOf[r.Trouble].outOfTurn, d, left[0].Number, left[1].Number, "out of turn") {
		return 0
	}
	return 1
}

// wayTo returns a driver's time to one of the open stops, in planned time, past the
// stops before it.
func wayTo(left []Stop, next int) (way, driven time.Duration) {
	for i := range left[:next+1] {
		way, driven = way+left[i].way(), driven+left[i].Driving
	}
	return way, driven
}

// refusal returns the products of a partly refused delivery: one of several is
// refused, or half of the only one.
func (s *Stop) refusal() []driving.Product {
	products := make([]driving.Product, len(s.Products))
	for i, p := range s.Products {
		products[i] = driving.Product{ID: p.ID, Delivered: p.Quantity}
	}
	if n := len(products); n > 0 {
		last := &products[n-1]
		last.Refused, last.Reason = last.Delivered, "Damaged."
		if n == 1 {
			last.Refused = last.Delivered / 2
		}
		last.Delivered -= last.Refused
	}
	return products
}

// happens reports whether something that happens so often in a hundred does.
func (r *Run) happens(rate int, d *Driver, what ...string) bool {
	return rate > 0 && int(r.dice(d, what...)%100) < rate
}

// dice is a number that looks like chance, and is always the same for a driver of an
// organization on a day.
func (r *Run) dice(d *Driver, what ...string) uint64 {
	seed := []string{strconv.FormatInt(r.OrgID, 10), r.Day.Format(time.DateOnly), strconv.FormatInt(d.ID, 10)}
	return diceOf(append(seed, what...)...)
}
