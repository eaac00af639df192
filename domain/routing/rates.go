package routing

import (
	"fmt"
	"slices"
)

// Rates are the prices of a route.
type Rates struct {
	// Second and Meter are the prices of driving, where a setup costs as much as driving for as long.
	Second, Meter int64
	// Waiting is that of a second in which the driver is idle despite leaving as late as possible, and of
	// one of a break of a shift with more than one. Service is that of a second of service.
	Waiting, Service int64
}

// Overtime is how many seconds later than its end a shift may end, and the price of each.
type Overtime struct{ Seconds, Price int64 }

// Surcharge is what a request costs with a shift, whatever its route: Preference because another one is
// preferred, and Territory because of visits outside the territory of the shift.
type Surcharge struct{ Preference, Territory int64 }

func (r *Rates) way(seconds, meters int64) int64 { return r.Second*seconds + r.Meter*meters }

// Rates returns the prices of a shift's route.
func (p *Problem) Rates(k int) Rates {
	if own := p.Shifts[k].Rates; own != nil {
		return *own
	}
	o := p.Objective
	return Rates{Second: o.Second, Meter: o.Meter, Waiting: o.Waiting}
}

// Surcharge returns what a request costs with a shift, whatever its route.
func (r *Request) Surcharge(k int) int64 {
	if len(r.Surcharges) == 0 {
		return 0
	}
	return r.Surcharges[k].Preference + r.Surcharges[k].Territory
}

// ends returns when a shift must be over at the latest.
func (s *Shift) ends() int64 { return s.End + s.Overtime.Seconds }

// tariff is what the arithmetic of a place in a route depends on, beside the route: the matrix, the prices, and how the
// shift makes visits.
type tariff struct {
	profile int
	rates   Rates
	manner  manner
}

// tariff returns the number of a shift's tariff.
func (m *model) tariff(k int) int {
	of := tariff{m.p.Shifts[k].Profile, m.p.Rates(k), m.p.Shifts[k].manner()}
	if n := slices.Index(m.tariffs, of); n >= 0 {
		return n
	}
	m.tariffs = append(m.tariffs, of)
	return len(m.tariffs) - 1
}

// dear adds to the cost of a measured route what depends on the prices of its shift alone.
func (b *bounds) dear(r *route) {
	if b.rates.Service > 0 {
		for i := range r.spots {
			r.cost += b.rates.Service * int64(r.spots[i].service)
		}
	}
	if b.overtime.Price > 0 {
		r.cost += b.overtime.Price * max(0, r.ends-b.regular)
	}
}

// whole reports whether a shift has a price that is only known when its whole route is.
func (b *bounds) whole() bool {
	return b.overtime.Price > 0 || b.balance.Hour > 0 || b.makesDetours() || b.busy != nil
}

// overtime returns the seconds for which a run lasts longer than its shift.
func (d *drive) overtime(run *driven) int64 {
	if len(d.visits) == 0 {
		return 0
	}
	return max(0, run.ends-d.p.Shifts[d.k].End)
}

// Limits of prices that keep every sum within 64 bits.
const (
	maxRate        = 1 << 18
	maxPriceOfLate = 1 << 20
)

func (p *Problem) validateRates() error {
	for k := range p.Shifts {
		s := &p.Shifts[k]
		r := p.Rates(k)
		for _, rate := range []int64{r.Second, r.Meter, r.Waiting, r.Service} {
			if rate < 0 || rate > maxRate {
				return fmt.Errorf("shift %d: rate %d is out of range", k, rate)
			}
		}
		if r.Second != r.Waiting && p.busy(k) != nil {
			return fmt.Errorf("shift %d: in traffic, a second of driving must cost as much as one of waiting", k)
		}
		if s.Fee < 0 || s.Fee > FewestShifts || s.Overtime.Price < 0 || s.Overtime.Price > maxPriceOfLate ||
			s.Overtime.Seconds < 0 || s.Overtime.Seconds > MaxTime-s.End {
			return fmt.Errorf("shift %d: the fee or the overtime is out of range", k)
		}
		if err := s.Balance.validate(); err != nil {
			return fmt.Errorf("shift %d: %w", k, err)
		}
	}
	for r := range p.Requests {
		surcharges := p.Requests[r].Surcharges
		if len(surcharges) != 0 && len(surcharges) != len(p.Shifts) {
			return fmt.Errorf("request %d: %d surcharges for %d shifts", r, len(surcharges), len(p.Shifts))
		}
		for _, s := range surcharges {
			if s.Preference < 0 || s.Preference > maxChange || s.Territory < 0 || s.Territory > maxChange {
				return fmt.Errorf("request %d: a surcharge is out of range", r)
			}
		}
	}
	return nil
}
