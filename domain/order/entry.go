package order

import (
	"fmt"
	"math"
	"strings"

	"waybill/domain/fault"
)

// judged is an entry checked against the snapshot: its readable parts and its
// reasons. header, stops, groups and prices report which parts were judged,
// because an update may leave some out.
type judged struct {
	header       Header
	asks         Asks
	pickup       *Stop
	delivery     *Stop
	products     []*Product
	groups       []int64
	prices       []Price
	customFields map[int64]FieldValue
	reasons      reasons
	// notes are the deviations from the entry.
	notes []Reason
}

// parts are the parts of an entry that matter; the rest is not even judged.
type parts struct {
	header, stops, products, groups, prices bool
}

// judge holds an entry against the snapshot.
func (d *decider) judge(req *Request, p parts, b basis) judged {
	j := judged{reasons: reasons{everything: d.outspoken}}
	for _, r := range req.Unreadable {
		j.reasons.add(r.Code, r.Field, r.Text)
	}
	if p.header {
		d.judgeHeader(req, &j)
	}
	if p.stops {
		d.judgeStops(req, b, &j)
		d.noteKeptPlaces(req, &j)
	}
	if p.products {
		j.products = d.judgeProducts(req.Products, req.ExternalID, &j.reasons)
	}
	if p.groups {
		j.groups = d.judgeGroups(req.Groups, &j.reasons)
	}
	if p.prices {
		j.prices = judgePrices(req.Pricing, &j.reasons)
	}
	d.warn(req, &j, p, b)
	return j
}

// orBetter is the entry's own reference, or else the fallback.
func orBetter(own, fallback *Ref) *Ref {
	if own.empty() {
		return fallback
	}
	return own
}

func (d *decider) judgeHeader(req *Request, j *judged) {
	h := &j.header
	if c := d.judgeCustomer(orBetter(req.Customer, d.defaults.FallbackCustomer), "customer", true, j); c != nil {
		h.CustomerID, h.DepartmentID = c.ID, c.DepartmentID
	}
	if c := d.judgeCustomer(req.Consignee, "consignee", false, j); c != nil {
		h.ConsigneeID = c.ID
	}
	if c := d.judgeCustomer(req.Consignor, "consignor", false, j); c != nil {
		h.ConsignorID = c.ID
	}
	vehicle := orBetter(req.VehicleType, d.defaults.FallbackVehicleType)
	if v := d.snapshot.vehicleType(vehicle); v != nil {
		h.VehicleTypeID = v.ID
	} else {
		j.reasons.add(VehicleTypeNotFound, "vehicleType", notFound("vehicle_type", vehicle))
	}
	kind := orBetter(req.OrderType, d.defaults.FallbackOrderType)
	if t := d.snapshot.orderType(kind); t != nil {
		h.OrderTypeID = t.ID
	} else {
		j.reasons.add(OrderTypeNotFound, "orderType", notFound("order_type", kind))
	}
	d.judgeTexts(req, j)
	j.asks = req.asks(d.snapshot.LoadDimensions, &j.reasons)
	j.customFields = d.judgeCustomFields(req.CustomFields, &j.reasons)
}

// judgeCustomer finds a party. Only the customer is required.
func (d *decider) judgeCustomer(r *Ref, field string, required bool, j *judged) *Customer {
	if r.empty() && !required {
		return nil
	}
	c := d.snapshot.customer(r)
	if c == nil {
		j.reasons.add(CustomerNotFound, field, notFound("customer", r))
	}
	return c
}

// notFound returns the text for a missing or unknown reference.
func notFound(what string, r *Ref) fault.Text {
	if r.empty() {
		return fault.Say(what + ".missing")
	}
	return fault.Say(what+".not_found", "name", fault.Clip(r.label()))
}

