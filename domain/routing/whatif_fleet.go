package routing

import "slices"

// extraShift adds a shift like one that may serve the request, with the hours that the
// request needs. When none may, because nobody has the skills or the vehicle type, the
// extra shift has them. When none works at these hours, it may work at others.
func (e *Explainer) extraShift(request int, within *Bounds) (WhatIf, bool) {
	if e.m.halved(int32(request)) || len(e.p.Requests[request].Only) > 0 {
		return WhatIf{}, false
	}
	models := e.models(request)
	for _, k := range models {
		if what, ok := e.extraLike(k, request, within, false); ok {
			return what, true
		}
	}
	for _, k := range models {
		if within == nil {
			break
		}
		if what, ok := e.extraLike(k, request, within, true); ok {
			return what, true
		}
	}
	return WhatIf{}, false
}

// extraLike adds a shift like another one, with its hours or with others.
func (e *Explainer) extraLike(k, request int, within *Bounds, others bool) (WhatIf, bool) {
	p, plan := e.extended(k, request)
	extra, visits := len(p.Shifts)-1, []Visit{PickupOf(request), DeliveryOf(request)}
	shift := &p.Shifts[extra]
	if others {
		shift.Start, shift.End, shift.Break = within.ExtraFrom, within.ExtraUntil, Break{}
		shift.Breaks = nil
	}
	t := p.Timetable(extra, visits)
	lasts := t.Ends - t.Leaves
	code, _ := overload(p.Requests[request].Load, shift.Capacity)
	more, _ := p.moreOverload(extra, request)
	switch {
	case code != "" || more != "" || !t.Holds:
		return WhatIf{}, false
	case within != nil && (t.Driving > within.ExtraDriving || lasts > within.ExtraLasts):
		return WhatIf{}, false
	case others && lasts > within.ExtraUnpaused:
		return WhatIf{}, false
	}
	plan.Routes[extra] = visits
	hours := func() { shift.Start, shift.End = t.Leaves, t.Ends }
	if others {
		hours()
	}
	what := WhatIf{Change: ExtraShift, Shift: k, From: t.Leaves, Until: t.Ends, Serves: e.serves(p, plan)}
	hours()
	what.Problem, what.Plan = p, plan
	return what, true
}

// models returns the shifts that an extra one for a request may be like: those that may
// serve it, or else all.
func (e *Explainer) models(request int) []int {
	var able, all []int
	for k := range e.p.Shifts {
		if all = append(all, k); e.m.allowed.has(request, k) {
			able = append(able, k)
		}
	}
	if len(able) > 0 {
		return able
	}
	return all
}

func including(all []int, one int) []int {
	if one == 0 || slices.Contains(all, one) {
		return all
	}
	return append(slices.Clone(all), one)
}

// extended returns the problem and the plan with a shift more, like one that
// has nothing on board and nothing frozen, with what the request asks for.
func (e *Explainer) extended(like, request int) (*Problem, Plan) {
	p, asks := *e.p, &e.p.Requests[request]
	shift := p.Shifts[like]
	shift.OnBoard, shift.Frozen, shift.Owed, shift.Held, shift.Rested = nil, nil, nil, 0, Rested{}
	shift.Balance.Seconds, shift.Balance.Orders = 0, 0
	shift.Serves = including(shift.Serves, asks.VehicleType)
	for _, skill := range asks.Needs {
		shift.Skills = including(shift.Skills, skill)
	}
	refused := func(skill int) bool { return slices.Contains(asks.Refuses, skill) }
	shift.Skills = slices.DeleteFunc(slices.Clone(shift.Skills), refused)
	p.Shifts = append(slices.Clone(p.Shifts), shift)
	p.Requests = slices.Clone(p.Requests)
	for r := range p.Requests {
		// Whom one shift is forbidden, another like it may have.
		if r != request && slices.Contains(p.Requests[r].Never, like) {
			p.Requests[r].Never = append(slices.Clone(p.Requests[r].Never), len(p.Shifts)-1)
		}
		if all := p.Requests[r].Surcharges; len(all) > 0 {
			p.Requests[r].Surcharges = append(slices.Clone(all), all[like])
		}
	}
	plan := e.plan.Clone()
	plan.Routes = append(plan.Routes, nil)
	return &p, plan
}

