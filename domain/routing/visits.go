package routing

// entry returns how long it takes to set up at a spot after another one: not at all
// within a visit.
func (s *spot) entry(from *spot) int64 {
	if s.site == from.site { // without a site there is no setup
		return 0
	}
	return int64(s.setup)
}

// joins reports whether a spot belongs to the visit of the one before it.
func (s *spot) joins(from *spot) bool { return s.site != 0 && s.site == from.site }

// way is how long it takes to get from one spot to the next, with the setup there.
type way struct{ seconds, meters int64 }

// comes returns the way to a visit from a spot, given the row of legs to its place.
func (s *spot) comes(legs []Leg, from *spot) way {
	leg := &legs[from.place]
	return way{int64(leg.Seconds) + s.entry(from), int64(leg.Meters)}
}

// goes returns the way from a visit to a spot, given the row of legs from its place.
func (s *spot) goes(legs []Leg, to *spot) way {
	leg := &legs[to.place]
	return way{int64(leg.Seconds) + to.entry(s), int64(leg.Meters)}
}

// way returns the way between two spots.
func (m *model) way(profile int, from, to *spot) way {
	leg := m.leg(profile, from.place, to.place)
	return way{int64(leg.Seconds) + to.entry(from), int64(leg.Meters)}
}

// preload lets the visits of a route take as long as with its vehicle and driver, and lets the pickups take no
// time with which it is loaded before the shift. It returns between which spots the route has
// to be measured because of that.
func (m *model) preload(b *bounds, r *route, from, to int) (first, last int) {
	r.ahead = 1
	if r.open = b.first; !m.ownVisits {
		return from, to
	}
	ahead := b.loading.Site != 0
	for i := 1; i < len(r.spots)-1; i++ {
		s := &r.spots[i]
		usual := &m.spots[s.visit]
		service, setup := b.manner.service(usual), b.manner.setup(usual)
		if ahead = ahead && b.preloads(s); ahead {
			service, setup = 0, int32(b.loading.Seconds)
			r.ahead = i + 1
		}
		if s.service != service || s.setup != setup {
			s.service, s.setup = service, setup
			from, to = min(from, i), max(to, i)
		}
	}
	r.open = max(r.open, r.ahead)
	return from, to
}

// preloads reports whether a visit at the beginning of a route loads the vehicle before
// the shift.
func (b *bounds) preloads(s *spot) bool { return int(s.site) == b.loading.Site && s.visit&1 == 0 }

// preloaded returns what a request asks for when it is picked up before the shift, or nil
// when it cannot be: all before it must be, too.
func (f *finder) preloaded() *ask {
	if f.b.loading.Site == 0 || f.a.halved || !f.b.preloads(f.a.pickup) || f.r.ahead < f.b.first {
		return nil
	}
	a, pickup := *f.a, *f.a.pickup
	pickup.service, pickup.setup = 0, int32(f.b.loading.Seconds)
	a.pickup = &pickup
	a.direct, a.pickupCost = a.direct-a.pickupCost, 0
	return &a
}
