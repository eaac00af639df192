package routing

import "slices"

// Breaks at places, for the clock of Check. A driver who has one goes to its place instead of straight on.

// distance is a way, in seconds and meters.
type distance struct{ seconds, meters int64 }

func (d distance) plus(seconds, meters int64) distance {
	return distance{seconds: d.seconds + seconds, meters: d.meters + meters}
}

// price is what a distance costs with the shift of a clock.
func (d distance) price(c *clock) int64 {
	second, meter := c.p.Objective.Second, c.p.Objective.Meter
	if own := c.shift.Rates; own != nil {
		second, meter = own.Second, own.Meter
	}
	return second*d.seconds + meter*d.meters
}

// toll is what the whole way of a trip costs.
func (t *trip) toll(c *clock) int64 { return distance{t.driving, t.meters}.price(c) }

func (in *inspector) way(from, to int) distance {
	leg := in.c.p.Travel[in.c.shift.Profile].Leg(from, to)
	return distance{seconds: int64(leg.Seconds), meters: int64(leg.Meters)}
}

// setOff returns how a driver may leave for a place: straight on, or by the next place of a break.
func (in *inspector) setOff(g tachograph, from, to int) (after []tachograph) {
	straight := g
	in.takes(&straight, 0, from, to)
	after = append(after, straight)
	for i := g.pauses; i < len(in.pauses); i++ {
		if in.pauses[i].At == 0 {
			continue
		}
		if by, ok := in.by(g, from, i, to); ok {
			after = append(after, by)
		}
		break
	}
	return after
}

// by sends a driver to the place of a break, unless it is farther than anybody drives.
func (in *inspector) by(g tachograph, from, pause, to int) (tachograph, bool) {
	place := in.pauses[pause].At - 1
	straight, there, on := in.way(from, to), in.way(from, place), in.way(place, to)
	if in.tooFar(there.seconds) || in.tooFar(on.seconds) {
		return g, false
	}
	in.takes(&g, pause+1, from, place)
	g.extra = g.extra.plus(there.seconds+on.seconds-straight.seconds, there.meters+on.meters-straight.meters)
	return g, true
}

// stay has the break at the place that a driver has reached, and sets off again.
func (in *inspector) stay(g tachograph, to int) []tachograph {
	pause := &in.pauses[g.heads-1]
	if g.pauses != g.heads-1 || g.now > pause.Latest {
		return nil
	}
	return in.setOff(in.sit(g, pause), pause.At-1, to)
}

// travels reports whether a break is at a place, from one on.
func (in *inspector) travels(from int) bool {
	return slices.ContainsFunc(in.pauses[from:], func(b Break) bool { return b.At > 0 })
}

// sit has a break that the driver has come for.
func (in *inspector) sit(g tachograph, pause *Break) tachograph {
	rule := &in.c.shift.Rule
	g.now = max(g.now, pause.Earliest) + pause.Seconds
	g.pauses++
	g.travels = in.travels(g.pauses)
	switch {
	case rule.Most == 0:
	case pause.Seconds >= rule.Break, g.part && rule.Second > 0 && pause.Seconds >= rule.Second:
		g.wheel, g.part = 0, false
	case rule.First > 0 && pause.Seconds >= rule.First:
		g.part = true
	}
	return g
}

// callAt goes to the places of breaks that are due before the end of a leg, as late as that may be.
func (in *inspector) callAt(g *tachograph, from, to int) {
	for g.pauses < len(in.pauses) && in.pauses[g.pauses].At > 0 {
		pause := &in.pauses[g.pauses]
		by, ok := in.by(*g, from, g.pauses, to)
		if !ok || pause.Earliest > g.road.end(g.now) {
			return
		}
		in.driveOn(&by)
		pause.Latest = max(pause.Latest, by.now)
		*g = in.sit(by, pause)
		from = pause.At - 1
		in.takes(g, 0, from, to)
	}
}

// takes begins to drive a way. Its seconds at full speed are taken off the jam, to which all driving adds.
func (in *inspector) takes(g *tachograph, heads, from, to int) {
	seconds := in.way(from, to).seconds
	g.heads, g.road = heads, in.c.streetOf(from, to, seconds)
	g.jam -= seconds
}

// ranks reports whether a tachograph at the end of a trip is the better one. One that was not driven too far
// is, then one whose goods were not on board for too long, then the earlier one, and then the one with the lower price.
func (in *inspector) ranks(t *trip, g, other *tachograph) bool {
	c := in.c
	far := func(g *tachograph) bool {
		return t.meters+g.extra.meters > c.farthest || t.driving+g.extra.seconds > c.mostDriving
	}
	switch {
	case far(g) != far(other):
		return far(other)
	case g.stale != other.stale:
		return other.stale
	case g.now != other.now:
		return g.now < other.now
	case g.fine != other.fine:
		return g.fine < other.fine
	}
	if price, less := g.extra.price(c), other.extra.price(c); price != less {
		return price < less
	}
	return g.jam < other.jam
}
