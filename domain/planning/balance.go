package planning

import (
	"math"
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// balances reports whether it costs something how much each driver has to do.
func (d *Draft) balances() bool {
	b := d.priceOfBalance()
	return b.Hour > 0 || b.Order > 0
}

// priceOfBalance returns the prices of the squares of hours and orders.
func (d *Draft) priceOfBalance() routing.Balance {
	price := func(minutes *float64) int64 {
		if minutes == nil {
			return 0
		}
		return int64(math.Round(*minutes * 60 * float64(d.Problem.Objective.Second)))
	}
	costs := &d.day.Costs
	return routing.Balance{Hour: price(costs.BalanceHoursPrice), Order: price(costs.BalanceOrdersPrice)}
}

// balance gives a shift the prices of how much its driver has to do, with what was done since the driver left.
func (d *Draft) balance(shift *routing.Shift, of *Driver, passed *progress) {
	if shift.Balance = d.priceOfBalance(); !d.balances() || !passed.begun {
		return
	}
	if route := d.routes[of.ID]; route != nil {
		shift.Balance.Seconds = max(shift.Start-max(d.second(route.Starts), 0), 0)
	}
	shift.Balance.Orders = deliveriesIn(passed.over)
}

// deliveriesIn counts the deliveries among stops.
func deliveriesIn(stops []Placed) (count int64) {
	for i := range stops {
		if stops[i].Kind == order.Delivery {
			count++
		}
	}
	return count
}

// balanceOf returns what it costs how much a driver has to do in a whole route.
func (d *Draft) balanceOf(k int, r *Route) int64 {
	b := &d.Problem.Shifts[k].Balance
	return b.Price(int64(r.Ends.Sub(r.Starts)/time.Second), deliveriesIn(r.Stops))
}
