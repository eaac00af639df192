package main

import (
	"fmt"

	"waybill/bench/planning/days"
)

// madeUp is the number of generated days of each size.
const madeUp = 6

// measureDays prints the times for generated days; fresh is how many processor
// seconds a plan from scratch gets.
func measureDays(fresh float64) error {
	insertion, err := days.Insertion(500)
	if err != nil {
		return err
	}
	fmt.Printf("one order into a plan of 500, p99: %.3f ms\n", insertion)
	reasons, err := days.Reasons(500)
	if err != nil {
		return err
	}
	fmt.Printf("why one of 500 orders is left over: %.3f ms\n", reasons)
	memory, err := days.Memory(500, 3000)
	if err != nil {
		return err
	}
	fmt.Printf("memory of a plan of 500: %.1f MiB\n", memory)
	for _, orders := range []int{100, 200} {
		for day := range madeUp {
			tenth, err := days.MadeUp(orders, day, fresh)
			if err != nil {
				return err
			}
			for _, change := range []int64{0, days.DefaultChange} {
				a, err := tenth.Arrive(1, change)
				if err != nil {
					return err
				}
				fmt.Printf("%d orders, day %d, a tenth new, price of change %d: %+v\n", orders, day, change, a)
			}
		}
	}
	return nil
}
