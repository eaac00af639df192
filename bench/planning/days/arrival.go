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

// Arrival is what became of a plan to which a tenth of its orders came at once.
type Arrival struct {
	// Above is how much more shifts and way cost than in a plan made from nothing
	// in much more time, in percent, after insertion alone and after improving.
	Inserted, Above float64
	// Changed is the share of known orders that got another driver, in percent.
	Changed float64
	// Left counts orders that are left over, beside the plan from nothing.
	Left int
	// Shifts counts shifts more than in the plan from nothing.
	Shifts int
}

// Tenth is a day whose orders are all there but a tenth: those come at once.
type Tenth struct {
	p *routing.Problem
	// whole is a plan of all orders, made from nothing; known is one without the
	// newcomers.
	whole, known routing.Result
}

// MadeUp is NewTenth of one of many days that are made up, with a shift at half
// an hour.
func MadeUp(orders, day int, fresh float64) (*Tenth, error) {
	p := made(orders, day)
	p.Objective.Shift = halfAnHour
	return NewTenth(p, fresh)
}

// NewTenth plans a problem's orders, and all but a tenth of them, each for so
// many processor seconds.
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

// Arrive lets the newcomers come and improves for some processor seconds. Change
// is the price of another driver, in the units of the problem.
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

// way is what shifts, driving and waiting cost.
func way(p *routing.Problem, c routing.Cost) float64 {
	o := p.Objective
	return float64(int64(c.Shifts)*o.Shift + o.Second*c.Driving + o.Meter*c.Meters + o.Waiting*c.Waiting)
}
