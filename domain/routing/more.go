package routing

import "fmt"

// MostMore is how many dimensions of loads a problem may have in addition to those that all
// problems have.
const MostMore = 5

// moreTooMuch are the codes for a request that is more than a shift holds, by dimension.
var moreTooMuch = [MostMore]Code{"TOO_MUCH_4", "TOO_MUCH_5", "TOO_MUCH_6", "TOO_MUCH_7", "TOO_MUCH_8"}

// MoreTooMuch returns which of the further dimensions a code speaks of.
func MoreTooMuch(code Code) (dimension int, is bool) {
	for d, c := range moreTooMuch {
		if c == code {
			return d, true
		}
	}
	return 0, false
}

func (p *Problem) validateMore() error {
	if p.More < 0 || p.More > MostMore {
		return fmt.Errorf("%d further dimensions are too many", p.More)
	}
	check := func(what string, n int, amounts []int32) error {
		if len(amounts) > p.More {
			return fmt.Errorf("%s %d has %d of %d further dimensions", what, n, len(amounts), p.More)
		}
		for _, amount := range amounts {
			if amount < 0 || amount > maxLoad {
				return fmt.Errorf("%s %d: load %d is out of range", what, n, amount)
			}
		}
		return nil
	}
	for r := range p.Requests {
		if err := check("request", r, p.Requests[r].More); err != nil {
			return err
		}
	}
	for k := range p.Shifts {
		if err := check("shift", k, p.Shifts[k].More); err != nil {
			return err
		}
	}
	return nil
}

// at returns the amount in a dimension, 0 where none is said.
func at(amounts []int32, d int) int32 {
	if d < len(amounts) {
		return amounts[d]
	}
	return 0
}

// moreOverload returns by how much a request is more than a shift holds in a further
// dimension.
func (p *Problem) moreOverload(k, r int) (code Code, detail int64) {
	for d := range p.More {
		if over := int64(at(p.Requests[r].More, d)) - int64(at(p.Shifts[k].More, d)); over > 0 {
			return moreTooMuch[d], over
		}
	}
	return "", 0
}

// moreLoads are the loads of requests in further dimensions.
type moreLoads struct {
	// loaded are the requests that have any.
	loaded []bool
	// free is a dimension, from 1 on, in which anything fits; 0 is none.
	free int
}

// moreLoads returns the loads in further dimensions, or nil if there are none.
func (p *Problem) moreLoads() *moreLoads {
	more := &moreLoads{loaded: make([]bool, len(p.Requests))}
	some := false
	for r := range p.Requests {
		for _, amount := range p.Requests[r].More {
			more.loaded[r] = more.loaded[r] || amount > 0
		}
		some = some || more.loaded[r]
	}
	if !some {
		return nil
	}
	return more
}

// allow reports whether no pickup exceeds what a shift holds.
func (l *moreLoads) allow(m *model, k int, r *route) bool {
	shift := &m.p.Shifts[k]
	for d := range m.p.More {
		if d+1 == l.free {
			continue
		}
		load, capacity := int64(0), int64(at(shift.More, d))
		for _, q := range shift.OnBoard {
			load += int64(at(m.p.Requests[q].More, d))
		}
		for i := 1; i < len(r.spots)-1; i++ {
			q := r.spots[i].visit >> 1
			if !l.loaded[q] {
				continue
			}
			amount := int64(at(m.p.Requests[q].More, d))
			if r.spots[i].visit&1 == 1 {
				amount = -amount
			}
			if load += amount; amount > 0 && load > capacity && i >= m.shifts[k].first {
				return false
			}
		}
	}
	return true
}
