package main

import (
	"context"
	"fmt"

	"waybill/bench/planning/days"
)

// What planning a day may take.
const (
	insertionTarget = 1   // ms
	reasonsTarget   = 1   // ms
	planningMemory  = 100 // MiB
	changedTarget   = 10  // percent of the known orders
	changeTarget    = 2   // percent of the way
)

// arrivals are the allowed costs of a plan to which a tenth of its orders was
// added, compared with one made from scratch, by the number of orders.
var arrivals = []struct {
	orders int
	target float64
}{{100, 0.5}, {200, 1}}

// arrivalDays is the number of days of each size: plans differ by a shift from
// run to run, which is a percent by itself.
const arrivalDays = 3

// measurePlanning measures the route optimizer by itself, on generated days; it
// needs no server.
func measurePlanning(_ context.Context, s *site) ([]result, error) {
	orders, seconds, fresh := 500, 1.0, 20.0
	if s.sizes == small {
		orders, seconds, fresh = 100, 0.2, 0.5
	}
	insertion, err := days.Insertion(orders)
	if err != nil {
		return nil, err
	}
	reasons, err := days.Reasons(orders)
	if err != nil {
		return nil, err
	}
	memory, err := days.Memory(orders, 3000)
	if err != nil {
		return nil, err
	}
	results := []result{
		within(insertionTarget, fmt.Sprintf("one order into a plan of %d, p99", orders), "ms", insertion),
		within(reasonsTarget, fmt.Sprintf("why one of %d orders is left over", orders), "ms", reasons),
		within(planningMemory, fmt.Sprintf("memory of planning %d orders", orders), "MiB", memory),
	}
	arrived, err := measureArrivals(seconds, fresh)
	return append(results, arrived...), err
}

// measureArrivals adds a tenth of the orders of some days at once, and returns
// the means.
func measureArrivals(seconds, fresh float64) ([]result, error) {
	var results []result
	for _, size := range arrivals {
		var above, changed, pricedAbove float64
		for day := range arrivalDays {
			tenth, err := days.MadeUp(size.orders, day, fresh)
			if err != nil {
				return nil, err
			}
			free, err := tenth.Arrive(seconds, 0)
			if err != nil {
				return nil, err
			}
			priced, err := tenth.Arrive(seconds, days.DefaultChange)
			if err != nil {
				return nil, err
			}
			above += free.Above / arrivalDays
			changed += priced.Changed / arrivalDays
			pricedAbove += priced.Above / arrivalDays
		}
		name := fmt.Sprintf("a tenth new of %d orders: ", size.orders)
		results = append(results,
			within(size.target, name+"way above that of a fresh plan", "%", above),
			within(changedTarget, name+"known ones that change driver at the default price", "%", changed),
			within(changeTarget, name+"way above that of a fresh plan then", "%", pricedAbove))
	}
	return results, nil
}
