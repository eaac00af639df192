package order

import (
	"math"

	"waybill/domain/event"
	"waybill/domain/fault"
)

// MostUnits is how many units of a line are counted.
const MostUnits = 2001

// Units is how many units a line has that get a label each: one at least.
func (p *Product) Units() int { return max(1, int(math.Min(math.Ceil(p.Quantity), MostUnits))) }

// UnitCodes are the codes that units of lines have, by the line's id and in the
// sequence of its units. Only lines without a barcode have any.
type UnitCodes map[int64][]string

// Of returns the code of a unit of a line, counted from 0: its own, or else the line's.
func (c UnitCodes) Of(p *Product, unit int) string {
	if codes := c[p.ID]; p.BarcodeID == "" && unit < len(codes) {
		return codes[unit]
	}
	return p.BarcodeID
}

// standsBare reports whether a product is at the top level and has no
// barcode.
func (p *Product) standsBare() bool { return p.Parent == nil && p.BarcodeID == "" }

// Unmarked returns how many top-level units have no barcode yet.
func (o *Order) Unmarked(had UnitCodes) (n int) {
	for _, p := range o.Products {
		if p.standsBare() {
			n += max(0, p.Units()-len(had[p.ID]))
		}
	}
	return n
}

// UnitCode is a code that was drawn for a unit of a line, counted from 1.
type UnitCode struct {
	ProductID int64
	Unit      int
	Code      string
}

// Mark gives each top-level unit without a barcode the next one drawn. The
// barcode of a single unit is stored on its line, which then counts as
// modified: imports leave it alone, because a label may already have it. The
// barcodes of a line of several units are returned. The event is empty if none
// was drawn.
func Mark(o *Order, had UnitCodes, draw func() string) (units []UnitCode, e Event, err error) {
	if o.Unmarked(had) == 0 {
		return nil, e, nil
	}
	next := copies(o.Products)
	for _, p := range next {
		switch n := p.Units(); {
		case !p.standsBare():
		case n == 1 && len(had[p.ID]) == 0:
			p.BarcodeID = draw()
		default:
			for unit := len(had[p.ID]) + 1; unit <= n; unit++ {
				units = append(units, UnitCode{p.ID, unit, draw()})
			}
		}
	}
	if len(units) > 0 && o.Status.Loaded() {
		return nil, e, &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("order.already_picked_up"), Resource: "order", Name: o.Number,
		}
	}
	if e, err = o.replan(o.Number, next); err == nil && e.Kind == "" {
		e = Event{Kind: event.OrderUpdated, Number: o.Number, Order: o}
	}
	return units, e, err
}
