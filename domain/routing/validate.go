package routing

import (
	"errors"
	"fmt"
)

// Limits of a problem that keep every sum within 64 bits.
const (
	maxRequests = 10_000
	maxShifts   = 2_000
	maxPlaces   = 25_000
	maxLoad     = 1 << 30
	maxPrice    = 1 << 61
	maxChange   = 1 << 40
)

// Validate returns why a problem is invalid: numbers out of range, or impossible
// visits. A valid problem may still have requests that no shift can serve.
func (p *Problem) Validate() error {
	if len(p.Requests) > maxRequests || len(p.Shifts) > maxShifts {
		return fmt.Errorf("%d requests and %d shifts are too many", len(p.Requests), len(p.Shifts))
	}
	if err := p.Objective.validate(); err != nil {
		return err
	}
	for i, travel := range p.Travel {
		if err := travel.validate(); err != nil {
			return fmt.Errorf("matrix %d: %w", i, err)
		}
		if err := travel.validateTraffic(); err != nil {
			return fmt.Errorf("matrix %d: %w", i, err)
		}
		if travel.Places != p.Travel[0].Places {
			return fmt.Errorf("matrix %d has %d places, the first %d", i, travel.Places, p.Travel[0].Places)
		}
	}
	if err := p.validateRequests(); err != nil {
		return err
	}
	if err := p.validateSites(); err != nil {
		return err
	}
	for k := range p.Shifts {
		if err := p.validateShift(&p.Shifts[k]); err != nil {
			return fmt.Errorf("shift %d: %w", k, err)
		}
	}
	if err := p.validateRates(); err != nil {
		return err
	}
	if err := p.validateGoods(); err != nil {
		return err
	}
	if err := p.validateMore(); err != nil {
		return err
	}
	return p.validateBegun()
}

func (o Objective) validate() error {
	for _, weight := range []int64{o.Second, o.Meter, o.Waiting} {
		if weight < 0 || weight > maxRate {
			return fmt.Errorf("weight %d is out of range", weight)
		}
	}
	if o.Shift < 0 || o.Shift > FewestShifts {
		return fmt.Errorf("price %d of a shift is out of range", o.Shift)
	}
	return nil
}

func (t Travel) validate() error {
	if t.Places < 0 || t.Places > maxPlaces || len(t.Legs) != t.row()*t.row() {
		return fmt.Errorf("%d legs for %d places", len(t.Legs), t.Places)
	}
	if t.side > 0 { // Roads have no others
		return nil
	}
	for _, leg := range t.Legs {
		if leg.Seconds < 0 || leg.Meters < 0 {
			return errors.New("a leg is negative")
		}
	}
	return nil
}

func (p *Problem) places() int {
	if len(p.Travel) == 0 {
		return 0
	}
	return p.Travel[0].Places
}

func (p *Problem) validateRequests() error {
	penalties := int64(0)
	for r := range p.Requests {
		request := &p.Requests[r]
		for _, stop := range []*Stop{&request.Pickup, &request.Delivery} {
			if err := stop.validate(p.places()); err != nil {
				return fmt.Errorf("request %d: %w", r, err)
			}
		}
		if err := request.Load.validate(); err != nil {
			return fmt.Errorf("request %d: %w", r, err)
		}
		if request.Penalty < 0 || request.Penalty > maxPrice || request.Change < 0 || request.Change > maxChange {
			return fmt.Errorf("request %d: a price is out of range", r)
		}
		if request.MaxAboard < 0 || request.MaxAboard > MaxTime {
			return fmt.Errorf("request %d: %d seconds on board are out of range", r, request.MaxAboard)
		}
		penalties += request.Penalty
		if penalties > maxPrice {
			return errors.New("the penalties are too large together")
		}
	}
	return nil
}

func (s *Stop) validate(places int) error {
	if s.Place < Anywhere || s.Place >= places {
		return fmt.Errorf("place %d does not exist", s.Place)
	}
	for _, t := range []int64{s.Opens, s.Closes, s.ServiceSeconds} {
		if t < 0 || t > MaxTime {
			return fmt.Errorf("time %d is out of range", t)
		}
	}
	if s.LatePrice < 0 || s.LatePrice > maxPriceOfLate || s.Due < 0 || s.Due > MaxTime {
		return fmt.Errorf("price %d of lateness after %d is out of range", s.LatePrice, s.Due)
	}
	return s.validateClosed()
}