// serves counts the unplanned requests that an extra shift serves.
func (e *Explainer) serves(p *Problem, plan Plan) int {
	only, extra := *p, len(p.Shifts)-1
	only.Requests = slices.Clone(p.Requests)
	served := 1
	for _, r := range plan.Unplanned(len(p.Requests)) {
		if len(only.Requests[r].Only) > 0 {
			continue
		}
		only.Requests[r].Only = []int{extra}
		if next, ok := Insert(&only, plan, r); ok {
			plan = next
			served++
		}
	}
	return served
}

// mostVehicles is for how many shifts another vehicle is tried.
const mostVehicles = 3

// otherVehicle gives a shift a vehicle of the type that the request asks for, where only
// that is missing. It has the capacity of the shift's own.
func (e *Explainer) otherVehicle(request int, _ *Bounds) (WhatIf, bool) {
	tried := 0
	for k := range e.p.Shifts {
		if code, _ := e.p.refusal(k, request, e.m.begun.shift[request]); code != WrongVehicleType {
			continue
		}
		if tried++; tried > mostVehicles {
			break
		}
		p := *e.p
		p.Shifts = slices.Clone(p.Shifts)
		p.Shifts[k].Serves = including(p.Shifts[k].Serves, p.Requests[request].VehicleType)
		if plan, ok := Insert(&p, e.plan, request); ok {
			return WhatIf{Change: OtherVehicle, Shift: k, Problem: &p, Plan: plan}, true
		}
	}
	return WhatIf{}, false
}

// mostParts is in how many requests a load is divided at most.
const mostParts = 3

// split divides the load of a request that fits in no vehicle, or in none with the rest of
// its route. Colli stay whole, so there are at most as many parts.
func (e *Explainer) split(request int, _ *Bounds) (WhatIf, bool) {
	if e.m.halved(int32(request)) || !e.overloads(request) {
		return WhatIf{}, false
	}
	load := e.p.Requests[request].Load
	most := min(mostParts, int(load[colli]))
	if load[colli] == 0 && len(e.p.Requests[request].More) > 0 {
		most = mostParts // it has no goods that are known
	}
	for parts := 2; parts <= most; parts++ {
		p := *e.p
		p.Requests = slices.Clone(p.Requests)
		for i := range load {
			p.Requests[request].Load[i] = (load[i] + int32(parts) - 1) / int32(parts)
		}
		p.Requests[request].More = slices.Clone(e.p.Requests[request].More)
		for i, amount := range p.Requests[request].More {
			p.Requests[request].More[i] = (amount + int32(parts) - 1) / int32(parts)
		}
		plan, ok := Insert(&p, e.plan, request)
		for n := 1; ok && n < parts; n++ {
			p.Requests = append(p.Requests, p.Requests[request])
			plan, ok = Insert(&p, plan, len(p.Requests)-1)
		}
		if ok {
			return WhatIf{Change: SplitRequest, Parts: parts, Problem: &p, Plan: plan}, true
		}
	}
	return WhatIf{}, false
}

// colli is the dimension that counts what cannot be divided.
const colli = Dimensions - 1

// overloads reports whether it is the load for which a shift refuses the request.
func (e *Explainer) overloads(request int) bool {
	for k := range e.p.Shifts {
		refusal := e.Refusal(k, request)
		if slices.Contains(tooMuch[:], refusal.Code) || slices.Contains(moreTooMuch[:], refusal.Code) ||
			refusal.Full == Overloaded {
			return true
		}
	}
	return false
}
