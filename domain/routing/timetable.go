package routing

// Timetable is a route in time: when the driver leaves, as late as the end of
// the route allows, when each visit begins, and when the route is over.
type Timetable struct {
	Leaves, Ends int64
	Stops        []Timed
	// Driving and Meters are the way, Setup the time to set up for visits; Waiting is
	// what no later departure saves.
	Driving, Meters, Setup, Waiting int64
	// Lateness is what it costs that visits begin after they are due.
	Lateness int64
	// Break is when the break begins and ends; empty without one.
	BreakStarts, BreakEnds int64
	// Holds reports whether windows, break, end and longest route are kept.
	Holds bool
}

// Timetable returns the times of a shift's visits. The order may violate
// constraints: then the times are those of a driver who continues anyway.
func (p *Problem) Timetable(shift int, visits []Visit) Timetable {
	d, run := p.settle(shift, visits)
	t := Timetable{
		Leaves: run.leaves, Ends: run.ends, Stops: run.stops,
		Driving: run.driving, Meters: run.meters, Setup: run.setup, Holds: run.late == "",
	}
	t.Waiting = run.ends - run.leaves - run.driving - run.setup - run.service
	if d.pauseLeg != noPause {
		t.BreakStarts, t.BreakEnds = run.pause.Starts, run.pause.Leaves
		t.Waiting -= d.limits.pause.Seconds
	}
	t.Lateness = d.priceOfLateness(&run)
	latest, _ := d.latest(d.limits.end, nil)
	for i := range t.Stops {
		t.Stops[i].Slack = max(0, latest[i]-t.Stops[i].Starts)
	}
	return t
}
