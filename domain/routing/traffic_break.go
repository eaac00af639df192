package routing

// A break on a road is as late as it can be: at the end, or at the last moment at which it may begin. Without traffic
// it makes no difference where on the road it is.

// arrivesPaused returns when a vehicle arrives that leaves at a moment, not later than the break begins at the latest,
// and has the break on the road.
func (r *road) arrivesPaused(at int64, pause *Break) int64 {
	_, arrives := r.paused(at, pause)
	return arrives
}

// paused also returns when the break begins.
func (r *road) paused(at int64, pause *Break) (starts, arrives int64) {
	end := r.arrives(at)
	if end <= pause.Latest {
		starts = max(end, pause.Earliest)
		return starts, starts + pause.Seconds
	}
	left := r.rest(at, r.whole(), pause.Latest-at)
	return pause.Latest, r.ends(pause.Latest+pause.Seconds, left)
}

// departsPaused returns the latest moment to leave, with the break on the road, in order to arrive by another one. The
// break must fit in between.
func (r *road) departsPaused(by int64, pause *Break) int64 {
	if r.near == nil && r.far == nil {
		return min(by-pause.Seconds-r.seconds, pause.Latest)
	}
	at := r.departs(min(pause.Latest, by-pause.Seconds))
	if again := pause.Latest + pause.Seconds; again <= by {
		at = max(at, min(pause.Latest, r.toHave(pause.Latest, r.room(again, by))))
	}
	return at
}

// room returns how much of the way may be left at a moment in order to arrive by another one.
func (r *road) room(at, by int64) int64 {
	if far := r.far.between(at, by); far < r.second {
		return far
	}
	return r.second + min(r.first, r.near.between(at, r.far.back(by, r.second)))
}

// toHave returns the latest moment to leave in order to have no more than so much of the way left at another one.
func (r *road) toHave(at, left int64) int64 {
	if left >= r.second {
		return r.near.back(at, r.first+r.second-left)
	}
	return r.near.back(r.far.back(at, r.second-left), r.first)
}

// reaches returns when a driver who leaves the spot before has come to a spot of the route and set up there.
func (b *bounds) reaches(r *route, i int, leave int64) int64 {
	s := &r.spots[i]
	if b.busy == nil {
		return leave + int64(s.seconds)
	}
	way := r.approach(i)
	return b.reachesBusy(leave, &way)
}

// reachesBusy is reaches in traffic; never stays so.
func (b *bounds) reachesBusy(leave int64, way *approach) int64 {
	if leave >= never {
		return never
	}
	road := b.road(way)
	return road.arrives(leave) + way.setup
}

// leavesFor returns the latest moment to leave the spot before one of the route in order to begin there by a time.
func (b *bounds) leavesFor(r *route, i int, by int64) int64 {
	if b.busy == nil {
		return by - int64(r.spots[i].seconds)
	}
	way := r.approach(i)
	return b.leavesBusy(by, &way)
}

// leavesBusy is leavesFor in traffic; what is not possible stays so.
func (b *bounds) leavesBusy(by int64, way *approach) int64 {
	if by <= -never/2 {
		return by
	}
	road := b.road(way)
	return road.departs(by - way.setup)
}

// road returns a way in the traffic of a shift.
func (b *bounds) road(way *approach) road {
	return b.busy.roadOf(int(way.from.place), int(way.to.place), way.leg)
}

// arriveBusy is arrive in traffic.
func (b *bounds) arriveBusy(before, after int64, way *approach) (int64, int64) {
	after = b.reachesBusy(after, way)
	if before <= b.pause.Latest && !way.within {
		road := b.road(way)
		after = min(after, road.arrivesPaused(before, &b.pause)+way.setup)
	}
	return min(b.reachesBusy(before, way), never), min(after, never)
}

// departBusy is depart in traffic.
func (b *bounds) departBusy(before, after int64, way *approach) (int64, int64) {
	before = b.leavesBusy(before, way)
	if b.pause.Earliest+b.pause.Seconds+way.setup <= after && !way.within {
		road := b.road(way)
		before = max(before, road.departsPaused(after-way.setup, &b.pause))
	}
	return before, b.leavesBusy(after, way)
}
