package routing

import "slices"

// Explainer explains why requests are not in a plan. It caches results, so use
// one for all questions about a plan.
type Explainer struct {
	p      *Problem
	plan   Plan
	m      *model
	routes []*route
	paths  paths
}

// NewExplainer returns an explainer for a valid problem and a plan that Check
// accepts; neither may change while it is used.
func NewExplainer(p *Problem, plan Plan) *Explainer {
	e := &Explainer{p: p, plan: plan, m: newModel(p), paths: paths{p: p, known: map[path][]int64{}}}
	e.m.layOut()
	e.routes = make([]*route, len(p.Shifts))
	for k := range p.Shifts {
		e.routes[k] = e.m.routeOf(k, plan.Routes[k])
	}
	return e
}

// Why is why a request is not planned.
type Why struct {
	Request int
	// General is a reason that applies to all shifts; empty when it depends on
	// the shift.
	General Code
	// Proven is true if no plan at all can serve the request, so that no search
	// would have helped. Otherwise none was found.
	Proven bool
	// Shifts has one reason for each shift.
	Shifts []Refusal
}

// Refusal is the first reason for which a shift does not serve a request.
type Refusal struct {
	Shift int
	// Code is empty if the request fits the present route.
	Code Code
	// By is the seconds, the amount, the metres or the skill that the code speaks of.
	By int64
	// Alone is true if the shift could not serve the request even with only its
	// frozen visits.
	Alone bool
	// Full is what a full route exceeds: Late, Overloaded, TooManyStops, DrivingTooLong or GoodsApart.
	Full Code
	// Lacked is the code of the further dimension of which the route has too little room, if that is what
	// Overloaded means.
	Lacked Code
}

// Why returns the reasons for one request.
func (e *Explainer) Why(request int) Why {
	w := Why{Request: request, General: e.General(request)}
	w.Proven = w.General != ""
	if !w.AsksShifts() {
		return w
	}
	for k := range e.p.Shifts {
		w.Shifts = append(w.Shifts, e.Refusal(k, request))
	}
	w.Proven = w.Proven || e.Proven(w.Shifts, request)
	return w
}

// HasPlace reports whether a shift has a place for the request in its present
// route: then the plan is incomplete.
func (w *Why) HasPlace() bool {
	return w.General == "" && slices.ContainsFunc(w.Shifts, func(r Refusal) bool { return r.Code == "" })
}

// AsksShifts reports whether general reasons leave a question to the shifts.
func (w *Why) AsksShifts() bool { return w.General != NoPlace && w.General != NoShift }

// Proven reports whether no plan can serve a request that all shifts refuse. It
// looks for the shortest ways, which takes time.
func (e *Explainer) Proven(refusals []Refusal, request int) bool {
	for _, refusal := range refusals {
		if !refusal.Alone {
			return false
		}
	}
	for _, refusal := range refusals {
		if !e.provenFor(refusal.Shift, request) {
			return false
		}
	}
	return true
}

// General returns a reason that applies to all shifts; empty when it depends on the
// shift.
func (e *Explainer) General(r int) Code {
	request := &e.p.Requests[r]
	switch {
	case e.m.nowhere(r):
		return NoPlace
	case len(e.p.Shifts) == 0:
		return NoShift
	case e.m.halved(int32(r)):
		return ""
	}
	leaves := request.Pickup.Opens + e.p.quickest(e.leastService(&request.Pickup))
	if request.Pickup.Site != request.Delivery.Site {
		leaves += e.p.quickest(e.p.setup(request.Delivery.Site))
	}
	for profile := range e.p.Travel {
		way := e.p.Travel[profile].Leg(request.Pickup.Place, request.Delivery.Place)
		if leaves+int64(way.Seconds) <= request.Delivery.Closes {
			return ""
		}
	}
	for profile := range e.p.Travel {
		way := e.paths.seconds(profile, request.Pickup.Place, request.Delivery.Place)
		if leaves+way <= request.Delivery.Closes {
			return ""
		}
	}
	return WindowsContradict
}

// leastService returns how long a pickup takes at least: no time where a vehicle is loaded
// before its shift.
func (e *Explainer) leastService(pickup *Stop) int64 {
	for k := range e.p.Shifts {
		if loading := e.p.Shifts[k].Loading; loading.Site != 0 && loading.Site == pickup.Site {
			return 0
		}
	}
	return pickup.ServiceSeconds
}

