package planning

import (
	"math"
	"time"

	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/routing"
)

// Costs are what a route costs, by what for, in whole units. What is over is part of it.
type Costs struct {
	Unit CostUnit `json:"unit"`
	// Total is the sum of all others.
	Total int64 `json:"total"`
	// Shift is the price of the shift; it is 0 where plans use as few shifts as possible.
	Shift int64 `json:"shift"`
	// Driving, Setup, Service and Waiting are those of the time of each, where breaks of drivers with several
	// are waiting, and Distance is that of the way.
	Driving  int64 `json:"driving"`
	Setup    int64 `json:"setup"`
	Service  int64 `json:"service"`
	Waiting  int64 `json:"waiting"`
	Distance int64 `json:"distance"`
	// Overtime is that of the time after the end of the shift, and Lateness that of visits after their windows.
	Overtime int64 `json:"overtime"`
	Lateness int64 `json:"lateness"`
	// Balance is that of how much the driver has to do.
	Balance int64 `json:"balance"`
	// Changes is that of orders that another driver had in the plan before.
	Changes int64 `json:"changes"`
	// OtherDriver is that of orders that another driver should have, and OutsideTerritory that of stops outside
	// the territory of the driver.
	OtherDriver      int64 `json:"otherDriver"`
	OutsideTerritory int64 `json:"outsideTerritory"`
}

// CostUnit is what costs are counted in.
type CostUnit string

// The units.
const (
	// DrivingSeconds are what a second of driving costs.
	DrivingSeconds CostUnit = "DRIVING_SECONDS"
	// Hundredths are those of the organization's currency.
	Hundredths CostUnit = "HUNDREDTHS"
)

const (
	secondsOfHour, metersOfKm = 3600, 1000
	// finest is how many units of a problem the currency has at most, and mostRate the most that a second or a
	// meter may cost in them.
	finest   = 100_000
	mostRate = 1 << 17
	mostFee  = routing.FewestShifts / 2
	// mostLatePrice is the most that a second of lateness or overtime may cost.
	mostLatePrice = 1 << 20
)

// inMoney reports whether plans cost as little as possible, instead of using as few shifts as possible.
func (d *Draft) inMoney() bool { return d.day.Costs.PerHour != nil }

// price sets what the routes of the day cost.
func (d *Draft) price() {
	d.Problem.Objective = routing.Objective{
		Shift: routing.FewestShifts, Second: priceOfSecond, Meter: priceOfMeter, Waiting: priceOfWaiting,
	}
	if len(d.day.RushHours) > 0 { // then it depends on the hour what is driving and what is waiting
		d.Problem.Objective.Waiting = priceOfSecond
	}
	if !d.inMoney() {
		if d.balances() { // as few shifts as possible would leave the others nothing to do
			d.Problem.Objective.Shift = 0
		}
		return
	}
	shift, hour, km := d.ratesOf(&Vehicle{})
	for i := range d.day.Drivers {
		s, h, k := d.ratesOf(&d.day.Drivers[i].Vehicle)
		shift, hour, km = max(shift, s), max(hour, h), max(km, k)
	}
	d.scale = finest
	for hour*d.scale > mostRate*secondsOfHour || km*d.scale > mostRate*metersOfKm || shift*d.scale > float64(mostFee) {
		d.scale /= 10
	}
	rates, _ := d.inUnits(&Vehicle{})
	d.Problem.Objective = routing.Objective{Second: max(rates.Second, 1), Meter: rates.Meter, Waiting: rates.Waiting}
}

// ratesOf returns what a shift, an hour and a kilometer of a vehicle cost.
func (d *Draft) ratesOf(v *Vehicle) (shift, hour, km float64) {
	first := func(amounts ...*float64) float64 {
		for _, a := range amounts {
			if a != nil {
				return *a
			}
		}
		return 0
	}
	of, usual := &v.Costs, &d.day.Costs
	return first(of.CostPerShift, usual.PerShift), first(of.CostPerHour, usual.PerHour), first(of.CostPerKm, usual.PerKm)
}

// inUnits returns the prices of a vehicle's route and shift in the units of the problem. An hour of work costs the
// same, whatever the driver does.
func (d *Draft) inUnits(v *Vehicle) (rates routing.Rates, fee int64) {
	shift, hour, km := d.ratesOf(v)
	second := int64(math.Round(hour * d.scale / secondsOfHour))
	return routing.Rates{
		Second: second, Waiting: second, Service: second, Meter: int64(math.Round(km * d.scale / metersOfKm)),
	}, int64(math.Round(shift * d.scale))
}

// bound gives a shift its limits, its prices, and how long its visits take.
func (d *Draft) bound(shift *routing.Shift, of *Driver, passed *progress, ends time.Time) {
	shift.VisitPercent = of.visitPercent()
	limitShift(shift, of.Limits, passed)
	d.rule(shift, of, passed)
	d.charge(shift, &of.Vehicle, d.second(ends))
	d.balance(shift, of, passed)
}

