package routing

import "math/big"

// Terms are what a route costs, by what for, in the units of the objective.
type Terms struct {
	// Shift is the price of using the shift.
	Shift int64
	// Driving, Setup, Service and Waiting are those of the seconds of each, where breaks of a shift with
	// more than one are waiting, and Distance is that of the meters.
	Driving, Setup, Service, Waiting, Distance int64
	// Overtime is that of the seconds after the end of the shift, Lateness that of visits after they are due.
	Overtime, Lateness int64
	// Balance is that of the squares of hours and orders.
	Balance int64
	// Change, Preference and Territory are those of the requests with this shift.
	Change, Preference, Territory int64
}

// Total returns the sum of the terms.
func (t *Terms) Total() int64 {
	return t.Shift + t.Driving + t.Setup + t.Service + t.Waiting + t.Distance + t.Overtime + t.Lateness +
		t.Balance + t.Change + t.Preference + t.Territory
}

// Bill is what a plan costs. It is the same sum as the total of Price, which the search makes small.
type Bill struct {
	// Routes has the terms of each shift.
	Routes []Terms
	// Left is the sum of the penalties of the requests that are left out.
	Left int64
}

// Total returns the sum of all terms.
func (b *Bill) Total() int64 {
	sum := b.Left
	for k := range b.Routes {
		sum += b.Routes[k].Total()
	}
	return sum
}

// Charge prices a plan that can be driven, by the clock of Check: it shares no rule and no arithmetic with
// the search, or with Price. The shifts of the plan are those of the problem.
func Charge(p *Problem, plan Plan) Bill {
	b := Bill{Routes: make([]Terms, len(plan.Routes))}
	planned := make([]bool, len(p.Requests))
	was := holdersBefore(p)
	for k, route := range plan.Routes {
		b.Routes[k] = charge(p, k, route, was)
		for _, v := range route {
			if v.Delivers() {
				planned[v.Request()] = true
			}
		}
	}
	for r := range p.Requests {
		if !planned[r] {
			b.Left += p.Requests[r].Penalty
		}
	}
	return b
}

// ChargeRoute is Charge for the route of one shift.
func ChargeRoute(p *Problem, k int, route []Visit) Terms {
	return charge(p, k, route, holdersBefore(p))
}

// holdersBefore are the shifts of the requests in the announced plan, from 1 on; 0 is none.
func holdersBefore(p *Problem) []int {
	was := make([]int, len(p.Requests))
	for k, route := range p.Before.Routes {
		for _, v := range route {
			if v.Delivers() && v.Request() < len(was) {
				was[v.Request()] = k + 1
			}
		}
	}
	return was
}

func charge(p *Problem, k int, route []Visit, was []int) (t Terms) {
	t.drive(p, k, route)
	for _, v := range route {
		r := v.Request()
		if !v.Delivers() {
			continue
		}
		request := &p.Requests[r]
		if was[r] != 0 && was[r] != k+1 {
			t.Change += request.Change
		}
		if len(request.Surcharges) > 0 {
			t.Preference += request.Surcharges[k].Preference
			t.Territory += request.Surcharges[k].Territory
		}
	}
	return t
}

// drive sets the terms of the way and the times of a route.
func (t *Terms) drive(p *Problem, k int, route []Visit) {
	if len(route) == 0 {
		return
	}
	shift := &p.Shifts[k]
	second, meter, idle, serving := p.Objective.Second, p.Objective.Meter, p.Objective.Waiting, int64(0)
	if own := shift.Rates; own != nil {
		second, meter, idle, serving = own.Second, own.Meter, own.Waiting, own.Service
	}
	run := newClock(p, k, route).best(true)
	served := int64(0)
	for i := range run.left {
		served += run.left[i] - run.starts[i]
	}
	stood := served
	if shift.Rule.Most == 0 && len(shift.Breaks) == 0 && shift.Break.At == 0 { // the only break anywhere costs nothing
		stood = run.stood
	}
	t.Shift = p.Objective.Shift + shift.Fee
	t.Driving, t.Setup, t.Distance = second*(run.driving+run.jam), second*run.setup, meter*run.meters
	t.Service, t.Waiting = serving*served, idle*(run.ends-run.leaves-run.driving-run.jam-run.setup-stood)
	t.Lateness = run.fine
	if run.ends > shift.End {
		t.Overtime = shift.Overtime.Price * (run.ends - shift.End)
	}
	t.balance(&shift.Balance, run.ends-run.leaves, route)
}

// balance sets the term of the squares. What was before has been paid for.
func (t *Terms) balance(of *Balance, lasts int64, route []Visit) {
	orders := of.Orders
	for _, v := range route {
		if v.Delivers() {
			orders++
		}
	}
	t.Balance = of.Order * (orders*orders - of.Orders*of.Orders)
	t.Balance += squareHours(of.Hour, of.Seconds+lasts) - squareHours(of.Hour, of.Seconds)
}

// squareHours returns what the square of hours costs at a price, rounded down. Nobody works longer than 2²¹ seconds.
func squareHours(price, seconds int64) int64 {
	worked := big.NewInt(min(seconds, 1<<21))
	cost := new(big.Int).Mul(worked, worked)
	cost.Mul(cost, big.NewInt(price))
	return cost.Div(cost, big.NewInt(60*60*60*60)).Int64()
}
