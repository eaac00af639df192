package recurring

import (
	"time"

	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// Request returns the order to import for an occurrence. The template's
// references are given by id; fixed times move with the occurrence. Missing
// lists are empty, so that an update also removes values.
func (t *Template) Request(o Occurrence, zone *time.Location) order.Request {
	r := t.Order
	r.ExternalID, r.Date = t.Number(o), o.Date.Format(time.DateOnly)
	r.Customer = byID(t.CustomerID, r.Customer)
	r.OrderType = byID(t.OrderTypeID, r.OrderType)
	r.VehicleType = byID(t.VehicleTypeID, r.VehicleType)
	r.Products, r.Groups, r.Pricing = orEmpty(r.Products), orEmpty(r.Groups), orEmpty(r.Pricing)
	r.CustomFields = orEmpty(r.CustomFields)
	base, moves := t.base(zone)
	r.Pickup, r.Delivery = t.Pickup.stop(r.Pickup), t.Delivery.stop(r.Delivery)
	if moves {
		shift := o.Date.Sub(base)
		move(r.Pickup, shift, zone)
		move(r.Delivery, shift, zone)
	}
	return r
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func byID(id int64, own *order.Ref) *order.Ref {
	if id == 0 {
		return own
	}
	return &order.Ref{ID: &id}
}

// stop returns an order's stop at this place. The order's own data about
// the place counts only while it still names this place.
func (p Place) stop(own *order.LocationRequest) *order.LocationRequest {
	if p.LocationID == 0 && own == nil {
		return nil
	}
	var stop order.LocationRequest
	if own != nil {
		stop = *own
	}
	if p.LocationID == 0 {
		return &stop
	}
	stop.LocationID = p.LocationID
	if !p.namedBy(own) {
		stop.ExternalID, stop.Name, stop.Address = p.ExternalID, p.Name, p.Address
	}
	return &stop
}

// namedBy reports whether an order's stop names this place itself.
func (p Place) namedBy(own *order.LocationRequest) bool {
	switch {
	case own == nil:
		return false
	case own.ExternalID != "":
		return own.ExternalID == p.ExternalID
	case own.Address != nil && p.Address != nil:
		return order.KeyOf(own.Name, *own.Address) == order.KeyOf(p.Name, *p.Address)
	}
	return false
}

// base is the day from which fixed times are moved: the order's own date, or
// else the first day of its fixed times.
func (t *Template) base(zone *time.Location) (base time.Time, ok bool) {
	if day, dated := order.ParseDay(t.Order.Date); dated {
		return day, true
	}
	for _, stop := range []*order.LocationRequest{t.Order.Pickup, t.Order.Delivery} {
		if stop == nil {
			continue
		}
		for _, text := range []string{stop.Earliest, stop.Latest} {
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				continue
			}
			if day := DayOf(at, zone); !ok || day.Before(base) {
				base, ok = day, true
			}
		}
	}
	return base, ok
}

// move puts a fixed window on other days, at the same time on the wall clock.
// A change of clock that would turn it round leaves it as long as it was.
func move(stop *order.LocationRequest, shift time.Duration, zone *time.Location) {
	if stop == nil || stop.Earliest == "" || stop.Latest == "" {
		return
	}
	earliest, errEarliest := time.Parse(time.RFC3339Nano, stop.Earliest)
	latest, errLatest := time.Parse(time.RFC3339Nano, stop.Latest)
	if errEarliest != nil || errLatest != nil {
		return
	}
	from := recurrence.Wall(earliest, zone).Add(shift)
	to := recurrence.Wall(latest, zone).Add(shift)
	movedFrom, movedTo := recurrence.Place(from, zone), recurrence.Place(to, zone)
	if from.Before(to) && !movedFrom.Before(movedTo) {
		movedTo = movedFrom.Add(to.Sub(from))
	}
	stop.Earliest = movedFrom.UTC().Format(time.RFC3339Nano)
	stop.Latest = movedTo.UTC().Format(time.RFC3339Nano)
}
