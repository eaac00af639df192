package planning

import (
	"time"

	"waybill/domain/routing"
)

// overdue is how long after its window a missed break may begin. After that the
// driver does nothing else before it.
const overdue = time.Hour

// breakOf returns the break that a driver still has to take. One whose window
// has passed is due soon: a break that began too late, or was postponed by a
// queue, is not forgotten. A driver who had nothing to do for the length of a
// break has had it.
func (d *Draft) breakOf(of *Driver, passed *progress, from time.Time) routing.Break {
	earliest, latest := d.day.Break(of.Hours)
	lasts := time.Duration(of.Hours.Break.Minutes) * time.Minute
	if lasts == 0 || passed.paused {
		return routing.Break{}
	}
	begins := later(earliest, from)
	if latest.Before(from) {
		if passed.rested(d.orders, earliest, from, lasts) {
			return routing.Break{}
		}
		begins, latest = later(from, d.day.Now), d.putOff(of.ID, latest)
	}
	return routing.Break{
		Earliest: max(d.second(begins), 0), Latest: d.second(later(latest, begins)), Seconds: int64(lasts / time.Second),
	}
}

// putOff returns the latest start of a break whose window has passed: the start in the
// present plan, which the next plan does not postpone.
func (d *Draft) putOff(driver int64, latest time.Time) time.Time {
	latest = latest.Add(overdue)
	if route := d.routes[driver]; route != nil && !route.BreakStarts.IsZero() && route.BreakStarts.Before(latest) {
		return route.BreakStarts
	}
	return latest
}

// rested reports whether a driver had nothing to do for this long between two
// moments: before the leg to a stop, or after the last one. Waiting at a stop
// does not count.
func (p *progress) rested(orders map[int64]*Order, since, until time.Time, lasts time.Duration) bool {
	free := since
	for i := range p.over {
		s := &p.over[i]
		o := orders[s.OrderID]
		arrived, left := s.Arrives, s.Leaves
		if standing := &o.stop(s.Kind).Standing; !standing.Last().IsZero() {
			arrived, left = standing.Arrived, standing.Last()
			if arrived.IsZero() {
				arrived = left.Add(-s.Service())
			}
		}
		if !s.Joined && arrived.Add(-s.Driving).Sub(free) >= lasts {
			return true
		}
		if free = later(free, left); p.reports && o.at(s.Kind) {
			free = later(free, until)
		}
	}
	return until.Sub(free) >= lasts
}

// detained reports whether a driver was still at the stop before the planned break
// when the break should have been over, or is there now.
func (p *progress) detained(rest Rest, orders map[int64]*Order) bool {
	for i := range p.over {
		s := &p.over[i]
		if !p.reports || s.Starts.After(rest.Starts) {
			continue
		}
		o := orders[s.OrderID]
		standing := &o.stop(s.Kind).Standing
		if i == len(p.over)-1 && o.at(s.Kind) ||
			standing.Arrived.Before(rest.Starts) && !standing.Ended.Before(rest.Ends) {
			return true
		}
	}
	return false
}

// there reports whether a driver has reported arriving at the last stop visited, and not
// finishing there.
func (p *progress) there(orders map[int64]*Order) bool {
	last := len(p.over) - 1
	return p.reports && last >= 0 && orders[p.over[last].OrderID].at(p.over[last].Kind)
}
