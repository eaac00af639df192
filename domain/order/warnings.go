package order

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/domain/email"
	"waybill/domain/fault"
)

// The codes of what took effect and looks like a mistake (contract,
// ImportWarningReason).
const (
	// DeliveryBeforePickup is a delivery whose window ends before that of the
	// pickup begins.
	DeliveryBeforePickup Code = "DELIVERY_BEFORE_PICKUP"
	// WindowFarFromDate is a window that was sent and is weeks from the order's day.
	WindowFarFromDate Code = "WINDOW_FAR_FROM_DATE"
	// ProductUnnamed is a product with neither name nor identifier.
	ProductUnnamed Code = "PRODUCT_UNNAMED"
	// ContactUnreachable is an address or number that can't get messages.
	ContactUnreachable Code = "CONTACT_UNREACHABLE"
	// ContactErased is a contact whose address was erased.
	ContactErased Code = "CONTACT_ERASED"
	// AddressNotFound is an address of which the register does not know a part.
	AddressNotFound Code = "ADDRESS_NOT_FOUND"
	// AddressAmbiguous is an address that means several places equally well.
	AddressAmbiguous Code = "ADDRESS_AMBIGUOUS"
	// PostalCodeDisagrees is an address that the register has under another postal code.
	PostalCodeDisagrees Code = "POSTAL_CODE_DISAGREES"
	// PositionFarFromAddress are coordinates that were sent and are far from the address.
	PositionFarFromAddress Code = "POSITION_FAR_FROM_ADDRESS"
	// ClosedThatDay is an order of a day on which its customer, a stop or its department has closed.
	ClosedThatDay Code = "CLOSED_THAT_DAY"
)

// Warns reports whether the code is a warning.
func (c Code) Warns() bool {
	return slices.Contains([]Code{
		DeliveryBeforePickup, WindowFarFromDate, ProductUnnamed, ContactUnreachable, ContactErased,
		AddressNotFound, AddressAmbiguous, PostalCodeDisagrees, PositionFarFromAddress, ClosedThatDay,
	}, c)
}

// farFromDate is how far a window may be from the order's day without being
// looked at: goods are under way for days, and not for weeks.
const farFromDate = 14 * 24 * time.Hour

// maxWarnings is how many warnings one entry gets: beyond that, mistakes
// usually repeat.
const maxWarnings = 20

// warn records probable mistakes.
func (d *decider) warn(req *Request, j *judged, p parts, b basis) {
	before := len(j.notes)
	if p.stops && j.pickup != nil && j.delivery != nil {
		j.warnOfWindows(b)
		d.warnOfClosings(j, b)
		j.warnOfContacts("pickup", req.Pickup)
		j.warnOfContacts("delivery", req.Delivery)
		d.warnOfAddress("pickup", j.pickup, j)
		d.warnOfAddress("delivery", j.delivery, j)
		j.warnOfErased("pickup", req.Pickup, d.snapshot.Erased)
		j.warnOfErased("delivery", req.Delivery, d.snapshot.Erased)
	}
	if p.products {
		j.warnOfProducts(req.Products)
	}
	if len(j.notes) > before+maxWarnings {
		j.notes = j.notes[:before+maxWarnings]
	}
}

func (j *judged) warnOfWindows(b basis) {
	pickup, delivery := j.pickup.Window, j.delivery.Window
	if !pickup.Earliest.IsZero() && !delivery.Latest.IsZero() && delivery.Latest.Before(pickup.Earliest) {
		j.note(DeliveryBeforePickup, "delivery.latest", fault.Say("import.delivery_before_pickup"))
	}
	for _, stop := range []struct {
		field  string
		window Window
	}{{"pickup", pickup}, {"delivery", delivery}} {
		far := stop.window.Earliest.Sub(b.day).Abs() > farFromDate || stop.window.Latest.Sub(b.day).Abs() > farFromDate
		if b.ok && stop.window.Source == FromRequest && far {
			j.note(WindowFarFromDate, stop.field+".earliest",
				fault.Say("import.window_far_from_date", "date", b.day.Format(time.DateOnly)))
		}
	}
}

func (j *judged) warnOfContacts(stop string, req *LocationRequest) {
	for i, c := range req.Contacts {
		at := fmt.Sprintf("%s.contacts[%d].", stop, i)
		if _, ok := email.Normalize(c.EmailAddress); c.EmailAddress != "" && !ok {
			j.note(ContactUnreachable, at+"emailAddress", fault.Say("import.bad_email"))
		}
		if c.PhoneNumber != "" && !looksLikePhone(c.PhoneNumber) {
			j.note(ContactUnreachable, at+"phoneNumber", fault.Say("import.bad_phone"))
		}
	}
}

// warnOfErased warns about addresses that return after their person was erased.
func (j *judged) warnOfErased(stop string, req *LocationRequest, erased map[string]bool) {
	for i, c := range req.Contacts {
		for _, a := range []struct{ field, address string }{
			{"emailAddress", c.EmailAddress}, {"phoneNumber", c.PhoneNumber},
		} {
			objects, ok := erased[a.address]
			if !ok {
				continue
			}
			text := fault.Say("import.contact_erased")
			if objects {
				text = fault.Say("import.contact_objects")
			}
			j.note(ContactErased, fmt.Sprintf("%s.contacts[%d].%s", stop, i, a.field), text)
		}
	}
}

// AddressesIn are the addresses of all contacts of entries, as they are written.
func AddressesIn(entries []Request) (all []string) {
	for i := range entries {
		for _, stop := range []*LocationRequest{entries[i].Pickup, entries[i].Delivery} {
			if stop == nil {
				continue
			}
			for _, c := range stop.Contacts {
				all = append(all, c.EmailAddress, c.PhoneNumber)
			}
		}
	}
	return slices.DeleteFunc(all, func(a string) bool { return a == "" })
}

func (j *judged) warnOfProducts(products []ProductRequest) {
	for i := range products {
		if p := &products[i]; p.Name == "" && p.ExternalID == "" && p.BarcodeID == "" {
			j.note(ProductUnnamed, fmt.Sprintf("products[%d].name", i), fault.Say("import.product_unnamed"))
		}
	}
}

// looksLikePhone reports whether a text has the digits of a phone number and no
// other characters than those of one. Whether the number is valid depends on
// the country, which is known only when a message is sent.
func looksLikePhone(text string) bool {
	digits := 0
	for i, r := range strings.TrimSpace(text) {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, strings.ContainsRune(" -./()\u00a0", r):
		default:
			return false
		}
	}
	return digits >= 3 && digits <= 17
}
