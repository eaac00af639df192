package notification

import (
	"time"

	"waybill/domain/order"
)

// Window is the part of a day in which messages may be sent. One that ends
// before it begins spans midnight.
type Window struct {
	From order.Clock
	To   order.Clock
}

// Next returns the earliest and latest time at which a message of this moment
// may be sent: the open window, or else the next one. Clock times are in the
// zone, also on days with a clock change.
func (w Window) Next(now time.Time, zone *time.Location) (from, to time.Time) {
	local := now.In(zone)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	for offset := -1; ; offset++ {
		from, to = w.on(day.AddDate(0, 0, offset), zone)
		if now.Before(to) && from.Before(to) {
			return from.UTC(), to.UTC()
		}
	}
}

// on places the window that begins on a day.
func (w Window) on(day time.Time, zone *time.Location) (from, to time.Time) {
	end := day
	if w.To <= w.From {
		end = day.AddDate(0, 0, 1)
	}
	return w.From.On(day, zone), w.To.On(end, zone)
}
