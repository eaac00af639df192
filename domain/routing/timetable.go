package routing

// Timetable is a route in time: when the driver leaves, as late as the end of
// the route allows, when each visit begins, and when the route is over.
type Timetable struct {
	Leaves, Ends int64
	Stops        []Timed
	// Driving and Meters are the way, Setup the time to set up for visits; Waiting is
	// what no later departure saves.
	Driving, Meters, Setup, Waiting int64
	// Slower is by how much longer the way home takes in traffic.
	Slower int64
	// Service is the time of service, and Overtime that after the regular end of the shift.
	Service, Overtime int64
	// Lateness is what it costs that visits begin after they are due.
	Lateness int64
	// Break is when the first break begins and ends; empty without one.
	BreakStarts, BreakEnds int64
	// Breaks are all breaks, in their order.
	Breaks []Rest
	// Holds reports whether windows, break, end and longest route are kept.
	Holds bool
}

// Rest is a break in time.
type Rest struct {
	Starts, Ends int64
	// At is the place of the break, as in Break. With one, Way leads there from where the driver was before,
	// Arrives is when the driver gets there, and Detour by how many seconds the way on is longer because of it.
	At              int
	Way             Leg
	Arrives, Detour int64
}

// rest puts the breaks of a shift with more than one into its times.
func (t *Timetable) rest(rests []Rest) {
	if len(rests) == 0 {
		return
	}
	t.Breaks, t.BreakStarts, t.BreakEnds = rests, rests[0].Starts, rests[0].Ends
	t.Waiting -= restsAfter(rests, t.Leaves)
}

// restsAfter returns how many seconds of breaks begin at a time or later.
func restsAfter(rests []Rest, at int64) (seconds int64) {
	for _, rest := range rests {
		if rest.Starts >= at {
			seconds += rest.Ends - rest.Starts
		}
	}
	return seconds
}

// detoursAfter returns by how many seconds the way is longer because of the places of breaks that begin at a
// time or later.
func detoursAfter(rests []Rest, at int64) (seconds int64) {
	for _, rest := range rests {
		if rest.Starts >= at {
			seconds += rest.Detour
		}
	}
	return seconds
}

// Timetable returns the times of a shift's visits. The order may violate
// constraints: then the times are those of a driver who continues anyway.
func (p *Problem) Timetable(shift int, visits []Visit) Timetable {
	d, run := p.settle(shift, visits)
	t := Timetable{
		Leaves: run.leaves, Ends: run.ends, Stops: run.stops,
		Driving: run.driving, Meters: run.meters, Setup: run.setup, Holds: run.late == "",
	}
	t.Slower = run.slower
	t.Service, t.Overtime, t.Waiting = run.service, d.overtime(&run), d.idle(&run)
	if d.pauseLeg != noPause {
		t.BreakStarts, t.BreakEnds = run.pause.Starts, run.pause.Leaves
		t.Breaks = []Rest{{Starts: run.pause.Starts, Ends: run.pause.Leaves}}
	}
	t.rest(run.rests)
	t.Lateness = d.priceOfLateness(&run)
	latest, _ := d.latest(d.limits.end, nil)
	for i := range t.Stops {
		later := restsAfter(run.rests, t.Stops[i].Starts) + detoursAfter(run.rests, t.Stops[i].Starts)
		t.Stops[i].Slack = max(0, latest[i]-t.Stops[i].Starts-later)
	}
	return t
}
