package routing

// usualPercent is the VisitPercent of a shift whose visits take as long as their stops say.
const usualPercent = 100

// Limits of VisitPercent.
const (
	leastPercent = 10
	mostPercent  = 1_000
)

// manner is how a shift makes visits: how much longer its vehicle takes to set up, and in which share of the usual time
// its driver sets up and serves. The zero value is how most do.
type manner struct {
	extra, percent int32
}

// manner returns that of a shift.
func (s *Shift) manner() manner {
	if s.VisitPercent == usualPercent {
		return manner{extra: int32(s.ExtraSetup)}
	}
	return manner{extra: int32(s.ExtraSetup), percent: int32(s.VisitPercent)}
}

// takes returns how long something takes, rounded to whole seconds, that usually takes so many.
func (m manner) takes(seconds int64) int64 {
	if m.percent == 0 {
		return seconds
	}
	return min((seconds*int64(m.percent)+usualPercent/2)/usualPercent, MaxTime)
}

// sets returns how long it takes to set up at a site.
func (m manner) sets(up int64) int64 { return m.takes(up + int64(m.extra)) }

// setup is the same of a spot that is as it usually is, and service how long it takes to serve.
func (m manner) setup(s *spot) int32 {
	switch {
	case s.site == 0:
		return s.setup
	case m.percent == 0:
		return s.setup + m.extra
	}
	return int32(m.sets(int64(s.setup)))
}

func (m manner) service(s *spot) int32 {
	if m.percent == 0 {
		return s.service
	}
	return int32(m.takes(int64(s.service)))
}

// spot returns a visit as a shift of this manner makes it.
func (m *model) spot(v int32, by manner) *spot {
	if by == (manner{}) {
		return &m.spots[v]
	}
	own := m.spots[v]
	own.setup, own.service = by.setup(&m.spots[v]), by.service(&m.spots[v])
	return &own
}

// longer returns how much longer than in its route a shift of another manner takes to set up at a spot after another
// one.
func (m *model) longer(to, from *spot, by manner) int64 {
	if to.site == 0 || to.site == from.site {
		return 0
	}
	return int64(by.setup(&m.spots[to.visit])) - int64(to.setup)
}

// quickest returns the least that any shift takes for something that usually takes so many seconds.
func (p *Problem) quickest(seconds int64) int64 {
	least := seconds
	for k := range p.Shifts {
		least = min(least, p.Shifts[k].manner().takes(seconds))
	}
	return least
}
