// Package days measures planning on generated days: one more order, a tenth
// more, and the time to check a plan.
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

// Budget is a number of processor seconds from now on.
func Budget(seconds float64) func(int) float64 {
	start := Processor()
	return func(int) float64 { return (Processor() - start).Seconds() / seconds }
}

// made returns a generated day, one of many with n orders.
func made(orders, day int) *routing.Problem {
	return routingtest.Day(rand.New(rand.NewPCG(uint64(orders+1000*day), 5)), orders, max(4, orders/8))
}

func improve(p *routing.Problem, plan routing.Plan, spent func(int) float64) (routing.Result, error) {
	result, err := routing.Improve(p, plan, routing.Options{Seed: 1, Spent: spent})
	if err != nil {
		return result, err
	}
	if broken := routing.Broken(p, result.Plan); len(broken) > 0 {
		return result, fmt.Errorf("the plan does not hold: %v", broken[0])
	}
	return result, nil
}

// tries is how often each order is placed; the fastest counts, because nothing
// interrupted it.
const tries = 5

// Insertion is the time to place one order in a plan of n, at the 99th
// percentile of the orders, in milliseconds.
func Insertion(orders int) (float64, error) {
	p := made(orders, 0)
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

// Memory is the growth of the largest heap while a plan of n orders is
// improved, in MiB.
func Memory(orders, iterations int) (float64, error) {
	p := made(orders, 0)
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

// Reasons is the average time to explain why an order is unplanned, in
// milliseconds, on a day with n orders and a third of its shifts.
func Reasons(orders int) (float64, error) {
	p := made(orders, 0)
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
