package planning

import (
	"math"
	"slices"

	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/routing"
)

// LoadInWhy is the load dimension in which vehicles don't hold an order.
type LoadInWhy struct {
	Dimension string `json:"dimension"`
	Unit      string `json:"unit"`
	// Needs is how much the order needs, and Holds how much the vehicle holds that holds the most.
	Needs float64 `json:"needs"`
	Holds float64 `json:"holds"`
}

// RouteLoad is the maximum load of a route in a load dimension.
type RouteLoad struct {
	Dimension string  `json:"dimension"`
	Unit      string  `json:"unit"`
	Amount    float64 `json:"amount"`
	// Max is how much the vehicle holds, nil for any amount.
	Max *float64 `json:"max"`
}

// inThousandths is how amounts of load dimensions are counted in a problem.
const inThousandths = 1000

// countLoads finds the load dimensions in which any order of the day needs something. A problem
// has no others.
func (d *Draft) countLoads() {
	for _, dimension := range d.day.LoadDimensions {
		needed := func(o Order) bool {
			amount, _ := o.Loads.Of(dimension.Name)
			return amount > 0
		}
		if slices.ContainsFunc(d.day.Orders, needed) {
			d.dimensions = append(d.dimensions, dimension)
		}
	}
	d.Problem.More = len(d.dimensions)
}

// needs are the amounts of an order in the dimensions of the problem, rounded up.
func (d *Draft) needs(o *Order) []int32 {
	if len(o.Loads) == 0 || len(d.dimensions) == 0 {
		return nil
	}
	amounts := make([]int32, len(d.dimensions))
	for i, dimension := range d.dimensions {
		amount, _ := o.Loads.Of(dimension.Name)
		amounts[i] = whole(amount * inThousandths)
	}
	return amounts
}

// room is what a vehicle holds in the dimensions of the problem, rounded down, after what it has on
// board in any case.
func (d *Draft) room(v *Vehicle, ballast load.Amounts) []int32 {
	if len(d.dimensions) == 0 {
		return nil
	}
	amounts := make([]int32, len(d.dimensions))
	for i, dimension := range d.dimensions {
		amounts[i] = unlimited
		if most, limited := v.MaxLoads.Of(dimension.Name); limited {
			aboard, _ := ballast.Of(dimension.Name)
			amounts[i] = max(int32(math.Floor(most*inThousandths+1e-6))-whole(aboard*inThousandths), 0)
		}
	}
	return amounts
}

// absurdly reports whether an order needs more of a load dimension than any vehicle holds.
func (o *Order) absurdly() bool {
	return slices.ContainsFunc(o.Loads, func(a load.Amount) bool { return whole(a.Amount*inThousandths) >= unlimited })
}

// lightenMore is lighten for the load dimensions.
func (d *Draft) lightenMore(begun []int) {
	for i := range d.dimensions {
		sum := int64(0)
		for _, r := range begun {
			sum += int64(amountOf(d.Problem.Requests[r].More, i))
		}
		for _, r := range begun {
			if amounts := d.Problem.Requests[r].More; sum > mostBegun && amounts != nil {
				amounts[i] = min(amounts[i], mostBegun/int32(len(begun)))
			}
		}
	}
}

func amountOf(amounts []int32, i int) int32 {
	if i < len(amounts) {
		return amounts[i]
	}
	return 0
}

// loadsOf returns the maximum loads of a route in the dimensions of the day.
func (d *Draft) loadsOf(r *Route, v *Vehicle) []RouteLoad {
	var loads []RouteLoad
	for _, dimension := range d.day.LoadDimensions {
		aboard, most := 0.0, 0.0
		for i := range r.Stops {
			o := d.orders[r.Stops[i].OrderID]
			if o == nil { // it is not of this day any more
				continue
			}
			amount, _ := o.Loads.Of(dimension.Name)
			if r.Stops[i].Kind == order.Delivery {
				amount = -amount
			}
			aboard += amount
			most = max(most, aboard)
		}
		at := RouteLoad{Dimension: dimension.Name, Unit: dimension.Counted(), Amount: rounded(most)}
		if held, limited := v.MaxLoads.Of(dimension.Name); limited {
			at.Max = &held
		}
		loads = append(loads, at)
	}
	return loads
}

// rounded takes the noise of sums away.
func rounded(amount float64) float64 { return math.Round(amount*inThousandths) / inThousandths }

// loadInWhy says of a request and a shift what a dimension of the problem has to do with it.
func (d *Draft) loadInWhy(dimension, request, shift int) *LoadInWhy {
	of := d.dimensions[dimension]
	amount, _ := d.orders[d.Orders[request]].Loads.Of(of.Name)
	held, _ := d.driver(shift).Vehicle.MaxLoads.Of(of.Name)
	return &LoadInWhy{Dimension: of.Name, Unit: of.Counted(), Needs: rounded(amount), Holds: held}
}

// same reports whether two reasons speak of the same dimension, or both of none.
func (l *LoadInWhy) same(other *LoadInWhy) bool {
	return (l == nil) == (other == nil) && (l == nil || l.Dimension == other.Dimension)
}

// dividedFor returns the dimension in which no vehicle holds a request, or nil.
func (d *Draft) dividedFor(request int) *LoadInWhy {
	if len(d.Problem.Shifts) == 0 {
		return nil
	}
	for i := range d.dimensions {
		best := 0
		for k := range d.Problem.Shifts {
			if amountOf(d.Problem.Shifts[k].More, i) > amountOf(d.Problem.Shifts[best].More, i) {
				best = k
			}
		}
		if amountOf(d.Problem.Requests[request].More, i) > amountOf(d.Problem.Shifts[best].More, i) {
			return d.loadInWhy(i, request, best)
		}
	}
	return nil
}

// exceeds reports whether an order needs more than a vehicle holds in a load dimension.
func (v *Vehicle) exceeds(o *Order) bool { return !o.Loads.Fit(v.MaxLoads) }

// dimensionsOf is the version of the load dimensions.
func (d *Draft) dimensionsOf() uint64 {
	of := make([]uint64, len(d.dimensions))
	for i, dimension := range d.dimensions {
		of[i] = text(dimension.Name)
	}
	return mix(of...)
}

// lackedLoad names the dimension of which a route has too little room, if that is known.
func (d *Draft) lackedLoad(request int, refusal *routing.Refusal) *LoadInWhy {
	if dimension, is := routing.MoreTooMuch(refusal.Code); is {
		return d.loadInWhy(dimension, request, refusal.Shift)
	}
	if dimension, is := routing.MoreTooMuch(refusal.Lacked); is {
		return d.loadInWhy(dimension, request, refusal.Shift)
	}
	return nil
}
