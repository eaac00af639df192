package wire

import (
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// ByHand is an order, or a change of one, written by a person: like an order of
// the legacy imports, but with prices. It distinguishes absent and null members.
type ByHand struct {
	raw jsontext.Value
	// Unknown lists the unknown members.
	Unknown []string
}

// handwritten is the JSON form of such an order.
type handwritten struct {
	legacyOrder

	Pricing []order.PriceRequest `json:"pricing"`
}

// DecodeByHand reads one order as strictly as an import is read: every member
// of the wrong type is named.
func DecodeByHand(r io.Reader) (ByHand, error) {
	o := newObject(r)
	raw, err := o.in.ReadValue()
	if err == nil && raw.Kind() != '{' {
		err = fault.Field("", fault.Say("request.not_an_object"))
	}
	b := ByHand{raw: slices.Clone(raw)}
	if err == nil {
		err = o.atEnd()
	}
	if err != nil {
		return b, o.explain(err)
	}
	var f findings
	if err := f.read(b.raw, "", &handwritten{}); err != nil {
		return b, err
	}
	b.Unknown = f.unknown
	return b, f.err()
}

// Request is the order that is written.
func (b ByHand) Request() (order.Request, error) {
	var h handwritten
	err := json.Unmarshal(b.raw, &h)
	return h.request(), err
}

func (h *handwritten) request() order.Request {
	r := h.legacyOrder.request()
	r.Pricing = h.Pricing
	return r
}

// members maps the names of an object's members to their values.
type members map[string]jsontext.Value

func (m members) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, has := m[name]; return has })
}

// Onto returns an order with the given members applied. Absent members stay
// unchanged, also within a stop; but the location and the times of a stop are
// each replaced as a whole.
func (b ByHand) Onto(present order.Request) (order.Edit, error) {
	given, err := b.Request()
	if err != nil {
		return order.Edit{}, err
	}
	var m members
	if err := json.Unmarshal(b.raw, &m); err != nil {
		return order.Edit{}, err
	}
	e := order.Edit{
		Request: present, Day: m.has("date", "order_type"), Products: m.has("products"), Groups: m.has("groups"),
		Prices: m.has("pricing"), VehicleType: m.has("vehicle_type"),
	}
	if m.has("pickup") {
		e.Request.Pickup, e.Pickup = stopOnto(present.Pickup, given.Pickup, m["pickup"])
	}
	if m.has("delivery") {
		e.Request.Delivery, e.Delivery = stopOnto(present.Delivery, given.Delivery, m["delivery"])
	}
	e.Header = m.headerOnto(&e.Request, &given)
	return e, nil
}

// headerOnto applies the members other than stops, and reports whether there are
// any.
func (m members) headerOnto(r, given *order.Request) (some bool) {
	for name, write := range map[string]func(){
		"internal_order_number":   func() { r.ExternalID = given.ExternalID },
		"date":                    func() { r.Date = given.Date },
		"reference":               func() { r.Reference = given.Reference },
		"customer":                func() { r.Customer = given.Customer },
		"vehicle_type":            func() { r.VehicleType = given.VehicleType },
		"order_type":              func() { r.OrderType = given.OrderType },
		"products":                func() { r.Products = given.Products },
		"groups":                  func() { r.Groups = given.Groups },
		"pricing":                 func() { r.Pricing = given.Pricing },
		"internal_freight_number": func() { r.InternalFreightNumber = given.InternalFreightNumber },
		"consignee":               func() { r.Consignee = given.Consignee },
		"consignor":               func() { r.Consignor = given.Consignor },
		"route_number":            func() { r.RouteNumber = given.RouteNumber },
		"custom_fields":           func() { r.CustomFields = given.CustomFields },
		"latest_date":             func() { r.LatestDate, r.Days = given.LatestDate, nil },
		"max_minutes_on_board":    func() { r.MaxMinutesOnBoard = given.MaxMinutesOnBoard },
		"goods_kinds":             func() { r.GoodsKinds = given.GoodsKinds },
		"load_amounts":            func() { r.LoadAmounts = given.LoadAmounts },
	} {
		if m.has(name) {
			write()
			some = true
		}
	}
	return some
}

// stopOnto applies a stop's members; null removes a member's value.
func stopOnto(present, given *order.LocationRequest, raw jsontext.Value) (*order.LocationRequest, order.EditedStop) {
	var m members
	if given == nil || json.Unmarshal(raw, &m) != nil {
		return nil, order.EditedStop{Stop: true}
	}
	e := order.EditedStop{
		Stop: true, Place: m.has("external_id", "address"),
		Times: m.has("earliest", "latest", "time_windows", "opens", "closes", "has_opening_times",
			"opening_hours_is_default"),
	}
	next := *present
	if e.Place {
		next.LocationID, next.ExternalID, next.Name, next.Address = 0, given.ExternalID, "", given.Address
	}
	if e.Times {
		next.Earliest, next.Latest, next.Opens, next.Closes = given.Earliest, given.Latest, given.Opens, given.Closes
		next.TimeWindows = given.TimeWindows
		next.HasOpeningTimes, next.OpeningHoursIsDefault = given.HasOpeningTimes, given.OpeningHoursIsDefault
	}
	for name, write := range map[string]func(){
		"name":                       func() { next.Name = given.Name },
		"estimated_time_on_location": func() { next.EstimatedTimeOnLocation = given.EstimatedTimeOnLocation },
		"send_notification_before_arriving": func() {
			next.SendNotificationBeforeArrival = given.SendNotificationBeforeArrival
		},
		"contacts":              func() { next.Contacts = given.Contacts },
		"instructions":          func() { next.Instructions = given.Instructions },
		"customer_instructions": func() { next.CustomerInstructions = given.CustomerInstructions },
		"parking_instructions":  func() { next.ParkingInstructions = given.ParkingInstructions },
		"skills":                func() { next.Skills = given.Skills },
		"priority":              func() { next.Priority = given.Priority },
		"lateness":              func() { next.Lateness = given.Lateness },
	} {
		if m.has(name) {
			write()
		}
	}
	return &next, e
}
