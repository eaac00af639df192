// Package booking decides whether an order fits an interval, and what having a
// seat in it means. The store counts free seats, because that needs a lock.
package booking

import (
	"time"

	"waybill/domain/freight"
	"waybill/domain/order"
)

// daysPerInterval bounds the number of a day within an interval's id: days are
// counted from 1970, and there are some 84,000 until 2200.
const daysPerInterval = 100_000

// IntervalID is the id of an interval on one day. It is derived, not
// assigned, so a slot can be offered before anything about it is stored.
type IntervalID int64

// NewIntervalID returns the id of an interval on a day, which is midnight UTC.
func NewIntervalID(interval int64, day time.Time) IntervalID {
	return IntervalID(interval*daysPerInterval + day.Unix()/(24*60*60))
}

// Split returns the interval and the day; ok is false for an impossible id.
func (id IntervalID) Split() (interval int64, day time.Time, ok bool) {
	if id < daysPerInterval {
		return 0, time.Time{}, false
	}
	day = time.Unix(int64(id%daysPerInterval)*24*60*60, 0).UTC()
	return int64(id / daysPerInterval), day, day.Year() < 2200
}

// Named is a record that an interval speaks of.
type Named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// ZonePair is where goods may come from, and where they may go.
type ZonePair struct {
	From Named `json:"from"`
	To   Named `json:"to"`
}

// Interval is an offer of an organization: hours on some days, for some
// kinds of orders. An empty list of a kind means all.
type Interval struct {
	ID            int64
	Day           time.Time  // the only day, without a rule
	Rule          order.Days // the days, if there are many
	Pickup        order.Hours
	Delivery      order.Hours
	Slots         int32
	OrderTypes    []Named
	FromToZones   []ZonePair
	FreightLevels []Named
}

// Offered reports whether the interval can be booked on a day at all.
func (i *Interval) Offered(day time.Time) bool {
	if i.Rule == nil {
		return i.Day.Equal(day)
	}
	return i.Rule.Matches(day.Year(), day.Month(), day.Day())
}

// For reports whether the interval is for orders of a type.
func (i *Interval) For(orderType int64) bool {
	return len(i.OrderTypes) == 0 || has(i.OrderTypes, orderType)
}

// On is the interval on one day, with its number of booked seats.
func (i *Interval) On(day time.Time, zone *time.Location, booked int32) Slot {
	return Slot{
		Interval: i, ID: NewIntervalID(i.ID, day), Day: day, Booked: booked,
		Pickup: order.BookedWindow(i.Pickup, day, zone), Delivery: order.BookedWindow(i.Delivery, day, zone),
	}
}

// Slot is an interval on one day, which is what orders book.
type Slot struct {
	*Interval

	ID       IntervalID
	Day      time.Time
	Pickup   order.Window
	Delivery order.Window
	// Booked is how many seats are taken, Held how many more are kept for baskets.
	Booked int32
	Held   int32
}

// Full reports whether no seat is left.
func (s *Slot) Full() bool { return s.Booked+s.Held >= s.Slots }

// Subject is the order or draft to book.
type Subject struct {
	OrderType OrderType
	Class     freight.Class
}

// OrderType is the order type of a subject, unknown if it has no id. A nil
// bound means none.
type OrderType struct {
	Named

	MinBookAheadMinutes *int32
	MaxBookAheadMinutes *int32
}
