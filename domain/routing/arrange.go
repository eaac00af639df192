package routing

import "slices"

// The price of lateness when owed visits are sorted: this many seconds of a
// later end outweigh one second of lateness.
const priceOfLateness = 60

// mostArranged is how many visits are put into another order at most, and passes is
// how often that is tried.
const (
	mostArranged = 120
	passes       = 4
)

// arrange sorts the owed visits of shifts to reduce lateness. It keeps
// sequences that are on time, and sequences with pickups, which a user chose.
func (p *Problem) arrange() {
	for k := range p.Shifts {
		owed := p.Shifts[k].Owed
		pickup := func(v Visit) bool { return !v.Delivers() }
		if len(owed) < 2 || len(owed) > mostArranged || slices.ContainsFunc(owed, pickup) {
			continue
		}
		if a := p.newArrangement(k); a.late > 0 && a.improve() {
			p.Shifts[k].Owed = a.visits[len(p.Shifts[k].Frozen):]
		}
	}
}

// arrangement is an order of the owed visits after the frozen ones.
type arrangement struct {
	drive drive
	first int
	// visits are all visits, late is their lateness, and price its cost.
	visits      []Visit
	late, price int64
}

func (p *Problem) newArrangement(k int) *arrangement {
	shift := &p.Shifts[k]
	a := &arrangement{first: len(shift.Frozen), visits: slices.Concat(shift.Frozen, shift.Owed)}
	a.drive = drive{p: p, k: k, pauseLeg: noPause, limits: limits{
		end: never, maxSeconds: never, maxMeters: never, maxStops: unlimitedStops, maxDriving: never,
	}}
	a.late, a.price = a.priceOf(a.visits)
	return a
}

func (a *arrangement) priceOf(visits []Visit) (late, price int64) {
	a.drive.visits = visits
	run := a.drive.run()
	late = a.drive.lateness(&run)
	return late, priceOfLateness*late + run.ends
}

// improve moves one visit after the other to where it costs least, and reports
// whether anything is better by that.
func (a *arrangement) improve() (better bool) {
	for pass := 0; pass < passes && a.late > 0; pass++ {
		moved := false
		for i := a.first; i < len(a.visits); i++ {
			moved = a.move(i) || moved
		}
		if better = better || moved; !moved {
			break
		}
	}
	return better
}

func (a *arrangement) move(i int) bool {
	rest := slices.Concat(a.visits[:i], a.visits[i+1:])
	moved := false
	for j := a.first; j <= len(rest); j++ {
		visits := slices.Insert(slices.Clone(rest), j, a.visits[i])
		if late, price := a.priceOf(visits); price < a.price {
			a.visits, a.late, a.price, moved = visits, late, price, true
			break
		}
	}
	return moved
}