// Refusal asks one shift.
func (e *Explainer) Refusal(k, r int) Refusal {
	refusal := Refusal{Shift: k, Alone: true}
	if refusal.Code, refusal.By = e.p.refusal(k, r, e.m.begun.shift[r]); refusal.Code != "" {
		return refusal
	}
	if refusal.Code, refusal.By = e.alone(k, r); refusal.Code != "" {
		return refusal
	}
	refusal.Alone = false
	if e.fits(k, r, e.routes[k]) {
		return refusal
	}
	refusal.Code = e.inTheWay(k, r)
	refusal.Full, refusal.Lacked = e.lacks(k, r)
	return refusal
}

// alone returns the violation if a shift makes its frozen visits and then the
// request's, with nothing else on board.
func (e *Explainer) alone(k, r int) (code Code, by int64) {
	request, shift := &e.p.Requests[r], &e.p.Shifts[k]
	visits := append([]Visit(nil), shift.Frozen...)
	end := e.m.shifts[k].end
	if !e.m.halved(int32(r)) {
		if code, by := outside(&request.Pickup, shift.Start, end, PickupOutsideShift); code != "" {
			return code, by
		}
		visits = append(visits, PickupOf(r))
	}
	if code, by := outside(&request.Delivery, shift.Start, end, DeliveryOutsideShift); code != "" {
		return code, by
	}
	_, run := e.p.settle(k, append(visits, DeliveryOf(r)))
	return run.late, run.lateBy
}

// outside compares a window with the hours of a shift.
func outside(stop *Stop, start, end int64, code Code) (outside Code, by int64) {
	if stop.Closes < start {
		return code, start - stop.Closes
	}
	if stop.Opens > end {
		return code, stop.Opens - end
	}
	return "", 0
}

// fits reports whether a request has a place in a route.
func (e *Explainer) fits(k, r int, in *route) bool {
	f := finder{m: e.m, exact: true}
	a := e.m.ask(int32(r), k)
	return f.find(k, in, a).cost < nowhere
}

// inTheWay returns which part of the route leaves no capacity: the load on
// board, additionally the visits locked to the shift, or everything.
func (e *Explainer) inTheWay(k, r int) Code {
	frozen := len(e.p.Shifts[k].Frozen)
	part := func(stays func(other int) bool) *route {
		visits := append([]Visit(nil), e.plan.Routes[k][:frozen]...)
		for _, v := range e.plan.Routes[k][frozen:] {
			if stays(v.Request()) {
				visits = append(visits, v)
			}
		}
		return e.m.routeOf(k, visits)
	}
	begun := func(other int) bool { return e.m.begun.shift[other] >= 0 }
	if !e.fits(k, r, part(begun)) {
		return FrozenInTheWay
	}
	locked := func(other int) bool { return begun(other) || len(e.p.Requests[other].Only) > 0 }
	if !e.fits(k, r, part(locked)) {
		return LockedInTheWay
	}
	return ShiftFull
}

// lacks returns what a full route lacks: capacity, stops, driving time, or time if the request has
// no place even without the others; or that it has goods that must be apart.
func (e *Explainer) lacks(k, r int) (code, dimension Code) {
	a := *e.m.ask(int32(r), k)
	if s := e.m.strict; s != nil && s.goods != nil && e.fitsBy(&strict{timed: s.timed, more: s.more}, k, &a) {
		return GoodsApart, ""
	}
	if dimension = e.lackedDimension(k, &a); dimension != "" {
		return Overloaded, dimension
	}
	a.load = Load{}
	if s := e.m.strict; s != nil && e.fitsBy(&strict{timed: s.timed, goods: s.goods}, k, &a) ||
		s == nil && e.fitsBy(nil, k, &a) {
		return Overloaded, ""
	}
	return e.limitInTheWay(k, r), ""
}

// lackedDimension returns the code of the further dimension without which a request would have a place in
// a route, or none.
func (e *Explainer) lackedDimension(k int, a *ask) Code {
	s := e.m.strict
	if s == nil || s.more == nil {
		return ""
	}
	for d := range e.p.More {
		more := *s.more
		if more.free = d + 1; e.fitsBy(&strict{timed: s.timed, goods: s.goods, more: &more}, k, a) {
			return moreTooMuch[d]
		}
	}
	return ""
}

// fitsBy reports whether a request has a place in a route by some of the strict rules.
func (e *Explainer) fitsBy(rules *strict, k int, a *ask) bool {
	m := *e.m
	m.strict = rules
	f := finder{m: &m, exact: true}
	return f.find(k, e.routes[k], a).cost < nowhere
}
