package main

import (
	"fmt"

	"waybill/bench/planning/days"
)

// measureDays prints what days that are made up take; fresh is how many
// processor seconds a plan from nothing has.
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
		for _, change := range []int64{0, days.DefaultChange} {
			a, err := days.Arrive(orders, 1, fresh, change)
			if err != nil {
				return err
			}
			fmt.Printf("%d orders, a tenth new, price of change %d: %+v\n", orders, change, a)
		}
	}
	return nil
}
