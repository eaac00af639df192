// Package pricing has what the shifts of an organization cost, as far as its plans reckon with it.
package pricing

// Costs are the prices of an organization's plans, in its currency where nothing else is said; nil is none.
type Costs struct {
	// PerShift is the price of a shift that has any stop, PerHour that of an hour of work, and PerKm that of a
	// kilometer. With a price of an hour, plans cost as little as possible; without one, they use as few
	// shifts as possible.
	PerShift *float64 `json:"per_shift" yaml:"perShift"`
	PerHour  *float64 `json:"per_hour" yaml:"perHour"`
	PerKm    *float64 `json:"per_km" yaml:"perKm"`
	// OvertimeMinutes is how many minutes after its end a shift may end, and OvertimePrice what each of them
	// costs, in minutes of driving; nil is UsualOvertimePrice.
	OvertimeMinutes *float64 `json:"overtime_minutes" yaml:"overtimeMinutes"`
	OvertimePrice   *float64 `json:"overtime_price" yaml:"overtimePrice"`
	// OtherDriverMinutes is how many minutes of driving it costs that an order is not with a driver who should
	// have it, and OutsideTerritoryMinutes how many a stop outside the territory of its driver costs; nil is
	// UsualOtherDriver and UsualOutsideTerritory.
	OtherDriverMinutes      *float64 `json:"other_driver_minutes" yaml:"otherDriverMinutes"`
	OutsideTerritoryMinutes *float64 `json:"outside_territory_minutes" yaml:"outsideTerritoryMinutes"`
	// BalanceHoursPrice is what the square of the hours of a route costs in addition, in minutes of driving, and
	// BalanceOrdersPrice what that of its orders does. Two routes that differ by two hours, or two orders, cost twice
	// as much more than equal ones. Nil is nothing.
	BalanceHoursPrice  *float64 `json:"balance_hours_price" yaml:"balanceHoursPrice"`
	BalanceOrdersPrice *float64 `json:"balance_orders_price" yaml:"balanceOrdersPrice"`
}

// The usual prices, unless the organization says otherwise: of a minute of overtime, of another driver, and of a stop
// outside a territory, in minutes of driving.
const (
	UsualOvertimePrice    = 2
	UsualOtherDriver      = 15
	UsualOutsideTerritory = 15
)

// The limits of prices.
const (
	mostPerShift  = 1_000_000
	mostPerHour   = 100_000
	mostPerKm     = 10_000
	mostOvertime  = 720
	mostOvertimes = 50
	leastPerHour  = 0.01
	mostSurcharge = 600
	mostBalance   = 60
)

// Amount is one of the numbers of costs, with its names and bounds.
type Amount struct {
	// Document is the name in the organization's document, and API in the API.
	Document, API string
	Value         *float64
	Least, Most   float64
	// Whole numbers have no decimals.
	Whole bool
}

// Valid reports whether the value is absent or within its bounds.
func (a *Amount) Valid() bool {
	return a.Value == nil ||
		*a.Value >= a.Least && *a.Value <= a.Most && (!a.Whole || *a.Value == float64(int64(*a.Value)))
}

// Amounts returns the numbers of costs.
func (c *Costs) Amounts() []Amount {
	return []Amount{
		{"perShift", "per_shift", c.PerShift, 0, mostPerShift, false},
		{"perHour", "per_hour", c.PerHour, leastPerHour, mostPerHour, false},
		{"perKm", "per_km", c.PerKm, 0, mostPerKm, false},
		{"overtimeMinutes", "overtime_minutes", c.OvertimeMinutes, 1, mostOvertime, true},
		{"overtimePrice", "overtime_price", c.OvertimePrice, 0, mostOvertimes, false},
		{"otherDriverMinutes", "other_driver_minutes", c.OtherDriverMinutes, 0, mostSurcharge, true},
		{"outsideTerritoryMinutes", "outside_territory_minutes", c.OutsideTerritoryMinutes, 0, mostSurcharge, true},
		{"balanceHoursPrice", "balance_hours_price", c.BalanceHoursPrice, 0, mostBalance, false},
		{"balanceOrdersPrice", "balance_orders_price", c.BalanceOrdersPrice, 0, mostBalance, false},
	}
}

// Lacks returns the name of a number, in the API and in the document, without which another one means nothing;
// both are empty when all are there.
func (c *Costs) Lacks() (api, document string) {
	switch {
	case c.PerHour == nil && (c.PerShift != nil || c.PerKm != nil):
		return "per_hour", "perHour"
	case c.OvertimeMinutes == nil && c.OvertimePrice != nil:
		return "overtime_minutes", "overtimeMinutes"
	}
	return "", ""
}

// Empty reports whether no number is set.
func (c *Costs) Empty() bool { return *c == Costs{} }

// OfVehicle are the prices of the vehicles of a type, where they differ from those of the organization.
type OfVehicle struct {
	CostPerShift *float64 `json:"cost_per_shift" yaml:"costPerShift"`
	CostPerHour  *float64 `json:"cost_per_hour" yaml:"costPerHour"`
	CostPerKm    *float64 `json:"cost_per_km" yaml:"costPerKm"`
}

// Amounts returns the numbers of the prices.
func (c *OfVehicle) Amounts() []Amount {
	return []Amount{
		{"costPerShift", "cost_per_shift", c.CostPerShift, 0, mostPerShift, false},
		{"costPerHour", "cost_per_hour", c.CostPerHour, leastPerHour, mostPerHour, false},
		{"costPerKm", "cost_per_km", c.CostPerKm, 0, mostPerKm, false},
	}
}