// charge gives a shift its prices. It ends when it did, and its overtime is what the rest of the driver leaves of that
// of the organization.
func (d *Draft) charge(shift *routing.Shift, v *Vehicle, ends int64) {
	if d.inMoney() {
		rates, fee := d.inUnits(v)
		shift.Rates, shift.Fee = &rates, fee
	}
	if over := shift.End - ends; over > 0 {
		shift.End, shift.Overtime = ends, routing.Overtime{Seconds: over, Price: d.priceOfOvertime()}
	}
}

// overtime returns how much later than its end a shift may end.
func (d *Draft) overtime() time.Duration {
	if minutes := d.day.Costs.OvertimeMinutes; minutes != nil {
		return time.Duration(*minutes) * time.Minute
	}
	return 0
}

// priceOfOvertime returns what a second of it costs.
func (d *Draft) priceOfOvertime() int64 {
	price := float64(pricing.UsualOvertimePrice)
	if said := d.day.Costs.OvertimePrice; said != nil {
		price = *said
	}
	return d.worth(price)
}

// worth returns the price of a second that costs so many seconds of driving.
func (d *Draft) worth(driving float64) int64 {
	return min(int64(math.Round(driving*float64(d.Problem.Objective.Second))), mostLatePrice)
}

// counted returns a price of the problem in units for people.
func (d *Draft) counted(price int64) int64 {
	unit := float64(priceOfSecond)
	if d.inMoney() {
		unit = d.scale / 100
	}
	return int64(math.Round(float64(price) / unit))
}

// costs returns what a route of a plan costs. terms are those of what is ahead, by the clock of Check.
func (d *Draft) costs(k int, r *Route, terms routing.Terms) *Costs {
	if !d.inMoney() {
		terms.Shift = 0
	}
	d.addPassed(k, r, &terms)
	c := &Costs{
		Unit: DrivingSeconds, Shift: d.counted(terms.Shift), Driving: d.counted(terms.Driving), Setup: d.counted(terms.Setup),
		Service: d.counted(terms.Service), Waiting: d.counted(terms.Waiting), Distance: d.counted(terms.Distance),
		Overtime: d.counted(terms.Overtime), Lateness: d.counted(terms.Lateness), Balance: d.counted(terms.Balance),
		Changes:     d.counted(terms.Change),
		OtherDriver: d.counted(terms.Preference), OutsideTerritory: d.counted(terms.Territory),
	}
	if d.inMoney() {
		c.Unit = Hundredths
	}
	c.Total = c.Shift + c.Driving + c.Setup + c.Service + c.Waiting + c.Distance + c.Overtime + c.Lateness + c.Balance +
		c.Changes + c.OtherDriver + c.OutsideTerritory
	return c
}

// addPassed adds what is over of a route: its times are not those of the problem any more.
func (d *Draft) addPassed(k int, r *Route, terms *routing.Terms) {
	passed := d.passed[k].over
	if len(passed) == 0 {
		return
	}
	shift, rates := &d.Problem.Shifts[k], d.Problem.Rates(k)
	terms.Shift = shift.Fee
	seconds := func(lasts time.Duration) int64 { return int64(lasts / time.Second) }
	terms.Driving, terms.Distance = rates.Second*seconds(r.Driving), rates.Meter*r.Meters
	idle := r.Waiting
	if shift.Rule.Most > 0 || len(shift.Breaks) > 0 || shift.Break.At > 0 {
		idle += r.resting()
	}
	terms.Waiting, terms.Setup, terms.Service = rates.Waiting*seconds(idle), 0, 0
	terms.Balance = d.balanceOf(k, r)
	for i := range r.Stops {
		terms.Setup += rates.Second * seconds(r.Stops[i].Setup)
		terms.Service += rates.Service * seconds(r.Stops[i].Service())
	}
	for i := range passed {
		if o := d.orders[passed[i].OrderID]; o != nil {
			terms.Lateness += d.priceOfLateness(o.stop(passed[i].Kind)) * seconds(passed[i].Late)
			if passed[i].Kind == order.Delivery {
				extra := d.surcharge(o, d.drivers[k], d.preferred(o))
				terms.Preference, terms.Territory = terms.Preference+extra.Preference, terms.Territory+extra.Territory
			}
		}
	}
	terms.Overtime = shift.Overtime.Price * max(0, d.second(r.Ends)-shift.End)
}

// pricedAs reports whether a stored route has the prices of today: people change them.
func (d *Draft) pricedAs(k int, r *Route) bool {
	c, rates := r.Costs, d.Problem.Rates(k)
	return c != nil && (c.Unit == Hundredths) == d.inMoney() && c.Shift == d.counted(d.Problem.Shifts[k].Fee) &&
		c.Driving == d.counted(rates.Second*int64(r.Driving/time.Second)) && c.Distance == d.counted(rates.Meter*r.Meters) &&
		c.Balance == d.counted(d.balanceOf(k, r))
}
