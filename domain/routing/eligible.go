package routing

import "slices"

// Begun is the progress of requests independent of any plan.
type begun struct {
	// shift has picked the request up, or will with a frozen visit, or is -1.
	shift []int
	// frozen is true if the request's delivery is frozen, too.
	frozen []bool
	// owed is the shift that must serve it, or -1.
	owed []int
}

func (p *Problem) begun() begun {
	n := len(p.Requests)
	b := begun{shift: make([]int, n), frozen: make([]bool, n), owed: make([]int, n)}
	for r := range b.shift {
		b.shift[r], b.owed[r] = -1, -1
	}
	for k := range p.Shifts {
		for _, r := range p.Shifts[k].OnBoard {
			b.shift[r] = k
		}
		for _, v := range p.Shifts[k].Frozen {
			b.shift[v.Request()] = k
			b.frozen[v.Request()] = b.frozen[v.Request()] || v.Delivers()
		}
		for _, v := range p.Shifts[k].Owed {
			b.owed[v.Request()] = k
		}
	}
	return b
}

// refusal returns the first reason why a shift must not have a request,
// independent of time and of the rest of the plan; detail is the skill, or
// the excess load. A shift may finish requests that it has begun.
func (p *Problem) refusal(k, r int, holder int) (code Code, detail int64) {
	shift, request := &p.Shifts[k], &p.Requests[r]
	switch {
	case holder == k:
		return "", 0
	case holder >= 0:
		return OnBoardElsewhere, 0
	case len(request.Only) > 0 && !slices.Contains(request.Only, k):
		return LockedToAnotherShift, 0
	case slices.Contains(request.Never, k):
		return ProhibitedShift, 0
	case request.VehicleType != 0 && !slices.Contains(shift.Serves, request.VehicleType):
		return WrongVehicleType, 0
	}
	for _, skill := range request.Needs {
		if !slices.Contains(shift.Skills, skill) {
			return SkillMissing, int64(skill)
		}
	}
	for _, skill := range request.Refuses {
		if slices.Contains(shift.Skills, skill) {
			return SkillProhibited, int64(skill)
		}
	}
	if code, detail := overload(request.Load, shift.Capacity); code != "" {
		return code, detail
	}
	return p.moreOverload(k, r)
}

// Allows reports whether a shift may have an open request, independent of time and of
// the rest of the plan.
func (p *Problem) Allows(shift, request int) bool {
	code, _ := p.refusal(shift, request, -1)
	return code == ""
}

func overload(load, capacity Load) (code Code, detail int64) {
	for d, amount := range load {
		if amount > capacity[d] {
			return tooMuch[d], int64(amount) - int64(capacity[d])
		}
	}
	return "", 0
}
