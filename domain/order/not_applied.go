package order

import (
	"slices"
	"strconv"
	"strings"

	"waybill/domain/fault"
)

// The codes for parts of an import that had no effect (contract,
// NotAppliedReason).
const (
	// IgnoredBySettings is a part that updateConfig excludes.
	IgnoredBySettings Code = "IGNORED_BY_UPDATE_CONFIG"
	// ModifiedByPerson is for products that a person has changed since.
	ModifiedByPerson Code = "MODIFIED_SINCE"
	// WindowBooked is a window that a booked interval overrules.
	WindowBooked Code = "WINDOW_BOOKED"
	// LocationKept is a name, address or hours that differ from those of the
	// known location: they apply to the order's stop, and the location is not
	// changed.
	LocationKept Code = "LOCATION_KEPT"
	// Overtaken is an order, or a draft, about which something newer was received.
	Overtaken Code = "OVERTAKEN"
)

// NotApplied reports whether the code is about a part without effect, not about an
// invalid entry.
func (c Code) NotApplied() bool {
	switch c {
	case IgnoredBySettings, ModifiedByPerson, WindowBooked, LocationKept, Overtaken:
		return true
	}
	return false
}

func (j *judged) note(code Code, field string, text fault.Text) {
	j.notes = append(j.notes, Reason{Code: code, Field: field, Text: text})
}

// noteKeptPlaces names the differences from the stops' locations.
func (d *decider) noteKeptPlaces(req *Request, j *judged) {
	for _, stop := range []struct {
		field string
		req   *LocationRequest
	}{{"pickup", req.Pickup}, {"delivery", req.Delivery}} {
		if stop.req == nil {
			continue
		}
		loc := d.snapshot.location(stop.req)
		if loc == nil || loc.ExternalID == "" && stop.req.LocationID == 0 {
			continue // a location known only by name and address matches
		}
		for _, part := range loc.differing(stop.req) {
			j.note(LocationKept, stop.field+"."+part.name, fault.Say(part.text,
				"name", fault.Clip(loc.label()), "fields", strings.Join(part.fields, ", ")))
		}
	}
}

// label returns the name of a location in messages.
func (l *Location) label() string {
	if l.ExternalID != "" {
		return l.ExternalID
	}
	return strconv.FormatInt(l.ID, 10)
}

// keptPart is a part of a location that a request describes differently, the
// text about it, and the fields that differ.
type keptPart struct {
	name, text string
	fields     []string
}

// differing returns the parts of a location that a request describes differently.
// Parts that the request leaves out, and hours when the location has none, are
// not compared.
func (l *Location) differing(r *LocationRequest) []keptPart {
	var parts []keptPart
	if r.Name != "" && fold(r.Name) != fold(l.Name) {
		parts = append(parts, keptPart{"name", "import.location_name_kept", []string{"name"}})
	}
	if r.Address != nil {
		if fields := l.Address.differing(r.Address); len(fields) > 0 {
			parts = append(parts, keptPart{"address", "import.location_kept", fields})
		}
	}
	if hours, given, valid := r.hours(); given && valid && l.Hours != nil && *l.Hours != hours {
		parts = append(parts, keptPart{"opens", "import.location_hours_kept", []string{"opens", "closes"}})
	}
	return parts
}

// differing returns the fields in which two addresses differ. Case and white
// space do not count; coordinates that only one of them has are a difference.
func (a *Address) differing(b *Address) []string {
	var fields []string
	for _, f := range []struct{ name, a, b string }{
		{"address1", a.Address1, b.Address1},
		{"address2", a.Address2, b.Address2},
		{"postalCode", a.PostalCode, b.PostalCode},
		{"city", a.City, b.City},
		{"state", a.State, b.State},
		{"country", Country(a.Country), Country(b.Country)},
	} {
		if squeezed(f.a) != squeezed(f.b) {
			fields = append(fields, f.name)
		}
	}
	if !samePoint(a.Latitude, b.Latitude) {
		fields = append(fields, "latitude")
	}
	if !samePoint(a.Longitude, b.Longitude) {
		fields = append(fields, "longitude")
	}
	return fields
}

