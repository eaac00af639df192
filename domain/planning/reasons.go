package planning

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync"
	"time"

	"waybill/domain/routing"
)

// Reasons caches why the orders of an area are unplanned, by order and driver,
// while neither the order nor the driver's route changes. Finding them takes
// longer than most slices.
type Reasons struct {
	mu     sync.Mutex
	orders map[int64]*remembered
	// Asked counts the computed, rather than cached, answers.
	Asked int
	// Budget is how long a solution may look for reasons of unplanned orders;
	// zero is mostExplaining.
	Budget time.Duration
}

// mostExplaining bounds the time that a solution spends on reasons for unplanned orders. After
// half of it, proofs that no driver can carry out an order are skipped. The next solution
// continues.
const mostExplaining = time.Second

// remembered has the known reasons of one order.
type remembered struct {
	general  routing.Code
	of       uint64 // input of general
	refusals map[int64]refused
	proven   map[uint64]bool
}

// refused is a driver's refusal, with its input.
type refused struct {
	of      uint64
	refusal routing.Refusal
}

// NewReasons returns empty reasons.
func NewReasons() *Reasons { return &Reasons{orders: map[int64]*remembered{}} }

// waits reports whether a plan has left an order over.
func (r *Reasons) waits(id int64) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.orders[id] != nil
}

// why explains all requests that a plan leaves out, using remembered answers where
// possible.
func (d *Draft) why(plan routing.Plan) []routing.Why {
	left := plan.Unplanned(len(d.Orders))
	d.Unexplained = map[int64]bool{}
	reasons := d.Reasons
	if reasons == nil {
		reasons = NewReasons()
	}
	reasons.mu.Lock()
	defer reasons.mu.Unlock()
	if len(left) == 0 {
		clear(reasons.orders)
		return nil
	}
	a := asker{d: d, plan: plan, reasons: reasons, began: time.Now()}
	a.versions()
	kept, all := make(map[int64]*remembered, len(left)), make([]routing.Why, 0, len(left))
	for _, r := range left {
		id := d.Orders[r]
		known := reasons.orders[id]
		if known == nil {
			known = &remembered{}
		}
		all, kept[id] = append(all, a.ask(r, known)), known
	}
	reasons.orders = kept
	return all
}

// asker gets unknown answers from an explainer.
type asker struct {
	d         *Draft
	plan      routing.Plan
	reasons   *Reasons
	explainer *routing.Explainer
	began     time.Time
	// asked is true once an answer was not cached.
	asked bool
	// shifts are the versions of the shifts without a route, routes with theirs.
	shifts, routes []uint64
}

func (a *asker) explain() *routing.Explainer {
	if a.explainer == nil {
		a.explainer = routing.NewExplainer(&a.d.Problem, a.plan)
	}
	a.reasons.Asked++
	a.asked = true
	return a.explainer
}

// spent reports whether the time for questions is used up. One is always answered.
func (a *asker) spent() bool {
	return a.asked && time.Since(a.began) > a.budget()
}

func (a *asker) budget() time.Duration { return cmp.Or(a.reasons.Budget, mostExplaining) }

// ask answers for one request.
func (a *asker) ask(r int, known *remembered) routing.Why {
	request := a.request(r)
	legs := a.legs(r)
	if of := mix(request, legs, uint64(min(len(a.shifts), 1))); of != known.of || known.refusals == nil {
		*known = remembered{of: of, general: a.explain().General(r), refusals: map[int64]refused{}}
	}
	w := routing.Why{Request: r, General: known.general, Proven: known.general != ""}
	if !w.AsksShifts() {
		return w
	}
	refusals, proof := make(map[int64]refused, len(a.shifts)), mix(request, legs)
	for k, driver := range a.d.Drivers {
		of := mix(request, legs, a.routes[k])
		was, same := known.refusals[driver]
		if !same || was.of != of {
			if a.spent() {
				a.d.Unexplained[a.d.Orders[r]] = true
				continue
			}
			was = refused{of: of, refusal: a.explain().Refusal(k, r)}
		}
		was.refusal.Shift = k
		refusals[driver], w.Shifts = was, append(w.Shifts, was.refusal)
		proof = mix(proof, uint64(driver), a.shifts[k])
	}
	known.refusals = refusals
	if a.d.Unexplained[a.d.Orders[r]] {
		return w
	}
	w.Proven = w.Proven || a.proven(r, &w, known, proof)
	return w
}

func (a *asker) proven(r int, w *routing.Why, known *remembered, of uint64) bool {
	for i := range w.Shifts {
		if !w.Shifts[i].Alone {
			return false
		}
	}
	proven, asked := known.proven[of]
	if asked {
		return proven
	}
	if time.Since(a.began) > a.budget()/2 {
		return false
	}
	proven = a.explain().Proven(w.Shifts, r)
	known.proven = map[uint64]bool{of: proven}
	return proven
}

// seed is that of all versions in this process.
var seed = maphash.MakeSeed()

// mix makes one version of many.
func mix(numbers ...uint64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var buffer [8]byte
	for _, n := range numbers {
		binary.LittleEndian.PutUint64(buffer[:], n)
		_, _ = h.Write(buffer[:])
	}
	return h.Sum64()
}

