package planning

import (
	"slices"

	"waybill/domain/driver"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/routing"
)

// prefer reports whether an order should be with the driver of the preferences.
func prefer(p *driver.Preferences, o *Order) bool {
	return slices.Contains(p.Customers, o.CustomerID) && o.CustomerID != 0 ||
		slices.ContainsFunc(p.Locations, func(id int64) bool {
			return id != 0 && (id == o.Pickup.LocationID || id == o.Delivery.LocationID)
		})
}

// outside reports whether a stop is known to be outside the territory.
func outside(p *driver.Preferences, s *Stop) bool {
	return len(p.Territory) > 0 && s.Postal.PostalCode != "" &&
		!slices.ContainsFunc(p.Territory, func(a freight.Area) bool { return a.Covers(s.Postal) })
}

// surcharges returns what an order costs with each driver, or nil where it costs nothing with any.
func (d *Draft) surcharges(o *Order) []routing.Surcharge {
	if !slices.ContainsFunc(d.drivers, func(of *Driver) bool { return !of.Preferences.None() }) {
		return nil
	}
	all, some, preferred := make([]routing.Surcharge, len(d.drivers)), false, d.preferred(o)
	for k, of := range d.drivers {
		all[k] = d.surcharge(o, of, preferred)
		some = some || all[k] != routing.Surcharge{}
	}
	if !some {
		return nil
	}
	return all
}

// preferred reports whether a driver who works on the day should have an order.
func (d *Draft) preferred(o *Order) bool {
	return slices.ContainsFunc(d.drivers, func(of *Driver) bool { return prefer(&of.Preferences, o) })
}

// surcharge returns what an order costs with a driver, because somebody else should have it, or because of stops
// outside the driver's territory. Those where the shift begins or ends are anywhere.
func (d *Draft) surcharge(o *Order, of *Driver, preferred bool) (s routing.Surcharge) {
	if preferred && !prefer(&of.Preferences, o) {
		s.Preference = d.priceOfMinutes(d.day.Costs.OtherDriverMinutes, pricing.UsualOtherDriver)
	}
	for _, kind := range []order.StopKind{order.Pickup, order.Delivery} {
		stop := o.stop(kind)
		if outside(&of.Preferences, stop) && !of.isBase(stop) {
			s.Territory += d.priceOfMinutes(d.day.Costs.OutsideTerritoryMinutes, pricing.UsualOutsideTerritory)
		}
	}
	return s
}

// isBase reports whether a stop is where the driver's shift begins or ends.
func (d *Driver) isBase(s *Stop) bool {
	return s.Point != nil && slices.ContainsFunc([]*Point{d.Start, d.End, d.Vehicle.Home}, func(p *Point) bool {
		return p != nil && p.Is(*s.Point)
	})
}

// priceOfMinutes returns the price of minutes of driving.
func (d *Draft) priceOfMinutes(said *float64, usual float64) int64 {
	if said != nil {
		usual = *said
	}
	return int64(usual*60) * d.Problem.Objective.Second
}