// squeezed returns a text in the form used to compare places.
func squeezed(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func samePoint(a, b *float64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// notApplied returns the parts of an entry that had no effect, with reasons:
// parts that the settings exclude and that differ from the order, products that
// users modified, and windows overruled by a booking.
func (d *decider) notApplied(o, next *Order, req *Request, j *judged, p parts, b basis) []Reason {
	notes := slices.Concat(j.notes, d.ignored(o, req, p, b))
	if p.products && d.settings.OrderProducts != ReplaceProducts && d.modified(next, req) {
		notes = append(notes, Reason{ModifiedByPerson, "products", fault.Say("import.products_modified")})
	}
	if !o.Booked || !p.stops {
		return notes
	}
	for _, stop := range []struct {
		field string
		stop  *Stop
	}{{"pickup", j.pickup}, {"delivery", j.delivery}} {
		if stop.stop != nil && stop.stop.Window.Source == FromRequest {
			notes = append(notes, Reason{WindowBooked, stop.field + ".earliest", fault.Say("import.window_booked")})
		}
	}
	return notes
}

// modified reports whether products that users modified differ from the entry.
func (d *decider) modified(next *Order, req *Request) bool {
	own := func(p *Product) bool { return p.Modified && p.Number == req.ExternalID }
	if req.Products == nil || !slices.ContainsFunc(next.Products, own) {
		return false
	}
	bare := *next
	bare.Products = copies(next.Products)
	for _, p := range bare.Products {
		p.Modified = false
	}
	var r reasons
	_, differs := replaceProducts(&bare, req.ExternalID, d.judgeProducts(req.Products, req.ExternalID, &r), true)
	return differs
}

// ignored compares the parts that the settings exclude, and returns those that
// differ from the order.
func (d *decider) ignored(o *Order, req *Request, p parts, b basis) []Reason {
	rest := parts{
		header: !p.header, stops: !p.stops, products: !p.products && req.Products != nil,
		groups: !p.groups && req.Groups != nil, prices: !p.prices && len(req.Pricing) > 0 && !d.defaults.ComputePrices,
	}
	if rest == (parts{}) {
		return nil
	}
	j := d.judge(req, rest, b)
	var fields []string
	if rest.header {
		fields = append(fields, o.differing(j.header)...)
		fields = append(fields, o.Asks.differing(&j.asks)...)
	}
	if rest.stops {
		j.keepPositions(o)
		if j.pickup == nil || !o.Pickup.same(j.pickup) {
			fields = append(fields, "pickup")
		}
		if j.delivery == nil || !o.Delivery.same(j.delivery) {
			fields = append(fields, "delivery")
		}
	}
	if rest.products {
		if _, differs := replaceProducts(o, req.ExternalID, j.products, true); differs {
			fields = append(fields, "products")
		}
	}
	if rest.groups && !sameSet(o.Groups, j.groups) {
		fields = append(fields, "groups")
	}
	if rest.prices && !samePrices(given(o.Prices), j.prices) {
		fields = append(fields, "pricing")
	}
	notes := make([]Reason, len(fields))
	for i, field := range fields {
		notes[i] = Reason{IgnoredBySettings, field, fault.Say("import.ignored")}
	}
	return notes
}

func samePrices(a, b []Price) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].same(b[i]) {
			return false
		}
	}
	return true
}

// differing are the fields of a request in which two headers differ.
func (h Header) differing(other Header) []string {
	var fields []string
	add := func(differs bool, field string) {
		if differs {
			fields = append(fields, field)
		}
	}
	add(!h.Date.Equal(other.Date), "date")
	add(h.Reference != other.Reference, "reference")
	add(h.CustomerID != other.CustomerID, "customer")
	add(h.VehicleTypeID != other.VehicleTypeID, "vehicleType")
	add(h.OrderTypeID != other.OrderTypeID, "orderType")
	add(h.FreightNumber != other.FreightNumber, "internalFreightNumber")
	add(h.ConsigneeID != other.ConsigneeID, "consignee")
	add(h.ConsignorID != other.ConsignorID, "consignor")
	add(h.RouteNumber != other.RouteNumber, "routeNumber")
	return fields
}
