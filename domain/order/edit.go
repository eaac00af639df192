package order

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/fault"
	"waybill/domain/load"
)

// Edit is an order with the requested changes, and which parts were given; the
// rest stays unchanged.
type Edit struct {
	Request Request

	Header, Day, VehicleType, Products, Groups, Prices bool
	Pickup, Delivery                                   EditedStop
}

// EditedStop reports which parts of a stop were given: anything, its location,
// and its times.
type EditedStop struct{ Stop, Place, Times bool }

// Editable returns an order in the form of a request: records are named by
// their ids. Lists that an edit leaves out stay out.
func Editable(o *Order) Request {
	return Request{
		ExternalID: o.Number, Date: o.Date.Format(time.DateOnly), Reference: o.Reference,
		Customer: refOf(o.CustomerID), Consignee: refOf(o.ConsigneeID), Consignor: refOf(o.ConsignorID),
		// Behind a type chosen by hand, imports keep the type that it replaced.
		VehicleType: refOf(cmp.Or(o.ReplacedVehicleTypeID, o.VehicleTypeID)), OrderType: refOf(o.OrderTypeID),
		Pickup: editableStop(&o.Pickup), Delivery: editableStop(&o.Delivery),
		InternalFreightNumber: Loose(o.FreightNumber), RouteNumber: Loose(o.RouteNumber),
		MaxMinutesOnBoard: o.Asks.minutesOnBoard(), GoodsKinds: o.Asks.GoodsKinds,
		LoadAmounts: o.Asks.LoadAmounts, Days: o.Asks.PossibleDays,
	}
}

func refOf(id int64) *Ref {
	if id == 0 {
		return nil
	}
	return &Ref{ID: &id}
}

func editableStop(s *Stop) *LocationRequest {
	address := s.Address
	r := &LocationRequest{
		LocationID: s.LocationID, Name: s.Name, Address: &address,
		EstimatedTimeOnLocation: s.EstimatedTimeOnLocation, SendNotificationBeforeArrival: s.NotifyBeforeArrival,
		Contacts: s.Contacts, Instructions: s.Instructions, CustomerInstructions: s.CustomerInstructions,
		ParkingInstructions: s.ParkingInstructions, Priority: s.Priority, Lateness: s.Asks.Lateness.request(),
	}
	for id, typ := range s.Skills {
		r.Skills = append(r.Skills, SkillRequest{ID: &id, Type: typ})
	}
	slices.SortFunc(r.Skills, func(a, b SkillRequest) int { return int(*a.ID - *b.ID) })
	if s.Window.Source == FromRequest {
		r.Earliest = s.Window.Earliest.UTC().Format(time.RFC3339Nano)
		r.Latest = s.Window.Latest.UTC().Format(time.RFC3339Nano)
		r.TimeWindows = s.Asks.requests(0, time.UTC)
	}
	return r
}

// Check refuses to edit the shared content of several numbers, and to change an
// order's number.
func (e Edit) Check(o *Order) error {
	if len(o.Shares) > 0 {
		return fault.Illegal("order.shared", "order", o.Number)
	}
	if e.Request.ExternalID != o.Number {
		return fault.Violated([]fault.Violation{{Field: "externalId", Text: fault.Say("order.number_fixed")}})
	}
	return nil
}

// ChooseVehicleType sets the vehicle type of an edit on an order, and reports
// whether that is a change. It leaves an unknown one to ApplyEdit.
func (s *Snapshot) ChooseVehicleType(o *Order, e *Edit) (changed bool, err error) {
	wanted := s.vehicleType(e.Request.VehicleType)
	if !e.VehicleType || wanted == nil {
		return false, nil
	}
	switch o.ChangeVehicleType(wanted.ID) {
	case VehicleTypeFixed:
		return false, fault.Illegal("order.picked_up", "order", o.Number)
	case VehicleTypeChanged:
		changed = true
	}
	e.Request.VehicleType = refOf(cmp.Or(o.ReplacedVehicleTypeID, o.VehicleTypeID))
	return changed, nil
}

// ApplyEdit applies a user's edit. If there are reasons against it, it reports
// all of them and changes nothing. Products changed by the edit count as
// modified, so imports leave them alone. The snapshot must be made for the
// edit's request.
func ApplyEdit(s *Snapshot, o *Order, e Edit) (Plan, error) {
	e.fixDay(o)
	return s.applyEdit(o, e)
}

func (s *Snapshot) applyEdit(o *Order, e Edit) (Plan, error) {
	s.moveAlong(o, &e)
	s.forgetDimensions(o, &e)
	before := *o
	plan := decideByHand(s, e.settings(), &e.Request, true)
	if result := &plan.Results[0]; result.Kind != OrderUpdated {
		return Plan{}, refusal(o.Number, result.Reasons)
	}
	if e.Products && o.Changes.Products {
		markModified(before.Products, o.Products)
	}
	return plan, nil
}

