package routing

// prices are the search's internal prices; the objective's own would never
// let it leave out a request, even temporarily.
type prices struct {
	// shift is the price of a used shift; zero while their number is bounded.
	shift int64
	// opening is the price of using another shift.
	opening int64
	// unplanned is the price of each request.
	unplanned []int64
	// weights are the relative weights of requests.
	weights []int64
	// base is the price of the least request when the search begins.
	base int64
	p    *Problem
}

// maxWeightOfRequest keeps important requests from freezing the search.
const maxWeightOfRequest = 64

// dearerThanAnyWay is the price of opening a shift only where nothing else helps.
const dearerThanAnyWay = FewestShifts

func newPrices(p *Problem, movable []int32) prices {
	prices := prices{
		shift: p.Objective.Shift, opening: p.Objective.Shift, p: p,
		unplanned: make([]int64, len(p.Requests)), weights: make([]int64, len(p.Requests)),
	}
	if p.Objective.fewestFirst() {
		prices.shift, prices.opening = 0, dearerThanAnyWay
	}
	least := int64(0)
	for _, q := range movable {
		if penalty := p.Requests[q].Penalty; penalty > 0 && (least == 0 || penalty < least) {
			least = penalty
		}
	}
	for _, q := range movable {
		prices.weights[q] = min(maxWeightOfRequest, p.Requests[q].Penalty/max(1, least))
	}
	return prices
}

// set makes base the price of the least request; none costs more than in truth.
func (x *prices) set(base int64) {
	x.base = min(base, FewestShifts)
	for q, weight := range x.weights {
		x.unplanned[q] = min(x.base*weight, x.p.Requests[q].Penalty)
	}
}

// raise makes those that are left out dearer by a share of the price of the least.
func (x *prices) raise(absent []int32, share float64) {
	for _, q := range absent {
		more := int64(share*float64(x.base))*x.weights[q] + 1
		x.unplanned[q] = min(x.unplanned[q]+more, x.p.Requests[q].Penalty)
	}
}

// lower brings all prices nearer to where they began.
func (x *prices) lower() {
	for q, weight := range x.weights {
		least := min(x.base*weight, x.p.Requests[q].Penalty)
		x.unplanned[q] -= (x.unplanned[q] - least) / 8
	}
}

func (x *prices) of(absent []int32) int64 {
	sum := int64(0)
	for _, q := range absent {
		sum += x.unplanned[q]
	}
	return sum
}
