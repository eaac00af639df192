package routing

// Cost is the cost of a plan, in the units of the objective.
type Cost struct {
	// Total is the sum that Improve makes small.
	Total int64
	// Unplanned is the sum of the penalties, Change that of the prices of change.
	Unplanned, Change int64
	// Shifts are those with a visit.
	Shifts int
	// Driving, Setup and Waiting are in seconds.
	Driving, Setup, Waiting, Meters int64
	// Routes is what the routes cost by their length and times, and Lateness what it costs that visits
	// begin after they are due. Surcharges are those of requests with their shifts.
	Routes, Lateness, Surcharges int64
	// Left and Changed count requests.
	Left, Changed int
}

// Price returns the cost of a plan. It computes it from scratch, so it can
// verify a plan that was improved step by step.
func Price(p *Problem, plan Plan) Cost {
	var c Cost
	for k, route := range plan.Routes {
		if len(route) == 0 {
			continue
		}
		t := p.Timetable(k, route)
		c.Shifts++
		c.Driving += t.Driving
		c.Setup += t.Setup
		c.Waiting += t.Waiting + p.rests(k, &t)
		c.Meters += t.Meters
		c.Lateness += t.Lateness
		c.Routes += p.PriceOf(k, &t)
		c.Total += p.Objective.Shift + p.Shifts[k].Fee
	}
	c.change(p, plan)
	c.Total += c.Unplanned + c.Change + c.Routes + c.Lateness + c.Surcharges
	return c
}

// PriceOf returns what a route costs by its length and times, without lateness.
func (p *Problem) PriceOf(k int, t *Timetable) int64 {
	rates := p.Rates(k)
	return rates.way(t.Driving+t.Setup, t.Meters) + rates.Waiting*(t.Waiting+p.rests(k, t)) + rates.Service*t.Service +
		p.Shifts[k].Overtime.Price*t.Overtime + p.Shifts[k].Balance.more(t.Ends-t.Leaves, t.orders())
}

func (c *Cost) change(p *Problem, plan Plan) {
	before := p.Before.ShiftOf(len(p.Requests))
	for r, k := range plan.ShiftOf(len(p.Requests)) {
		if k < 0 {
			c.Left++
			c.Unplanned += p.Requests[r].Penalty
			continue
		}
		c.Surcharges += p.Requests[r].Surcharge(k)
		if before[r] >= 0 && before[r] != k {
			c.Changed++
			c.Change += p.Requests[r].Change
		}
	}
}

// rests returns the seconds of the breaks of a shift with more than one: they cost as much as waiting.
func (p *Problem) rests(k int, t *Timetable) int64 {
	if !p.Shifts[k].rests() {
		return 0
	}
	return restsAfter(t.Breaks, t.Leaves)
}
