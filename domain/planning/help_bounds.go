package planning

import (
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// What a dispatcher can ask of people. The rules for working time in Norway and Denmark
// follow Regulation (EC) No 561/2006 and Directive 2003/88/EC: a driver drives at most nine
// hours a day and rests eleven hours between two workdays.
const (
	mostWorkday = 13 * time.Hour
	mostDriving = 9 * time.Hour
	leastRest   = 11 * time.Hour
	// mostUnpaused is how long a workday without a break lasts at most.
	mostUnpaused = 5*time.Hour + 30*time.Minute
	// mostLonger is how much longer anybody works, or a window lasts, at most.
	mostLonger = 4 * time.Hour
)

// bounds returns how far changes for a request may go.
func (h *Helper) bounds(r int) *routing.Bounds {
	d := h.draft
	o := d.orders[d.Orders[r]]
	b := &routing.Bounds{
		Pickup: d.longer(o.Pickup.Window.Latest), Delivery: d.longer(o.Delivery.Window.Latest),
		ExtraLasts: int64(mostWorkday / time.Second), ExtraDriving: int64(mostDriving / time.Second),
		ExtraFrom: max(0, d.second(d.day.Now)), ExtraUntil: d.second(d.day.At(order.EndOfDay, 0)),
		ExtraUnpaused: int64(mostUnpaused / time.Second),
	}
	for k := range d.Drivers {
		driving := mostDriving
		for i := range d.passed[k].over {
			driving -= d.passed[k].over[i].Driving
		}
		b.Driving = append(b.Driving, int64(driving/time.Second))
		b.Ends = append(b.Ends, d.workedLonger(d.driver(k)))
	}
	return b
}

// longer returns by how many seconds a window that ends then may end later: on the same day.
func (d *Draft) longer(ends time.Time) int64 {
	return max(0, int64(min(mostLonger, d.restOfDay(ends))/time.Second))
}

// workedLonger returns by how many seconds a driver may work longer: on the same day, no
// longer than a workday may last, and with a rest before the next one.
func (d *Draft) workedLonger(of *Driver) int64 {
	starts, ends := d.day.Work(of.Hours)
	longer := min(mostLonger, d.restOfDay(ends), mostWorkday-ends.Sub(starts))
	if !of.Next.IsZero() {
		longer = min(longer, of.Next.Sub(ends)-leastRest)
	}
	return max(0, int64(longer/time.Second))
}

// restOfDay returns how long the day lasts on which something ends, by the clock of the
// organization. Midnight ends the day before.
func (d *Draft) restOfDay(ends time.Time) time.Duration {
	year, month, day := ends.Add(-time.Nanosecond).In(d.day.Zone).Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, d.day.Zone).Sub(ends)
}