func (d *decider) judgeTexts(req *Request, j *judged) {
	h := &j.header
	h.Reference, h.FreightNumber, h.RouteNumber = req.Reference, string(req.InternalFreightNumber), string(req.RouteNumber)
	for _, text := range []struct{ field, value string }{
		{"reference", h.Reference}, {"internalFreightNumber", h.FreightNumber}, {"routeNumber", h.RouteNumber},
	} {
		if tooLong(text.value, maxName) {
			j.reasons.add(UnknownInvalidInput, text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	day, ok := ParseDay(req.Date)
	switch {
	case req.Date == "":
		j.reasons.add(UnknownInvalidInput, "date", fault.Say("date.missing"))
	case !ok:
		j.reasons.add(UnknownInvalidInput, "date", fault.Say("date.bad"))
	}
	h.Date = day
}

// judgeCustomFields returns the JSON text of each value by its definition.
// Nil means that the entry has no custom fields.
func (d *decider) judgeCustomFields(values []CustomFieldValue, r *reasons) map[int64]FieldValue {
	if values == nil {
		return nil
	}
	out := make(map[int64]FieldValue, len(values))
	for i, v := range values {
		id, known := d.snapshot.index.customFields[v.ExternalID]
		field := fmt.Sprintf("customFields[%d]", i)
		switch {
		case !known:
			r.add(UnknownInvalidInput, field+".externalId",
				fault.Say("custom_field.not_found", "name", fault.Clip(v.ExternalID)))
		case len(v.Value) == 0 || v.Value.Kind() == 'n':
			r.add(UnknownInvalidInput, field+".value", fault.Say("custom_field.no_value"))
		case len(v.Value) > maxText:
			r.add(UnknownInvalidInput, field+".value", fault.Say("field.too_long", "max", fmt.Sprint(maxText)))
		case !v.Stop.known():
			r.add(UnknownInvalidInput, field+".stop", badStop(v.Stop))
		default:
			text, ok := CanonicalJSON(v.Value)
			if !ok {
				r.add(UnknownInvalidInput, field+".value", fault.Say("request.number_out_of_range"))
			}
			out[id] = FieldValue{JSON: text, Stop: v.Stop}
		}
	}
	return out
}

func (d *decider) judgeGroups(refs []Ref, r *reasons) []int64 {
	if refs == nil {
		return nil
	}
	ids := make([]int64, 0, len(refs))
	seen := map[int64]bool{}
	for i := range refs {
		id, known := d.snapshot.index.groupsByName[fold(refs[i].Name)]
		if refs[i].ID != nil {
			id, known = d.snapshot.index.groupsByID[*refs[i].ID]
		}
		if !known {
			r.add(InvalidGroup, fmt.Sprintf("groups[%d]", i), notFound("group", &refs[i]))
			continue
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

func judgePrices(entries []PriceRequest, r *reasons) []Price {
	if entries == nil {
		return nil
	}
	out := make([]Price, 0, len(entries))
	for i, e := range entries {
		field := fmt.Sprintf("pricing[%d]", i)
		price := Price{Name: e.Name, Amount: plain(string(e.Price)), Currency: e.Currency, Quantity: 1}
		if e.Quantity != nil {
			price.Quantity = *e.Quantity
		}
		switch {
		case !isDecimal(string(e.Price)):
			r.add(UnknownInvalidInput, field+".price", fault.Say("price.bad_amount"))
		case !isCurrency(price.Currency):
			r.add(UnknownInvalidInput, field+".currency", fault.Say("price.bad_currency"))
		case tooLong(price.Name, maxName):
			r.add(UnknownInvalidInput, field+".name", fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		case !sensibleNumber(&price.Quantity):
			r.add(UnknownInvalidInput, field+".quantity", fault.Say("field.number_range"))
		}
		out = append(out, price)
	}
	return out
}

// isDecimal reports whether the text is a plain decimal number of money:
// at most 12 digits before the point and 6 after.
func isDecimal(text string) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	whole, fraction := 0, -1
	for _, c := range text {
		switch {
		case c == '.' && fraction < 0:
			fraction = 0
		case c < '0' || c > '9':
			return false
		case fraction >= 0:
			fraction++
		default:
			whole++
		}
	}
	return whole > 0 && whole <= 12 && fraction != 0 && fraction <= 6
}

// plain writes a decimal number without the zeros that do not count, so that
// the same amount is the same text.
func plain(amount string) string {
	digits, negative := strings.CutPrefix(amount, "-")
	digits = strings.TrimLeft(digits, "0")
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	if negative && digits != "0" {
		digits = "-" + digits
	}
	return digits
}

func isCurrency(code string) bool { return len(code) == 3 && isCapitals(code) }

// sensibleNumber reports whether an optional measure can be kept: not
// negative, and below a thousand million.
func sensibleNumber(v *float64) bool {
	return v == nil || *v >= 0 && *v < 1e9 && !math.IsNaN(*v)
}
