package routing

// hours are two moments: with the break still ahead, and with it taken. never
// means none.
type hours struct{ before, after int64 }

// ride returns the arrivals at the end of a way.
func (b *bounds) ride(h hours, way approach) hours {
	before, after := b.arrive(h.before, h.after, way)
	return hours{before, after}
}

// serveBy returns the end of a visit that must begin by given times.
func (s *spot) serveBy(h hours, before, after int64) hours {
	start, late := max(h.before, int64(s.opens)), max(h.after, int64(s.opens))
	out := hours{start + int64(s.service), late + int64(s.service)}
	if start > before {
		out.before = never
	}
	if late > after {
		out.after = never
	}
	return out
}

func (h hours) none() bool { return h.before >= never && h.after >= never }

// by reports whether the start of service at a spot of the route is in time.
func (f *finder) by(h hours, j int) bool {
	to := &f.r.spots[j]
	return max(h.before, int64(to.opens)) <= to.latest || max(h.after, int64(to.opens)) <= f.r.paused[j].latest
}

// leaving returns the earliest moments to leave a spot of the route.
func (f *finder) leaving(i int) hours {
	return hours{f.r.spots[i].leave, f.r.paused[i].leave}
}

// dropsPaused is drops for a shift with a break.
func (f *finder) dropsPaused() {
	for j := f.r.open; j <= f.high; j++ {
		f.dropPaused(j, j, f.leaving(j-1), 0)
	}
}

// pausedAmong is pickupsAmong for a shift with a break.
func (f *finder) pausedAmong(first, last int) {
	closes := int64(f.a.pickup.closes)
	for i := f.from(first, int64(f.a.pickup.opens)+int64(f.a.pickup.service)); i <= last; i++ {
		if leaves(f.r, i-1) > closes {
			return
		}
		f.pickupPaused(i)
	}
}

// pickupPaused tries a spot for the pickup and, behind it, for the delivery. It
// looks at the price first, as pickups does.
func (f *finder) pickupPaused(i int) {
	a, from, to := f.a, &f.r.spots[i-1], &f.r.spots[i]
	direct, detour, walks := f.priced(i)
	if !walks && direct >= f.best.cost || f.limit && !f.fits(from) {
		return
	}
	closes := int64(a.pickup.closes)
	there := a.pickup.approach(from, int64(a.toPickup[from.place].Seconds))
	leave := a.pickup.serveBy(f.b.ride(f.leaving(i-1), there), closes, closes)
	if leave.none() {
		return
	}
	if direct < f.best.cost && f.bothPaused(leave, i) {
		f.take(direct, i, i)
	}
	if walks {
		away := to.approach(a.pickup, int64(a.fromPickup[to.place].Seconds))
		f.walkPaused(i, f.through(f.b.ride(leave, away), i), detour)
	}
}

// bothPaused reports whether the delivery can be right behind the pickup, before
// the spot i.
func (f *finder) bothPaused(leave hours, i int) bool {
	a, to := f.a, &f.r.spots[i]
	closes := int64(a.drop.closes)
	leave = a.drop.serveBy(f.b.ride(leave, f.between()), closes, closes)
	return !leave.none() && f.by(f.b.ride(leave, to.approach(a.drop, int64(a.fromDrop[to.place].Seconds))), i)
}

// between is the way from the pickup to the delivery.
func (f *finder) between() approach {
	setup := f.a.drop.entry(f.a.pickup)
	return approach{
		leg: f.a.between.seconds - setup, setup: setup, within: f.a.drop.joins(f.a.pickup), from: f.a.pickup, to: f.a.drop,
	}
}

// walkPaused follows the route behind a pickup, from when it leaves the spot i,
// and tries each later spot for the delivery.
func (f *finder) walkPaused(i int, leave hours, pickup int64) {
	for j := i + 1; j <= f.high && !leave.none(); j++ {
		if pickup+f.least[j] >= f.best.cost || f.limit && !f.fits(&f.r.spots[j-1]) {
			return
		}
		f.dropPaused(i, j, leave, pickup)
		leave = f.through(f.b.ride(leave, f.r.approach(j)), j)
	}
}

// through returns when a spot of the route is left.
func (f *finder) through(arrives hours, j int) hours {
	return f.r.spots[j].serveBy(arrives, f.r.spots[j].latest, f.r.paused[j].latest)
}

// dropPaused tries the delivery before the spot j.
func (f *finder) dropPaused(i, j int, leave hours, pickup int64) {
	a := f.a
	if pickup+f.drop[j] >= f.best.cost {
		return
	}
	from, to := &f.r.spots[j-1], &f.r.spots[j]
	closes := int64(a.drop.closes)
	leave = a.drop.serveBy(f.b.ride(leave, a.drop.approach(from, int64(a.toDrop[from.place].Seconds))), closes, closes)
	if leave.none() || !f.by(f.b.ride(leave, to.approach(a.drop, int64(a.fromDrop[to.place].Seconds))), j) {
		return
	}
	f.take(pickup+f.drop[j], i, j)
}
