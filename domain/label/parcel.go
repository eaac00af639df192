package label

import (
	"fmt"
	"strings"

	"waybill/domain/order"
)

// Level is what gets its own label.
type Level string

// The levels.
const (
	// ByOrder is one label per order.
	ByOrder Level = "ORDER"
	// ByColli is one label per top-level unit.
	ByColli Level = "COLLI"
)

// Parcel is the item for one label.
type Parcel struct {
	Order *order.Order
	// Product is the parcel's product; nil when the label is for the whole
	// order.
	Product *order.Product
	// Unit numbers the parcels of an order from 1 on; Units is their total.
	Unit, Units int
	Code        Code
}

// Code is the content of a barcode.
type Code struct {
	// Text is the code without its symbology.
	Text string
	// SSCC marks a serial shipping container code, which is written as GS1-128;
	// others are plain Code 128.
	SSCC bool
}

// CodeOf is the code of a text that a product has.
func CodeOf(text string) Code {
	if bare := strings.TrimPrefix(text, "00"); len(text) == digits+2 && IsSSCC(bare) {
		return Code{Text: bare, SSCC: true}
	}
	return Code{Text: text, SSCC: IsSSCC(text)}
}

// Readable is the code as people read it, with its application identifier.
func (c Code) Readable() string {
	if c.SSCC {
		return "(00) " + c.Text
	}
	return c.Text
}

// Writable reports whether Code 128 can encode the code: ASCII only, and short
// enough for a label.
func (c Code) Writable() bool {
	const most = 32
	for _, r := range c.Text {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return c.Text != "" && len(c.Text) <= most
}

// Parcels returns the parcels of an order. The code of an order is its serial code,
// such as WB-1042; a line of several units has a parcel for each, with the unit's
// code, or else the line's.
func Parcels(o *order.Order, serial int64, level Level, codes order.UnitCodes) []Parcel {
	if level == ByOrder {
		return []Parcel{{Order: o, Unit: 1, Units: 1, Code: Code{Text: fmt.Sprintf("WB-%d", serial)}}}
	}
	var parcels []Parcel
	for _, p := range o.Products {
		if p.Parent != nil {
			continue
		}
		for unit := range p.Units() {
			parcels = append(parcels, Parcel{Order: o, Product: p, Code: CodeOf(codes.Of(p, unit))})
		}
		if len(parcels) > Most {
			break
		}
	}
	for i := range parcels {
		parcels[i].Unit, parcels[i].Units = i+1, len(parcels)
	}
	return parcels
}

// Most is how many labels are drawn at a time.
const Most = 2000
