package traffic

import (
	"time"

	"waybill/domain/freight"
	"waybill/domain/order"
)

// Road is a leg through rush hours: its first half is in those of where it begins, and its second half in those of
// where it ends, as in plans.
type Road struct {
	near, far []RushHours
	zone      *time.Location
}

// NewRoad returns a leg between two places, or nil if no rush hours count at either.
func NewRoad(all []RushHours, zone *time.Location, from, to freight.Place) *Road {
	r := &Road{near: covering(all, from), far: covering(all, to), zone: zone}
	if len(r.near)+len(r.far) == 0 {
		return nil
	}
	return r
}

func covering(all []RushHours, p freight.Place) (some []RushHours) {
	for i := range all {
		if all[i].Covers(p) {
			some = append(some, all[i])
		}
	}
	return some
}

// longest is the longest driving that is looked at: nobody drives farther.
const longest = 48 * time.Hour

// Rest returns how long a share of the leg takes, its end, for a driver who is there at a moment. The whole leg took so
// long, or was planned to, from another moment on.
func (r *Road) Rest(left time.Time, took time.Duration, share float64, now time.Time) time.Duration {
	if took <= 0 || took > longest {
		return time.Duration(share * float64(took))
	}
	half := r.half(left, left.Add(took))
	rest := 2 * half * min(max(share, 0), 1)
	middle := r.after(r.near, now, max(0, rest-half))
	return r.after(r.far, middle, min(rest, half)).Sub(now)
}

// half returns how long half of the leg takes without rush hours, if all of it is driven between two moments.
func (r *Road) half(left, arrived time.Time) float64 {
	first, last := time.Duration(0), arrived.Sub(left)
	for last-first > time.Second {
		middle := (first + last) / 2
		at := left.Add(middle)
		if r.driven(r.near, left, at) < r.driven(r.far, at, arrived) {
			first = middle
		} else {
			last = middle
		}
	}
	at := left.Add(first)
	return (r.driven(r.near, left, at) + r.driven(r.far, at, arrived)) / 2
}

// driven returns how much is driven between two moments, in seconds without rush hours.
func (r *Road) driven(hours []RushHours, from, until time.Time) (seconds float64) {
	for from.Before(until) {
		factor, next := r.at(hours, from)
		if next.After(until) {
			next = until
		}
		seconds += next.Sub(from).Seconds() / factor
		from = next
	}
	return seconds
}

// after returns when so much is driven from a moment on.
func (r *Road) after(hours []RushHours, from time.Time, seconds float64) time.Time {
	for seconds > 0 {
		factor, next := r.at(hours, from)
		if there := from.Add(time.Duration(seconds * factor * float64(time.Second))); !there.After(next) {
			return there
		}
		seconds -= next.Sub(from).Seconds() / factor
		from = next
	}
	return from
}

// at returns the factor of a moment, and until when it holds at least.
func (r *Road) at(hours []RushHours, moment time.Time) (factor float64, next time.Time) {
	local := moment.In(r.zone)
	year, month, day := local.Date()
	clock := order.Clock(60*local.Hour() + local.Minute())
	until := order.Clock(24 * 60)
	for i := range hours {
		h := &hours[i]
		from, ends := h.Hours()
		if from >= ends || !h.On(local.Weekday()) {
			continue
		}
		if from <= clock && clock < ends {
			factor = max(factor, h.Factor)
		}
		for _, edge := range [2]order.Clock{from, ends} {
			if edge > clock {
				until = min(until, edge)
			}
		}
	}
	if factor == 0 {
		factor = 1
	}
	if next = time.Date(year, month, day, 0, int(until), 0, 0, r.zone); !next.After(moment) { // the clock was moved
		next = moment.Add(time.Hour)
	}
	return factor, next
}

// Takes returns how long a leg takes from a moment on that takes so long without rush hours.
func (r *Road) Takes(base time.Duration, leaves time.Time) time.Duration {
	half := base.Seconds() / 2
	return r.after(r.far, r.after(r.near, leaves, half), half).Sub(leaves)
}
