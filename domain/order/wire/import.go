package wire

import (
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// The limits of one import request.
const (
	MaxEntries   = 10_000
	MaxBodyBytes = 64 << 20
)

// Body is a well-formed import request; its entries are still to be judged.
type Body struct {
	Defaults order.Defaults
	// Entries are the orders as they were written, in the request's order.
	Entries []Entry
	// Unknown lists the paths of unknown members, at most 100. They have no effect.
	Unknown []string
}

// Numbers returns the order numbers of all entries, with "" for missing ones.
func (b Body) Numbers() []string {
	numbers := make([]string, len(b.Entries))
	for i := range b.Entries {
		numbers[i] = b.Entries[i].ExternalID
	}
	return numbers
}

// Entry is one order of an import request, still in JSON.
type Entry struct {
	ExternalID string
	Raw        jsontext.Value
}

// Decode reads the body of an import. It keeps one entry at a time as Go values and all
// of them as text, so a large import needs little more memory than its body. A value of
// the wrong type, or a NUL character, affects only its entry: the request records it as
// Unreadable. Elsewhere in the body it is a fault of kind Invalid, which names every
// field, at most 100 of them; more than MaxEntries orders are TooLarge. Errors of r are
// returned unchanged.
func Decode(r io.Reader) (Body, error) { return decode(r, present) }

func decode(r io.Reader, f format) (Body, error) {
	d := decoder{object: newObject(r), format: f}
	d.entries.findings = &d.findings
	if err := d.object.read(d.member); err != nil {
		return Body{}, err
	}
	if err := d.err(); err != nil {
		return Body{}, err
	}
	if len(d.out.Entries) == 0 {
		return Body{}, fault.Field("orders", fault.Say("import.orders_empty"))
	}
	d.out.Unknown = d.unknown
	return d.out, nil
}

// format defines a form of import body: the names of its members, and how an
// entry is read.
type format struct {
	customer, vehicleType, orderType string
	settings                         string // "" if the form has none
	entry                            func(e *entries, raw jsontext.Value, at string) (Entry, error)
	// reference reads a member that names a record; nil reads a Ref.
	reference func(f *findings, raw jsontext.Value, at string) (*order.Ref, error)
}

// present is the form of the present import.
var present = format{
	customer: "fallbackCustomer", vehicleType: "fallbackVehicleType", orderType: "fallbackOrderType",
	settings: "updateConfig", entry: newEntry,
}

func newEntry(e *entries, raw jsontext.Value, at string) (Entry, error) {
	var request order.Request
	unreadable, err := e.read(raw, at, "externalId", &request)
	if err != nil {
		return Entry{}, err
	}
	if len(unreadable) > 0 {
		return unreadableEntry(&request, unreadable, "externalId")
	}
	return Entry{ExternalID: request.ExternalID, Raw: raw.Clone()}, nil
}

// unreadableEntry is an entry with unreadable parts. An unreadable number
// counts as none.
func unreadableEntry(request *order.Request, unreadable []order.Reason, number string) (Entry, error) {
	if names(unreadable, number) {
		request.ExternalID = ""
	}
	raw, err := keepUnreadable(request, unreadable)
	return Entry{ExternalID: request.ExternalID, Raw: raw}, err
}

// decoder reads the body of an import.
type decoder struct {
	object
	findings

	entries entries
	format  format
	out     Body
}

func (d *decoder) member(name string) error {
	switch name {
	case "": // no form has a member without a name
	case "orders":
		return d.orders()
	case d.format.customer:
		return d.reference(name, &d.out.Defaults.FallbackCustomer)
	case d.format.vehicleType:
		return d.reference(name, &d.out.Defaults.FallbackVehicleType)
	case d.format.orderType:
		return d.reference(name, &d.out.Defaults.FallbackOrderType)
	case d.format.settings:
		if err := d.value(name, &d.out.Defaults.UpdateConfig); err != nil {
			return err
		}
		return d.out.Defaults.UpdateConfig.Check(name)
	}
	d.keep(fault.Clip(name))
	return d.in.SkipValue()
}

// value reads one member into to.
func (d *decoder) value(name string, to any) error {
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	return d.findings.read(raw, name, to)
}

// reference reads a member that names a record.
func (d *decoder) reference(name string, to **order.Ref) error {
	if d.format.reference == nil {
		return d.value(name, to)
	}
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	*to, err = d.format.reference(&d.findings, raw, name)
	return err
}

func (d *decoder) orders() error {
	if kind := d.in.PeekKind(); kind != '[' {
		// A null counts as absent, and Decode reports the missing orders.
		if _, err := d.in.ReadValue(); err != nil || kind == 'n' {
			return err
		}
		d.complain("orders", wrongType("array", kind))
		return nil
	}
	if _, err := d.in.ReadToken(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		d.inside = entryAt(i)
		switch {
		case d.in.PeekKind() == ']':
			d.inside = ""
			_, err := d.in.ReadToken()
			return err
		case i == MaxEntries:
			return &fault.Error{
				Kind: fault.TooLarge,
				Text: fault.Say("import.too_many_orders", "max", strconv.Itoa(MaxEntries)),
			}
		}
		if err := d.order(); err != nil {
			return err
		}
	}
}

// order reads the entry that the decoder is inside of.
func (d *decoder) order() error {
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	if raw.Kind() != '{' {
		d.complain(d.inside, wrongType("object", raw.Kind()))
		return nil
	}
	if d.full() {
		return nil // enough is known; the rest is only read to its end
	}
	entry, err := d.format.entry(&d.entries, raw, d.inside)
	if err != nil {
		return err
	}
	d.out.Entries = append(d.out.Entries, entry)
	return nil
}

// entryAt names an entry, as callers do.
func entryAt(i int) string { return "orders[" + strconv.Itoa(i) + "]" }
