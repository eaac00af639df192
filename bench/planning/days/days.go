// Package days measures the planning of days that are made up: one order more,
// a tenth more, and what it takes to hold a plan.
package days

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// Processor returns the processor time that this process has used: seconds of
// the clock mean little while the machine has other work.
func Processor() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it cannot fail for the process itself
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Budget is so many processor seconds from now on.
func Budget(seconds float64) func(int) float64 {
	start := Processor()
	return func(int) float64 { return (Processor() - start).Seconds() / seconds }
}

func day(orders int) *routing.Problem {
	return routingtest.Day(rand.New(rand.NewPCG(uint64(orders), 5)), orders, max(4, orders/8))
}

func improve(p *routing.Problem, plan routing.Plan, spent func(int) float64) (routing.Result, error) {
	result, err := routing.Improve(p, plan, routing.Options{Seed: 1, Spent: spent})
	if err != nil {
		return result, err
	}
	if broken := routing.Check(p, result.Plan); len(broken) > 0 {
		return result, fmt.Errorf("the plan does not hold: %v", broken[0])
	}
	return result, nil
}

// tries is how often each order is placed; the quickest counts, since nothing
// interrupted it.
const tries = 5

// Insertion is how long it takes to place one order in a plan of so many, at
// the 99th percentile of the orders, in milliseconds.
func Insertion(orders int) (float64, error) {
	p := day(orders)
	result, err := improve(p, routing.Frozen(p), routing.Iterations(4*orders))
	if err != nil {
		return 0, err
	}
	took := make([]float64, len(p.Requests))
	for r := range p.Requests {
		plan := without(result.Plan, r)
		took[r] = math.Inf(1)
		for range tries {
			start := time.Now()
			routing.Insert(p, plan, r)
			took[r] = min(took[r], float64(time.Since(start).Nanoseconds())/1e6)
		}
	}
	slices.Sort(took)
	return took[len(took)*99/100], nil
}

func without(plan routing.Plan, request int) routing.Plan {
	out := routing.Plan{Routes: slices.Clone(plan.Routes)}
	for k, route := range plan.Routes {
		if slices.Contains(route, routing.DeliveryOf(request)) {
			out.Routes[k] = slices.DeleteFunc(slices.Clone(route), func(v routing.Visit) bool { return v.Request() == request })
		}
	}
	return out
}

// Memory is the largest heap while a plan of so many orders is improved, more
// than before, in MiB.
func Memory(orders, iterations int) (float64, error) {
	p := day(orders)
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapInuse
	}
	runtime.GC()
	before, peak := heap(), uint64(0)
	_, err := routing.Improve(p, routing.Frozen(p), routing.Options{
		Seed: 1, Spent: routing.Iterations(iterations), Report: func(routing.Progress) { peak = max(peak, heap()) },
	})
	return float64(max(peak, before)-before) / (1 << 20), err
}

// halfAnHour is the price of a shift where plans of different numbers of shifts
// are compared.
const halfAnHour = 180_000

// DefaultChange is the price of another driver: ten minutes, in hundredths of a
// second.
const DefaultChange = 60_000

// Reasons is how long it takes to say why an order is left over, in milliseconds
// on average, on a day with so many orders and a third of its shifts.
func Reasons(orders int) (float64, error) {
	p := day(orders)
	p.Shifts = p.Shifts[:max(1, len(p.Shifts)/3)]
	for r := range p.Requests {
		p.Requests[r].Only, p.Requests[r].Never = nil, nil
	}
	result, err := improve(p, routing.Frozen(p), routing.Iterations(orders))
	if err != nil {
		return 0, err
	}
	left := result.Plan.Unplanned(orders)
	if len(left) == 0 {
		return 0, errors.New("nothing is left over")
	}
	explainer := routing.NewExplainer(p, result.Plan)
	start := time.Now()
	for _, r := range left {
		explainer.Why(r)
	}
	return float64(time.Since(start).Nanoseconds()) / 1e6 / float64(len(left)), nil
}

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

// Arrive plans nine tenths of so many orders, lets the rest come, and improves
// for some seconds; fresh is how long the plan from nothing takes. Change is
// the price of another driver, in hundredths of a second.
func Arrive(orders int, seconds, fresh float64, change int64) (Arrival, error) {
	p := day(orders)
	p.Objective.Shift = halfAnHour
	for r := range p.Requests {
		p.Requests[r].Change = change
	}
	fresher, err := improve(p, routing.Frozen(p), Budget(fresh))
	if err != nil {
		return Arrival{}, err
	}
	newcomer := func(r int) bool { return r%10 == 3 }
	fewer := routingtest.Hide(p, newcomer)
	known, err := improve(fewer, routing.Frozen(p), Budget(fresh))
	if err != nil {
		return Arrival{}, err
	}
	p.Before = known.Plan
	plan := known.Plan
	for r := range p.Requests {
		if newcomer(r) {
			plan, _ = routing.Insert(p, plan, r)
		}
	}
	inserted := routing.Price(p, plan)
	improved, err := improve(p, plan, Budget(seconds))
	if err != nil {
		return Arrival{}, err
	}
	above := func(c routing.Cost) float64 { return 100 * (way(p, c)/way(p, fresher.Cost) - 1) }
	return Arrival{
		Inserted: above(inserted), Above: above(improved.Cost),
		Changed: 100 * float64(improved.Cost.Changed) / float64(orders-orders/10),
		Left:    improved.Cost.Left - fresher.Cost.Left,
		Shifts:  improved.Cost.Shifts - fresher.Cost.Shifts,
	}, nil
}

// way is what shifts, driving and waiting cost.
func way(p *routing.Problem, c routing.Cost) float64 {
	o := p.Objective
	return float64(int64(c.Shifts)*o.Shift + o.Second*c.Driving + o.Meter*c.Meters + o.Waiting*c.Waiting)
}
