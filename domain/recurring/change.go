package recurring

import (
	"errors"
	"strconv"
	"time"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// Change is a caller's change of a template: all of it when it is created, and
// any part of it later. Absent fields stay unchanged.
type Change struct {
	Name               *string
	CustomerID         *int64
	OrderTypeID        *int64
	VehicleTypeID      *int64
	PickupLocationID   *int64
	DeliveryLocationID *int64
	Order              *order.Request
	RuleSet            *string
	Start              *time.Time
	End                *time.Time
	NoEnd              bool // the end is removed
	DaysAhead          *int
	Active             *bool
	// UpdateExisting applies the change to orders that were already generated.
	UpdateExisting bool
}

// maxName is the longest name of a template, in bytes.
const maxName = 255

// check refuses values that no template can have.
func (c *Change) check() error {
	if c.Name != nil && len(*c.Name) > maxName {
		return fault.Field("name", fault.Say("field.too_long", "max", strconv.Itoa(maxName)))
	}
	if d := c.DaysAhead; d != nil && (*d < MinDaysAhead || *d > MaxDaysAhead) {
		return fault.Field("daysToGenerateAhead",
			fault.Say("request.out_of_range", "min", strconv.Itoa(MinDaysAhead), "max", strconv.Itoa(MaxDaysAhead)))
	}
	if err := c.checkIDs(); err != nil {
		return err
	}
	for _, stop := range c.stops() {
		if stop.request != nil && stop.request.Priority == order.PriorityUnspecified {
			return unusable("orderTemplate."+stop.name+".priority", fault.Say("recurring_order.priority_unspecified"))
		}
	}
	return nil
}

// checkIDs refuses impossible ids.
func (c *Change) checkIDs() error {
	for _, r := range []struct {
		member string
		id     *int64
		what   string
	}{
		{"customerId", c.CustomerID, "customer"},
		{"orderTypeId", c.OrderTypeID, "order_type"},
		{"vehicleTypeId", c.VehicleTypeID, "vehicle_type"},
		{"pickupLocationId", c.PickupLocationID, "location"},
		{"deliveryLocationId", c.DeliveryLocationID, "location"},
	} {
		if r.id != nil && *r.id < 1 {
			return unusable(r.member, fault.Say(r.what+".not_found", "name", strconv.FormatInt(*r.id, 10)))
		}
	}
	return nil
}

// Refers reports whether the change contains references to resolve.
func (c *Change) Refers() bool {
	return c.Order != nil || c.CustomerID != nil || c.OrderTypeID != nil || c.VehicleTypeID != nil ||
		c.PickupLocationID != nil || c.DeliveryLocationID != nil
}

type namedStop struct {
	name    string
	request *order.LocationRequest
}

// Event returns the kind of event that the change is in the log.
func (c *Change) Event(creates bool) event.Kind {
	switch {
	case creates:
		return event.TemplateCreated
	case c.Active != nil && !*c.Active:
		return event.TemplateDeactivated
	}
	return event.TemplateUpdated
}

func (c *Change) stops() []namedStop {
	if c.Order == nil {
		return nil
	}
	return []namedStop{{"pickup", c.Order.Pickup}, {"delivery", c.Order.Delivery}}
}

// unusable is a field that is well formed and makes no sense.
func unusable(field string, text fault.Text) *fault.Error {
	return &fault.Error{
		Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
		Violations: []fault.Violation{{Field: field, Text: text}},
	}
}

// missing names the first of the members that a new template must have.
func (c *Change) missing() error {
	for _, m := range []struct {
		name   string
		absent bool
	}{{"orderTemplate", c.Order == nil}, {"rruleset", c.RuleSet == nil}, {"startDate", c.Start == nil}} {
		if m.absent {
			return fault.Field(m.name, fault.Say("recurring_order.required"))
		}
	}
	return nil
}

// New returns a template from a caller's change. Its references are still to
// be resolved.
func (c *Change) New(zone *time.Location) (Template, error) {
	if err := c.missing(); err != nil {
		return Template{}, err
	}
	return c.Apply(Template{Active: true, DaysAhead: DefaultDaysAhead}, zone)
}

// Apply returns the template after the change, one version later. References
// that the change affects must be resolved: their id is 0, or the one from the
// caller.
func (c *Change) Apply(t Template, zone *time.Location) (Template, error) {
	if err := c.check(); err != nil {
		return t, err
	}
	before := t
	set(&t.Name, c.Name)
	set(&t.DaysAhead, c.DaysAhead)
	if c.Active != nil {
		t.Active, t.Paused = *c.Active, t.Paused && !*c.Active
	}
	if c.Order != nil {
		t.Order = *c.Order
	}
	c.refer(&t)
	if err := c.reschedule(&t, before, zone); err != nil {
		return before, err
	}
	t.Version++
	if err := c.promise(&t, before, zone); err != nil {
		return before, err
	}
	return t, nil
}

// promise decides what happens to the orders that were already generated. A
// change before an earlier promise is fulfilled renews that promise, because
// the days in question are in neither the old nor the new state.
func (c *Change) promise(t *Template, before Template, zone *time.Location) error {
	switch {
	case before.Version == 0: // a new template
		return nil
	case c.UpdateExisting || before.Promised():
		t.AppliedFrom = t.Version
		return nil
	}
	var err error
	t.GeneratedThrough, err = before.covered(zone)
	return err
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// refer sets the template's references. An id in the change counts first,
// then those of a new order; otherwise they stay.
func (c *Change) refer(t *Template) {
	for _, r := range []struct {
		to    *int64
		id    *int64
		names func(*order.Request) *order.Ref
	}{
		{&t.CustomerID, c.CustomerID, func(o *order.Request) *order.Ref { return o.Customer }},
		{&t.OrderTypeID, c.OrderTypeID, func(o *order.Request) *order.Ref { return o.OrderType }},
		{&t.VehicleTypeID, c.VehicleTypeID, func(o *order.Request) *order.Ref { return o.VehicleType }},
	} {
		switch {
		case r.id != nil:
			*r.to = *r.id
		case c.Order != nil && r.names(c.Order) != nil:
			*r.to = 0
		}
	}
	c.referPlace(&t.Pickup, c.PickupLocationID, func(o *order.Request) *order.LocationRequest { return o.Pickup })
	c.referPlace(&t.Delivery, c.DeliveryLocationID, func(o *order.Request) *order.LocationRequest { return o.Delivery })
}

func (c *Change) referPlace(to *Place, id *int64, stop func(*order.Request) *order.LocationRequest) {
	switch {
	case id != nil:
		*to = Place{LocationID: *id}
	case c.Order != nil && stop(c.Order) != nil && (stop(c.Order).ExternalID != "" || stop(c.Order).Address != nil):
		*to = Place{}
	}
}

// reschedule settles rule, start and end.
func (c *Change) reschedule(t *Template, before Template, zone *time.Location) error {
	set(&t.Start, c.Start)
	if c.End != nil || c.NoEnd {
		t.End = c.End
	}
	if err := checkEnd(t.Start, t.End, zone); err != nil {
		return err
	}
	var rule recurrence.Rule
	var err error
	switch {
	case c.RuleSet != nil:
		rule, err = recurrence.Parse(*c.RuleSet, t.Start, zone)
	case c.Start != nil:
		if rule, err = recurrence.Parse(before.RuleSet, before.Start, zone); err == nil {
			rule, err = rule.WithStart(t.Start)
		}
	default:
		return nil
	}
	if err != nil {
		return refused(err)
	}
	t.RuleSet = rule.Canonical()
	return nil
}

func checkEnd(start time.Time, end *time.Time, zone *time.Location) error {
	if end != nil && DayOf(*end, zone).Before(DayOf(start, zone)) {
		return unusable("endDate", fault.Say("date.end_before_start"))
	}
	return nil
}

// refused turns the refusal of a recurrence rule into a fault.
func refused(err error) error {
	var refusal *recurrence.RefusedError
	if !errors.As(err, &refusal) {
		return err
	}
	return unusable("rruleset", refusal.Text)
}