// versions computes those of the shifts and of their routes.
func (a *asker) versions() {
	p := &a.d.Problem
	apart, dimensions, rush := apartOf(p), a.d.dimensionsOf(), a.d.rushVersion()
	for k := range p.Shifts {
		s := &p.Shifts[k]
		of := []uint64{
			apart, dimensions, rush,
			a.place(s.From), a.place(s.To), uint64(s.Start), uint64(s.End), uint64(s.Overtime.Seconds), uint64(s.ExtraSetup),
			maphash.String(seed, string(a.d.Profiles[s.Profile])), math.Float64bits(a.d.paces[s.Profile]),
			uint64(s.VisitPercent),
			uint64(
				s.Break.Earliest,
			), uint64(s.Break.Latest), uint64(s.Break.Seconds), uint64(s.MaxSeconds), uint64(s.MaxMeters),
			uint64(s.MaxStops), uint64(s.MaxDriving), uint64(s.Rule.Most), uint64(s.Rule.Break), uint64(s.Rule.First),
			uint64(s.Rule.Second), uint64(s.Rested.Driven), uint64(truth(s.Rested.First)),
		}
		for _, amount := range s.Capacity {
			of = append(of, uint64(amount))
		}
		for _, b := range s.Breaks {
			of = append(of, uint64(b.Earliest), uint64(b.Latest), uint64(b.Seconds), a.place(b.Place()))
		}
		of = append(of, a.place(s.Break.Place()))
		of = append(of, amounts(s.More), all(s.Serves), all(s.Skills), uint64(s.Held))
		for _, r := range s.OnBoard {
			of = append(of, a.request(r))
		}
		of = append(of, a.visits(s.Profile, s.From, s.Frozen), a.visits(s.Profile, s.From, s.Owed))
		a.shifts = append(a.shifts, mix(of...))
		a.routes = append(a.routes, mix(a.shifts[k], a.visits(s.Profile, s.From, a.plan.Routes[k])))
	}
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

// visits are those of a route, with the ways between them.
func (a *asker) visits(profile, from int, visits []routing.Visit) uint64 {
	of, travel := make([]uint64, 0, 3*len(visits)), &a.d.Problem.Travel[profile]
	for _, v := range visits {
		request := &a.d.Problem.Requests[v.Request()]
		to := request.Pickup.Place
		if v.Delivers() {
			to = request.Delivery.Place
		}
		of = append(of, uint64(v&1), a.request(v.Request()), leg(travel.Leg(from, to)))
		from = to
	}
	return mix(of...)
}

func leg(l routing.Leg) uint64 { return uint64(l.Seconds)<<32 | uint64(uint32(l.Meters)) }

// legs hashes the legs of a request with each shift. They also change when travel
// times become known.
func (a *asker) legs(r int) uint64 {
	p := &a.d.Problem
	from, to := p.Requests[r].Pickup.Place, p.Requests[r].Delivery.Place
	var of []uint64
	for _, travel := range p.Travel {
		of = append(of, leg(travel.Leg(from, to)))
	}
	for k := range p.Shifts {
		s := &p.Shifts[k]
		travel := &p.Travel[s.Profile]
		of = append(of, leg(travel.Leg(s.From, from)), leg(travel.Leg(to, s.To)))
	}
	return mix(of...)
}

// request is the version of a request.
func (a *asker) request(r int) uint64 {
	q := &a.d.Problem.Requests[r]
	of := []uint64{
		uint64(a.d.Orders[r]),
		uint64(q.VehicleType),
		all(q.Needs),
		all(q.Refuses),
		all(q.Goods),
		uint64(q.MaxAboard),
		amounts(q.More),
		a.drivers(q.Only),
		a.drivers(q.Never),
	}
	for _, amount := range q.Load {
		of = append(of, uint64(amount))
	}
	for _, stop := range []*routing.Stop{&q.Pickup, &q.Delivery} {
		of = append(of, a.place(stop.Place), uint64(stop.Opens), uint64(stop.Closes), uint64(stop.ServiceSeconds))
		of = append(of, uint64(stop.LatePrice), uint64(stop.Due))
		for _, closed := range stop.Closed {
			of = append(of, uint64(closed.From), uint64(closed.Until))
		}
	}
	return mix(of...)
}

// apartOf is the version of the goods that must be apart.
func apartOf(p *routing.Problem) uint64 {
	var of []uint64
	for _, x := range p.Apart {
		aboard := uint64(0)
		if x.Aboard {
			aboard = 1
		}
		of = append(of, uint64(x.One), uint64(x.Other), aboard)
	}
	return mix(of...)
}

func (a *asker) drivers(shifts []int) uint64 {
	of := make([]uint64, len(shifts))
	for i, k := range shifts {
		of[i] = uint64(a.d.Drivers[k])
	}
	return mix(of...)
}

func all(numbers []int) uint64 {
	of := make([]uint64, len(numbers))
	for i, n := range numbers {
		of[i] = uint64(n)
	}
	return mix(of...)
}

func amounts(more []int32) uint64 {
	of := make([]uint64, len(more))
	for i, n := range more {
		of[i] = uint64(n)
	}
	return mix(of...)
}

func text(of string) uint64 { return maphash.String(seed, of) }

// place hashes the location of a place, independent of its number.
func (a *asker) place(n int) uint64 {
	if n == routing.Anywhere {
		return 0
	}
	p := a.d.Points[n]
	return mix(math.Float64bits(p.Latitude), math.Float64bits(p.Longitude))
}