// validateSites checks that sites exist, and that each is at one place.
func (p *Problem) validateSites() error {
	for _, seconds := range p.Setups {
		if seconds < 0 || seconds > MaxTime {
			return fmt.Errorf("setup of %d seconds is out of range", seconds)
		}
	}
	places := make([]int, len(p.Setups)) // from 1 on
	for r := range p.Requests {
		for _, stop := range []*Stop{&p.Requests[r].Pickup, &p.Requests[r].Delivery} {
			if stop.Site == 0 {
				continue
			}
			if !p.hasSite(stop.Site) {
				return fmt.Errorf("request %d: site %d does not exist", r, stop.Site)
			}
			if at := &places[stop.Site]; *at != 0 && *at != stop.Place+1 {
				return fmt.Errorf("request %d: site %d is at place %d and at place %d", r, stop.Site, *at-1, stop.Place)
			}
			places[stop.Site] = stop.Place + 1
		}
	}
	return nil
}

// hasSite reports whether there is a site; 0 is none, which any problem has.
func (p *Problem) hasSite(site int) bool { return site == 0 || site > 0 && site < len(p.Setups) }

func (l Load) validate() error {
	for _, amount := range l {
		if amount < 0 || amount > maxLoad {
			return fmt.Errorf("load %d is out of range", amount)
		}
	}
	return nil
}

func (p *Problem) validateShift(s *Shift) error {
	if s.Profile < 0 || s.Profile >= len(p.Travel) {
		return fmt.Errorf("profile %d does not exist", s.Profile)
	}
	for _, place := range []int{s.From, s.To} {
		if place < Anywhere || place >= p.places() {
			return fmt.Errorf("place %d does not exist", place)
		}
	}
	if !p.hasSite(s.Site) || !p.hasSite(s.Loading.Site) {
		return fmt.Errorf("site %d or %d does not exist", s.Site, s.Loading.Site)
	}
	for _, t := range []int64{
		s.Start, s.End, s.Break.Earliest, s.Break.Latest, s.Break.Seconds, s.Loading.Seconds, s.ExtraSetup,
	} {
		if t < 0 || t > MaxTime {
			return fmt.Errorf("time %d is out of range", t)
		}
	}
	if s.Break.Earliest > s.Break.Latest {
		return errors.New("the latest start of the break is before the earliest")
	}
	if err := s.validateRests(p.places()); err != nil {
		return err
	}
	if s.VisitPercent != 0 && (s.VisitPercent < leastPercent || s.VisitPercent > mostPercent) {
		return fmt.Errorf("visits that take %d percent are out of range", s.VisitPercent)
	}
	if s.Held < 0 || s.Held > len(s.Frozen) {
		return fmt.Errorf("%d of %d frozen visits cannot be held", s.Held, len(s.Frozen))
	}
	if s.MaxSeconds < 0 || s.MaxMeters < 0 || s.MaxDriving < 0 || s.MaxStops < NoStops {
		return errors.New("the longest route is negative")
	}
	return s.Capacity.validate()
}

// validateBegun checks the load on board and the frozen visits: each request
// belongs to one shift, and is picked up once before it is delivered.
func (p *Problem) validateBegun() error {
	owner := make([]int, len(p.Requests)) // the shift that has begun it, from 1 on
	delivered := make([]bool, len(p.Requests))
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		var load [Dimensions]int64
		for _, r := range shift.OnBoard {
			if r < 0 || r >= len(p.Requests) || owner[r] != 0 {
				return fmt.Errorf("shift %d: request %d cannot be on board", k, r)
			}
			owner[r] = k + 1
			add(&load, p.Requests[r].Load)
		}
		for _, v := range shift.Frozen {
			r := v.Request()
			if v < 0 || r >= len(p.Requests) || p.stop(v).Place == Anywhere {
				return fmt.Errorf("shift %d: visit %d cannot be frozen", k, v)
			}
			if !v.Delivers() && owner[r] == 0 {
				owner[r] = k + 1
				add(&load, p.Requests[r].Load)
				continue
			}
			if !v.Delivers() || owner[r] != k+1 || delivered[r] {
				return fmt.Errorf("shift %d: visit %d is out of order", k, v)
			}
			delivered[r] = true
		}
		for _, amount := range load {
			if amount > maxLoad {
				return fmt.Errorf("shift %d: too much is on board", k)
			}
		}
		if err := p.validateOwed(k, owner, delivered); err != nil {
			return err
		}
	}
	return nil
}

// validateOwed checks a shift's owed visits: each occurs once, and a delivery only
// after its pickup or with an owed one.
func (p *Problem) validateOwed(k int, owner []int, delivered []bool) error {
	for _, v := range p.Shifts[k].Owed {
		r := v.Request()
		switch {
		case v < 0 || r >= len(p.Requests) || p.stop(v).Place == Anywhere:
			return fmt.Errorf("shift %d: visit %d cannot be owed", k, v)
		case !v.Delivers() && owner[r] == 0:
			owner[r] = k + 1
		case !v.Delivers() || owner[r] != k+1 || delivered[r]:
			return fmt.Errorf("shift %d: visit %d is owed out of order", k, v)
		default:
			delivered[r] = true
		}
	}
	return nil
}

func add(sum *[Dimensions]int64, load Load) {
	for d, amount := range load {
		sum[d] += int64(amount)
	}
}
