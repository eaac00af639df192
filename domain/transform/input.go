package transform

import (
	"github.com/go-json-experiment/json"
	"github.com/google/cel-go/cel"

	"waybill/domain/order"
)

// input is an order as rules see it.
type input struct {
	order *order.Order
	names *names
	load  *load
}

// load holds the weight and volume of an order's goods, computed once,
// because no rule changes them.
type load struct {
	known          bool
	weight, volume float64
}

func (in *input) goods() *load {
	if !in.load.known {
		in.load.known = true
		in.load.weight, in.load.volume = in.order.Load()
	}
	return in.load
}

// stopInput is one of the order's stops.
type stopInput struct {
	*order.Stop
	names *names
}

func (in *input) pickup() *stopInput   { return &stopInput{&in.order.Pickup, in.names} }
func (in *input) delivery() *stopInput { return &stopInput{&in.order.Delivery, in.names} }

// The object types for expressions. A missing number is 0; has()
// distinguishes the two.
var (
	orderObject = newObject("Order",
		text("externalId", func(in *input) string { return in.order.Number }),
		text("date", func(in *input) string { return in.order.Date.Format("2006-01-02") }),
		text("reference", func(in *input) string { return in.order.Reference }),
		text("internalFreightNumber", func(in *input) string { return in.order.FreightNumber }),
		text("routeNumber", func(in *input) string { return in.order.RouteNumber }),
		text("orderType", func(in *input) string { return in.names.orderTypes[in.order.OrderTypeID] }),
		text("vehicleType", func(in *input) string { return in.names.vehicleTypes.byID[in.order.VehicleTypeID] }),
		attribute("customer", customerObject.celType, func(in *input) (any, bool) {
			c, known := in.names.customers[in.order.CustomerID]
			return &c, known
		}),
		attribute("groups", cel.ListType(cel.StringType), func(in *input) (any, bool) {
			return in.names.groups.of(in.order.Groups), true
		}),
		attribute("customFields", cel.MapType(cel.StringType, cel.DynType), func(in *input) (any, bool) {
			return in.customFields(), true
		}),
		attribute("products", cel.ListType(productObject.celType), func(in *input) (any, bool) {
			return in.order.Products, true
		}),
		attribute("weight", cel.DoubleType, func(in *input) (any, bool) {
			return in.goods().weight, true
		}),
		attribute("volume", cel.DoubleType, func(in *input) (any, bool) {
			return in.goods().volume, true
		}),
		attribute("pickup", stopObject.celType, func(in *input) (any, bool) { return in.pickup(), true }),
		attribute("delivery", stopObject.celType, func(in *input) (any, bool) { return in.delivery(), true }),
	)
	customerObject = newObject("Customer",
		text("externalId", func(c *order.Customer) string { return c.ExternalID }),
		text("businessName", func(c *order.Customer) string { return c.BusinessName }),
	)
	productObject = newObject("Product",
		text("name", func(p *order.Product) string { return p.Name }),
		attribute("quantity", cel.DoubleType, func(p *order.Product) (any, bool) { return p.Quantity, true }),
		measure("weight", func(p *order.Product) *float64 { return p.Weight }),
		measure("length", func(p *order.Product) *float64 { return p.Length }),
		measure("width", func(p *order.Product) *float64 { return p.Width }),
		measure("height", func(p *order.Product) *float64 { return p.Height }),
		text("barcodeId", func(p *order.Product) string { return p.BarcodeID }),
		text("externalId", func(p *order.Product) string { return p.ExternalID }),
		text("externalInstanceNumber", func(p *order.Product) string { return p.InstanceNumber }),
		text("atomType", func(p *order.Product) string { return p.AtomType }),
	)
	stopObject = newObject("Stop",
		text("name", func(s *stopInput) string { return s.Name }),
		attribute("address", addressObject.celType, func(s *stopInput) (any, bool) { return &s.Address, true }),
		attribute("earliest", cel.TimestampType, func(s *stopInput) (any, bool) { return s.Window.Earliest, true }),
		attribute("latest", cel.TimestampType, func(s *stopInput) (any, bool) { return s.Window.Latest, true }),
		attribute("estimatedTimeOnLocation", cel.IntType, func(s *stopInput) (any, bool) {
			if s.EstimatedTimeOnLocation == nil {
				return int64(0), false
			}
			return int64(*s.EstimatedTimeOnLocation), true
		}),
		attribute("sendNotificationBeforeArriving", cel.BoolType, func(s *stopInput) (any, bool) {
			return s.NotifyBeforeArrival != nil && *s.NotifyBeforeArrival, s.NotifyBeforeArrival != nil
		}),
		text("instructions", func(s *stopInput) string { return s.Instructions }),
		text("customerInstructions", func(s *stopInput) string { return s.CustomerInstructions }),
		text("parkingInstructions", func(s *stopInput) string { return s.ParkingInstructions }),
		text("priority", func(s *stopInput) string { return string(s.Priority) }),
		attribute("contacts", cel.ListType(contactObject.celType), func(s *stopInput) (any, bool) {
			return pointers(s.Contacts), true
		}),
		attribute("requiredSkills", cel.ListType(cel.StringType), func(s *stopInput) (any, bool) {
			return s.names.skillsOf(s.Skills, order.SkillRequired), true
		}),
		attribute("prohibitedSkills", cel.ListType(cel.StringType), func(s *stopInput) (any, bool) {
			return s.names.skillsOf(s.Skills, order.SkillProhibited), true
		}),
	)
	addressObject = newObject("Address",
		text("address1", func(a *order.Address) string { return a.Address1 }),
		text("address2", func(a *order.Address) string { return a.Address2 }),
		text("postalCode", func(a *order.Address) string { return a.PostalCode }),
		text("city", func(a *order.Address) string { return a.City }),
		text("state", func(a *order.Address) string { return a.State }),
		text("country", func(a *order.Address) string { return a.Country }),
		measure("latitude", func(a *order.Address) *float64 { return a.Latitude }),
		measure("longitude", func(a *order.Address) *float64 { return a.Longitude }),
	)
	contactObject = newObject("Contact",
		text("firstName", func(c *order.Contact) string { return c.FirstName }),
		text("lastName", func(c *order.Contact) string { return c.LastName }),
		text("phoneNumber", func(c *order.Contact) string { return c.PhoneNumber }),
		text("emailAddress", func(c *order.Contact) string { return c.EmailAddress }),
	)
)

// objects are all of them.
func objects() []*object {
	return []*object{orderObject, customerObject, productObject, stopObject, addressObject, contactObject}
}

func pointers[T any](values []T) []*T {
	out := make([]*T, len(values))
	for i := range values {
		out[i] = &values[i]
	}
	return out
}

// customFields are the values by the external ids of their definitions.
func (in *input) customFields() map[string]any {
	out := make(map[string]any, len(in.order.CustomFields))
	for id, raw := range in.order.CustomFields {
		name, known := in.names.customFields.byID[id]
		var value any
		if known && json.Unmarshal([]byte(raw.JSON), &value) == nil {
			out[name] = value
		}
	}
	return out
}

// JSON is the order as rules see it.
func (in *input) JSON() []byte {
	out, err := json.Marshal(plain(in), json.Deterministic(true))
	if err != nil {
		panic("transform: an order cannot be shown: " + err.Error()) // texts, numbers, lists and maps only
	}
	return out
}