// settings exclude every part that was not given.
func (e Edit) settings() UpdateSettings {
	never := false
	set := UpdateSettings{
		Order: IgnoreOrder, OrderLocation: IgnoreLocation, OrderProducts: IgnoreProducts, OrderGroups: IgnoreGroups,
		OrderPricing: IgnorePricing, AllowMerge: &never,
	}
	if e.Header {
		set.Order = ReplaceOrder
	}
	if e.Day || e.Pickup.Stop || e.Delivery.Stop {
		set.OrderLocation = ReplaceLocation
	}
	if e.Products {
		set.OrderProducts = ReplaceProducts
	}
	if e.Groups {
		set.OrderGroups = ReplaceGroups
	}
	if e.Prices {
		set.OrderPricing = ReplacePricing
	}
	return set
}

// moveAlong keeps the source of a stop's times when the edit does not set them:
// fixed times move with the order's date in the organization's time zone, and
// hours from an import stay hours.
func (s *Snapshot) moveAlong(o *Order, e *Edit) {
	days := 0
	if day, ok := ParseDay(e.Request.Date); ok {
		days = DaysBetween(o.Date, day)
	}
	for _, stop := range []struct {
		request *LocationRequest
		edited  EditedStop
		window  Window
		asks    *StopAsks
	}{
		{e.Request.Pickup, e.Pickup, o.Pickup.Window, &o.Pickup.Asks},
		{e.Request.Delivery, e.Delivery, o.Delivery.Window, &o.Delivery.Asks},
	} {
		if stop.request == nil || stop.edited.Times {
			continue
		}
		from, to := stop.window.Earliest.In(s.Zone), stop.window.Latest.In(s.Zone)
		switch stop.window.Source {
		case FromRequest:
			stop.request.Earliest = from.AddDate(0, 0, days).UTC().Format(time.RFC3339Nano)
			stop.request.Latest = to.AddDate(0, 0, days).UTC().Format(time.RFC3339Nano)
			stop.request.TimeWindows = stop.asks.requests(days, s.Zone)
		case FromRequestHours:
			never := false
			stop.request.HasOpeningTimes, stop.request.OpeningHoursIsDefault = true, &never
			stop.request.Opens, stop.request.Closes = from.Format("15:04"), to.Format("15:04")
		}
	}
}

// refusal is the fault of an edit or a new order that cannot be: a state that
// does not allow it, or else everything that is wrong.
func refusal(number string, why []Reason) error {
	problems := make([]fault.Violation, len(why))
	for i, r := range why {
		switch r.Text.ID {
		case "order.already_picked_up", "order.over":
			return &fault.Error{Kind: fault.IllegalState, Text: r.Text, Resource: "order", Name: number}
		}
		problems[i] = fault.Violation{Field: r.Field, Text: r.Text}
	}
	return fault.Violated(problems)
}

// markModified marks the products that are new or were changed.
func markModified(before, now []*Product) {
	byID := make(map[int64]*Product, len(before))
	for _, p := range before {
		byID[p.ID] = p
	}
	for _, p := range now {
		was := byID[p.ID]
		p.Modified = was == nil || was.Modified
		if !p.Modified {
			p.Modified = !sameProducts([]*Product{was}, []*Product{p})
		}
	}
}

// CreateByHand creates an order from a user's input. Unless a draft is
// permitted, it reports every reason against it, and then changes nothing.
func CreateByHand(s *Snapshot, req Request, asDraft bool) (Plan, error) {
	if n, known := s.Numbers[req.ExternalID]; known && n.OrderID != 0 {
		return Plan{}, NumberTaken(req.ExternalID)
	}
	never := false
	plan := decideByHand(s, UpdateSettings{AllowMerge: &never}, &req, !asDraft)
	if result := &plan.Results[0]; result.Kind != OrderCreated && !asDraft {
		return Plan{}, refusal(req.ExternalID, result.Reasons)
	}
	return plan, nil
}

// decideByHand judges one entry from a person.
func decideByHand(s *Snapshot, settings UpdateSettings, req *Request, outspoken bool) Plan {
	d := newDecider(s, Defaults{UpdateConfig: settings})
	d.outspoken = outspoken
	d.plan.Results = []Result{d.entry(req)}
	return d.plan
}

// NumberTaken is the fault of a number that belongs to another order.
func NumberTaken(number string) error {
	return &fault.Error{
		Kind: fault.Duplicate, Text: fault.Say("order.exists", "name", number), Resource: "order", Name: number,
	}
}

// forgetDimensions takes amounts out of an edit that the order has in dimensions that there no
// longer are: they would be refused, although the edit doesn't speak of them.
func (s *Snapshot) forgetDimensions(o *Order, e *Edit) {
	e.Request.LoadAmounts = slices.DeleteFunc(slices.Clone(e.Request.LoadAmounts), func(a load.Amount) bool {
		return !s.LoadDimensions.Has(a.Dimension) && slices.Contains(o.Asks.LoadAmounts, a)
	})
}
