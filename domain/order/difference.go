package order

import (
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Differing is a thing of an order whose change a dispatcher looks at, named as in the API.
type Differing string

// The things whose changes are kept.
const (
	DayDiffers            Differing = "DATE"
	PickupWindowDiffers   Differing = "PICKUP_WINDOW"
	DeliveryWindowDiffers Differing = "DELIVERY_WINDOW"
	PickupPlaceDiffers    Differing = "PICKUP_PLACE"
	DeliveryPlaceDiffers  Differing = "DELIVERY_PLACE"
	WeightDiffers         Differing = "WEIGHT"
	VehicleTypeDiffers    Differing = "VEHICLE_TYPE"
)

// Difference is what a thing of an order was before a change, and what it is after it. Both are empty
// where it was nothing, and for places: where somebody lives is not kept in the log.
type Difference struct {
	What Differing `json:"what"`
	// From and To are a day, the two moments of a window with a slash between them (ISO 8601), kilograms,
	// or the id of a vehicle type.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// differencesTo returns what of the order is another in next.
func (o *Order) differencesTo(next *Order) (all []Difference) {
	add := func(what Differing, from, to string) {
		if from != to {
			all = append(all, Difference{What: what, From: from, To: to})
		}
	}
	add(DayDiffers, o.Date.Format(time.DateOnly), next.Date.Format(time.DateOnly))
	add(PickupWindowDiffers, o.Pickup.Window.interval(), next.Pickup.Window.interval())
	add(DeliveryWindowDiffers, o.Delivery.Window.interval(), next.Delivery.Window.interval())
	if !o.Pickup.samePlace(&next.Pickup) {
		all = append(all, Difference{What: PickupPlaceDiffers})
	}
	if !o.Delivery.samePlace(&next.Delivery) {
		all = append(all, Difference{What: DeliveryPlaceDiffers})
	}
	add(WeightDiffers, kilograms(o.Products), kilograms(next.Products))
	add(VehicleTypeDiffers, idText(o.VehicleTypeID), idText(next.VehicleTypeID))
	return all
}

// Altogether returns what several changes of an order, the oldest first, changed together: what something
// was before the first of them, and what it is after the last. It leaves out what is again as it was.
func Altogether(changes [][]Difference) (all []Difference) {
	at := map[Differing]int{}
	for _, d := range slices.Concat(changes...) {
		if n, known := at[d.What]; known {
			all[n].To = d.To
		} else {
			at[d.What] = len(all)
			all = append(all, d)
		}
	}
	return slices.DeleteFunc(all, func(d Difference) bool { return d.From != "" && d.From == d.To })
}

// VehicleTypes are the ids of the vehicle types that it is about.
func (d Difference) VehicleTypes() (ids []int64) {
	if d.What != VehicleTypeDiffers {
		return nil
	}
	for _, text := range []string{d.From, d.To} {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// Named is the difference with the names of vehicle types instead of their ids; a type that is gone has none.
func (d Difference) Named(vehicleTypes map[int64]string) Difference {
	if d.What == VehicleTypeDiffers {
		name := func(text string) string {
			id, _ := strconv.ParseInt(text, 10, 64) // nothing has the id 0
			return vehicleTypes[id]
		}
		d.From, d.To = name(d.From), name(d.To)
	}
	return d
}

// OtherVehicleType is the difference of an order that has just got its vehicle type instead of another one.
func (o *Order) OtherVehicleType(was int64) Difference {
	return Difference{What: VehicleTypeDiffers, From: idText(was), To: idText(o.VehicleTypeID)}
}

// interval writes a window as an ISO 8601 interval in UTC.
func (w Window) interval() string {
	return w.Earliest.UTC().Format(time.RFC3339) + "/" + w.Latest.UTC().Format(time.RFC3339)
}

// samePlace reports whether a driver goes to the same place.
func (s *Stop) samePlace(other *Stop) bool {
	return s.LocationID == other.LocationID && reflect.DeepEqual(s.Address, other.Address)
}

// kilograms is the weight of all products, as text.
func kilograms(products []*Product) string {
	weight, _ := goodsLoad(products)
	return strconv.FormatFloat(weight, 'f', -1, 64)
}

func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
