package planning

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"time"

	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/routing"
	"waybill/domain/traffic"
)

// The days before and after its own for which a day knows the traffic: shifts go on past midnight.
const (
	daysBefore = 1
	daysAfter  = 3
)

// mostAreas is how many areas with traffic of their own a day may have.
const mostAreas = math.MaxUint8

// Fastest is the lowest factor of the day's rush hours, at most 1.
func (d *Draft) Fastest() float64 { return traffic.Least(d.day.RushHours) }

// Rush puts the travel times of the draft into the traffic of the day. It is called again when they change.
func (d *Draft) Rush() {
	var all []*routing.Traffic
	var areas []uint8
	if len(d.day.RushHours) > 0 {
		all, areas = d.traffic()
	}
	for i := range d.Problem.Travel {
		d.Problem.Travel[i].Traffic, d.Problem.Travel[i].Areas = all, areas
	}
}

// traffic returns the traffic of each area, and the area of each place: places at which the same rush hours count are
// one area. The first one has those that are everywhere; places without a postal code are there, too.
func (d *Draft) traffic() (all []*routing.Traffic, areas []uint8) {
	var known [][]int
	number := func(hours []int) uint8 {
		n := slices.IndexFunc(known, func(k []int) bool { return slices.Equal(k, hours) })
		switch {
		case n >= 0:
			return uint8(n)
		case len(known) > mostAreas:
			return 0
		}
		known = append(known, hours)
		all = append(all, d.trafficOf(hours))
		return uint8(len(known) - 1)
	}
	number(d.rushAt(freight.Place{}))
	areas = make([]uint8, len(d.Points))
	for i := range d.day.Orders {
		for _, kind := range []order.StopKind{order.Pickup, order.Delivery} {
			stop := d.day.Orders[i].stop(kind)
			if stop.Point == nil || stop.Postal.PostalCode == "" {
				continue
			}
			if place, known := d.places[*stop.Point]; known {
				areas[place] = number(d.rushAt(stop.Postal))
			}
		}
	}
	return all, areas
}

// rushAt returns the numbers of the rush hours at a place.
func (d *Draft) rushAt(p freight.Place) (hours []int) {
	for i := range d.day.RushHours {
		if d.day.RushHours[i].Covers(p) {
			hours = append(hours, i)
		}
	}
	return hours
}

// rushVersion is the version of the rush hours; it is 0 without any.
func (d *Draft) rushVersion() uint64 {
	if len(d.day.RushHours) == 0 {
		return 0
	}
	return maphash.String(seed, fmt.Sprint(d.day.RushHours))
}

// trafficOf returns the traffic with some of the rush hours. Where several meet, the slowest counts.
func (d *Draft) trafficOf(hours []int) *routing.Traffic {
	var spans []rushSpan
	moments := []int64{d.second(d.clockOf(-daysBefore, 0))}
	for _, n := range hours {
		for _, span := range d.spansOf(&d.day.RushHours[n]) {
			spans = append(spans, span)
			moments = append(moments, span.from, span.until)
		}
	}
	slices.Sort(moments)
	var paces []routing.Pace
	fastest := d.Fastest()
	for _, at := range slices.Compact(moments) {
		factor := 0.0
		for _, span := range spans {
			if span.from <= at && at < span.until {
				factor = max(factor, span.factor)
			}
		}
		if factor == 0 {
			factor = 1
		}
		pace := routing.Pace{From: at, Speed: int64(math.Round(routing.FullSpeed * fastest / factor))}
		if n := len(paces); n == 0 || paces[n-1].Speed != pace.Speed {
			paces = append(paces, pace)
		}
	}
	return routing.NewTraffic(paces)
}

// rushSpan is when rush hours are, in seconds of the day.
type rushSpan struct {
	from, until int64
	factor      float64
}

// spansOf returns the rush hours of the day, and of those before and after it.
func (d *Draft) spansOf(h *traffic.RushHours) (spans []rushSpan) {
	from, until := h.Hours()
	for day := -daysBefore; day <= daysAfter; day++ {
		if from < until && h.On(d.clockOf(day, 0).Weekday()) {
			spans = append(spans, rushSpan{d.second(d.clockOf(day, from)), d.second(d.clockOf(day, until)), h.Factor})
		}
	}
	return spans
}

// clockOf returns the moment of a clock time, so many days after the day of the draft.
func (d *Draft) clockOf(days int, clock order.Clock) time.Time {
	year, month, day := d.day.Date.Date()
	return time.Date(year, month, day+days, 0, int(clock), 0, 0, d.day.Zone)
}
