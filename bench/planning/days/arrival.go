package days

import (
	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// halfAnHour is the price of a shift where plans of different numbers of shifts
// are compared.
const halfAnHour = 180_000

// DefaultChange is the price of another driver: ten minutes, in hundredths of a
// second.
const DefaultChange = 60_000

// Arrival is the result for a plan to which a tenth of its orders was added at
// once.
type Arrival struct {
	// Above is the additional cost of shifts and distance compared with a plan
	// made from scratch in much more time, in percent, after insertion alone
	// and after improving.
	Inserted, Above float64
	// Changed is the share of known orders that got another driver, in percent.
	Changed float64
	// Left counts additional unplanned orders, compared with the plan from
	// scratch.
	Left int
	// Shifts counts additional shifts, compared with the plan from scratch.
	Shifts int
}

// Tenth is a day of which a tenth of the orders arrives at once.
type Tenth struct {
	p *routing.Problem
	// whole is a plan of all orders, made from scratch; known is one without
	// the new ones.
	whole, known routing.Result
}

// MadeUp is NewTenth of one of many days that are made up, with a shift at half
// an hour.
func MadeUp(orders, day int, fresh float64) (*Tenth, error) {
	p := made(orders, day)
	p.Objective.Shift = halfAnHour
	return NewTenth(p, fresh)
}

// NewTenth plans a problem's orders, and all but a tenth of them, each for some
// processor seconds.
func NewTenth(p *routing.Problem, fresh float64) (*Tenth, error) {
	whole, err := improve(p, routing.Frozen(p), Budget(fresh))
	if err != nil {
		return nil, err
	}
	known, err := improve(routingtest.Hide(p, newcomer), routing.Frozen(p), Budget(fresh))
	if err != nil {
		return nil, err
	}
	return &Tenth{p: p, whole: whole, known: known}, nil
}

// newcomer is true of one order in ten.
func newcomer(request int) bool { return request%10 == 3 }

// Arrive adds the new orders and improves for some processor seconds. change is
// the price of another driver, in the units of the problem.
func (t *Tenth) Arrive(seconds float64, change int64) (Arrival, error) {
	p, plan := t.p, t.known.Plan
	p.Before = plan
	orders := 0
	for r := range p.Requests {
		p.Requests[r].Change = change
		if newcomer(r) {
			plan, _ = routing.Insert(p, plan, r)
		} else {
			orders++
		}
	}
	inserted := routing.Price(p, plan)
	improved, err := improve(p, plan, Budget(seconds))
	if err != nil {
		return Arrival{}, err
	}
	above := func(c routing.Cost) float64 { return 100 * (way(p, c)/way(p, t.whole.Cost) - 1) }
	return Arrival{
		Inserted: above(inserted), Above: above(improved.Cost),
		Changed: 100 * float64(improved.Cost.Changed) / float64(orders),
		Left:    improved.Cost.Left - t.whole.Cost.Left,
		Shifts:  improved.Cost.Shifts - t.whole.Cost.Shifts,
	}, nil
}

// way is the cost of shifts, driving and waiting.
func way(p *routing.Problem, c routing.Cost) float64 {
	o := p.Objective
	return float64(int64(c.Shifts)*o.Shift + o.Second*c.Driving + o.Meter*c.Meters + o.Waiting*c.Waiting)
}
