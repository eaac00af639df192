package main

import (
	"fmt"

	"waybill/bench/planning/days"
)

// The price of a vehicle when plans with different numbers of them are
// compared, and of another driver, in the problem's units: the first is about
// half of what a vehicle drives, the second is the time of a visit.
const (
	priceOfVehicle = 100
	priceOfChange  = 10
)

// tenth is the result for a published problem of which a tenth arrived late.
type tenth struct {
	name   string
	orders int
	// free is without a price of change, priced with one.
	free, priced days.Arrival
}

func (t tenth) String() string {
	return fmt.Sprintf("%-12s %4d orders: inserted %+6.2f %%, improved %+6.2f %% (%+d vehicles, %2.0f %% changed); "+
		"with a price of change %+6.2f %% (%+d vehicles, %2.0f %% changed)",
		t.name, t.orders, t.free.Inserted, t.free.Above, t.free.Shifts, t.free.Changed,
		t.priced.Above, t.priced.Shifts, t.priced.Changed)
}

// late plans the problem's orders except the last tenth for some processor
// seconds, adds that tenth and improves for one second.
func (in *instance) late(orders int, fresh float64) (tenth, error) {
	p := in.problem(false)
	if orders > 0 && orders < len(p.Requests) {
		p.Requests = p.Requests[:orders]
	}
	p.Objective.Shift = int64(priceOfVehicle * in.scale)
	ahead, err := days.NewTenth(p, fresh)
	if err != nil {
		return tenth{}, fmt.Errorf("plan %s: %w", in.name, err)
	}
	out := tenth{name: in.name, orders: len(p.Requests)}
	if out.free, err = ahead.Arrive(1, 0); err != nil {
		return tenth{}, fmt.Errorf("plan %s: %w", in.name, err)
	}
	if out.priced, err = ahead.Arrive(1, int64(priceOfChange*in.scale)); err != nil {
		return tenth{}, fmt.Errorf("plan %s: %w", in.name, err)
	}
	return out, nil
}

// tenths adds up how many problems were planned, and their means.
type tenths struct {
	planned                        int
	inserted, free, priced, change float64
}

func (s *tenths) add(t tenth) {
	s.planned++
	s.inserted += t.free.Inserted
	s.free += t.free.Above
	s.priced += t.priced.Above
	s.change += t.priced.Changed
}

func (s tenths) String() string {
	n := float64(max(1, s.planned))
	return fmt.Sprintf("%d problems, a tenth late: inserted %+.2f %%, improved for a second %+.2f %%; "+
		"with a price of change %+.2f %%, %.1f %% changed", s.planned, s.inserted/n, s.free/n, s.priced/n, s.change/n)
}
