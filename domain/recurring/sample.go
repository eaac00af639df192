package recurring

import (
	"fmt"
	"slices"
	"time"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// Sample returns the order of the template's first occurrence, which is checked
// when the template is saved. Without occurrences it uses the template's first
// day.
func (t *Template) Sample(zone *time.Location) (order.Request, error) {
	first := DayOf(t.Start, zone)
	day, ok, err := t.Next(first.AddDate(0, 0, -1), zone)
	if err != nil {
		return order.Request{}, err
	}
	if !ok {
		day = first
	}
	return t.Request(Occurrence{Key: "sample", Date: day}, zone), nil
}

// Adopt takes over the sample's resolved references, or refuses the
// template with all problems.
func (t *Template) Adopt(result order.Result) error {
	if result.Order == nil {
		return t.unfit(result.Reasons)
	}
	o := result.Order
	t.CustomerID, t.OrderTypeID, t.VehicleTypeID = o.CustomerID, o.OrderTypeID, o.VehicleTypeID
	t.Pickup.LocationID, t.Delivery.LocationID = o.Pickup.LocationID, o.Delivery.LocationID
	return nil
}

// CheckPlaces refuses a template with places that are not among the live
// locations.
func (t *Template) CheckPlaces(live []int64) error {
	for _, of := range []struct {
		stop string
		id   int64
	}{{"pickup", t.Pickup.LocationID}, {"delivery", t.Delivery.LocationID}} {
		if !slices.Contains(live, of.id) {
			return &fault.Error{
				Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
				Violations: []fault.Violation{{
					Field: "orderTemplate." + of.stop, Text: fault.Say("location.not_found", "name", fmt.Sprint(of.id)),
				}},
			}
		}
	}
	return nil
}

// DropForeseenPlaces makes the order name the locations that do not exist yet.
// Foreseen locations have an id below 0.
func (t *Template) DropForeseenPlaces() {
	for _, place := range []*Place{&t.Pickup, &t.Delivery} {
		if place.LocationID < 0 {
			*place = Place{}
		}
	}
}

// unfit names each fault where the caller wrote it.
func (t *Template) unfit(reasons []order.Reason) error {
	f := &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable")}
	own := map[string]struct {
		member string
		given  bool
	}{
		"customer":    {"customerId", t.CustomerID != 0},
		"orderType":   {"orderTypeId", t.OrderTypeID != 0},
		"vehicleType": {"vehicleTypeId", t.VehicleTypeID != 0},
		"pickup":      {"pickupLocationId", t.Pickup.LocationID != 0},
		"delivery":    {"deliveryLocationId", t.Delivery.LocationID != 0},
	}
	for _, r := range reasons {
		field := "orderTemplate." + r.Field
		if m := own[r.Field]; m.given {
			field = m.member
		}
		f.Violations = append(f.Violations, fault.Violation{Field: field, Text: r.Text})
	}
	return f
}
