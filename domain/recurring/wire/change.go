// Package wire reads changes of recurring orders from JSON. Package recurring
// validates them.
package wire

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/order/wire"
	"waybill/domain/recurring"
)

// ReadChange reads a change from JSON. A fault names the member that cannot be
// used.
func ReadChange(r io.Reader) (recurring.Change, error) {
	var c recurring.Change
	err := wire.ReadObject(r, func(name string, raw jsontext.Value) error { return readIntoChange(&c, name, raw) })
	return c, err
}

func readIntoChange(c *recurring.Change, name string, raw jsontext.Value) error {
	null := raw.Kind() == 'n'
	switch name {
	case "endDate":
		if c.NoEnd = null; null {
			return nil
		}
		return readInstant(name, raw, &c.End)
	case "startDate":
		return readInstant(name, raw, &c.Start)
	case "orderTemplate":
		request, err := wire.ReadRequest(raw, name)
		c.Order = &request
		return err
	case "updateExistingOrders":
		return readMember(name, raw, &c.UpdateExisting)
	}
	for _, m := range []struct {
		name string
		to   any
	}{
		{"name", &c.Name},
		{"rruleset", &c.RuleSet},
		{"daysToGenerateAhead", &c.DaysAhead},
		{"isActive", &c.Active},
		{"customerId", &c.CustomerID},
		{"orderTypeId", &c.OrderTypeID},
		{"vehicleTypeId", &c.VehicleTypeID},
		{"pickupLocationId", &c.PickupLocationID},
		{"deliveryLocationId", &c.DeliveryLocationID},
	} {
		if m.name == name {
			return readMember(name, raw, m.to)
		}
	}
	return nil // responses may gain members, and clients may send them back
}
