package routing

// hours are two moments: as things are when the break is still to come, and
// when it is over. never is none.
type hours struct{ before, after int64 }

// ride returns the arrivals at the end of a leg.
func (b *bounds) ride(h hours, seconds int32) hours {
	before, after := b.arrive(h.before, h.after, int64(seconds))
	return hours{before, after}
}

// serve returns when a visit is over that begins by latest moments of its own.
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

// paused is pickups and drops for a shift with a break.
func (f *finder) paused() {
	for i := f.b.first; i < len(f.r.spots); i++ {
		if f.a.halved {
			f.dropPaused(i, i, f.leaving(i-1), 0)
			continue
		}
		if !f.limit || f.fits(&f.r.spots[i-1]) {
			f.pickupPaused(i)
		}
	}
}

func (f *finder) pickupPaused(i int) {
	a, from, to := f.a, &f.r.spots[i-1], &f.r.spots[i]
	toPickup := a.toPickup[from.place]
	closes := int64(a.pickup.closes)
	leave := a.pickup.serveBy(f.b.ride(f.leaving(i-1), toPickup.Seconds), closes, closes)
	if leave.none() {
		return
	}
	f.bothPaused(i, leave, toPickup)
	detour := a.price(f.detour(toPickup, a.fromPickup[to.place], to))
	if i+1 == len(f.r.spots) || detour+f.least[i+1] >= f.best.cost {
		return
	}
	leave = f.through(f.b.ride(leave, a.fromPickup[to.place].Seconds), i)
	for j := i + 1; j < len(f.r.spots) && !leave.none(); j++ {
		if detour+f.least[j] >= f.best.cost || f.limit && !f.fits(&f.r.spots[j-1]) {
			return
		}
		f.dropPaused(i, j, leave, detour)
		leave = f.through(f.b.ride(leave, f.r.spots[j].seconds), j)
	}
}

// through returns when a spot of the route is left.
func (f *finder) through(arrives hours, j int) hours {
	return f.r.spots[j].serveBy(arrives, f.r.spots[j].latest, f.r.paused[j].latest)
}

func (f *finder) bothPaused(i int, leave hours, toPickup Leg) {
	a, to := f.a, &f.r.spots[i]
	closes := int64(a.drop.closes)
	leave = a.drop.serveBy(f.b.ride(leave, a.between.Seconds), closes, closes)
	away := a.fromDrop[to.place]
	if leave.none() || !f.by(f.b.ride(leave, away.Seconds), i) {
		return
	}
	seconds, meters := f.detour(toPickup, away, to)
	f.take(a.price(seconds+int64(a.between.Seconds), meters+int64(a.between.Meters)), i, i)
}

// dropPaused tries the delivery before the spot j.
func (f *finder) dropPaused(i, j int, leave hours, pickup int64) {
	a := f.a
	if pickup+f.drop[j] >= f.best.cost {
		return
	}
	there, away := a.toDrop[f.r.spots[j-1].place], a.fromDrop[f.r.spots[j].place]
	closes := int64(a.drop.closes)
	leave = a.drop.serveBy(f.b.ride(leave, there.Seconds), closes, closes)
	if leave.none() || !f.by(f.b.ride(leave, away.Seconds), j) {
		return
	}
	f.take(pickup+f.drop[j], i, j)
}
