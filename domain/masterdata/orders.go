package masterdata

import (
	"fmt"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/proof"
	"waybill/domain/visit"
)

// OrderType is a type of order; clock times are HH:MM.
type OrderType struct {
	Name                string  `json:"name"`
	Priority            int32   `json:"priority"`
	ReadyFrom           *string `json:"ready_from"`
	PickUpBefore        *string `json:"pick_up_before"`
	DeliverBefore       *string `json:"deliver_before"`
	MinBookAheadMinutes *int32  `json:"min_book_ahead_minutes"`
	MaxBookAheadMinutes *int32  `json:"max_book_ahead_minutes"`
	ExportCarrier       *string `json:"export_carrier"`
	IsActive            bool    `json:"is_active"`
	// Proof is the proof that drivers must bring, where it differs from the
	// organization's.
	Proof *proof.Rules `json:"proof"`
	// ServiceTime is how long its stops take where their locations do not say it.
	ServiceTime *visit.ServiceTime `json:"service_time"`
}

// Kind implements Record.
func (*OrderType) Kind() Kind { return OrderTypes }

// Called implements Record.
func (t *OrderType) Called() string { return t.Name }

// Active implements Record.
func (t *OrderType) Active() bool { return t.IsActive }

// Check implements Record.
func (t *OrderType) Check() error {
	var c checker
	c.name("name", &t.Name)
	c.text("export_carrier", &t.ExportCarrier)
	ready := c.clock("ready_from", &t.ReadyFrom)
	c.ends("pick_up_before", c.clock("pick_up_before", &t.PickUpBefore), t.ReadyFrom, ready)
	c.ends("deliver_before", c.clock("deliver_before", &t.DeliverBefore), t.ReadyFrom, ready)
	c.whole("min_book_ahead_minutes", t.MinBookAheadMinutes)
	c.whole("max_book_ahead_minutes", t.MaxBookAheadMinutes)
	if t.MinBookAheadMinutes != nil && t.MaxBookAheadMinutes != nil && *t.MinBookAheadMinutes > *t.MaxBookAheadMinutes {
		c.complain("min_book_ahead_minutes", fault.Say("order_type.book_ahead"))
	}
	c.problems = append(c.problems, ProofProblems("proof", t.Proof)...)
	c.problems = append(c.problems, t.ServiceTime.Problems("service_time")...)
	return c.err()
}

// ProofProblems returns the violations of rules for proofs.
func ProofProblems(field string, rules *proof.Rules) (problems []fault.Violation) {
	if rules == nil {
		return nil
	}
	for _, m := range rules.Misfits() {
		said := fault.Say("request.not_one_of", "allowed", proof.ListOfLevels())
		if m.Never {
			said = fault.Say("proof.never_asked")
		}
		problems = append(problems, fault.Violation{Field: field + "." + m.Way + "." + m.Thing, Text: said})
	}
	return problems
}

// ends checks when something is over that begins with readiness.
func (c *checker) ends(field string, end *order.Clock, given *string, ready *order.Clock) {
	switch {
	case end == nil:
	case given == nil:
		c.complain(field, fault.Say("order_type.never_ready"))
	case ready != nil && *end == *ready:
		c.complain(field, fault.Say("driver.no_hours"))
	}
}

// References implements Record.
func (*OrderType) References() []Reference { return nil }

// Product is a product of the catalogue: data about the goods that orders name
// by its external id.
type Product struct {
	ExternalID string   `json:"external_id"`
	Name       string   `json:"name"`
	BarcodeID  *string  `json:"barcode_id"`
	Weight     *float64 `json:"weight"`
	Length     *float64 `json:"length"`
	Width      *float64 `json:"width"`
	Height     *float64 `json:"height"`
	AtomType   string   `json:"atom_type"`
	Skills     []string `json:"skills"`
	Units      []Unit   `json:"units"`
	IsActive   bool     `json:"is_active"`
}

// Unit is a package size of a product, such as a box of twelve.
type Unit struct {
	Name      string  `json:"name"`
	Quantity  float64 `json:"quantity"`
	BarcodeID *string `json:"barcode_id"`
}

// maxUnits is the most units of a product.
const maxUnits = 100

// Kind implements Record.
func (*Product) Kind() Kind { return Products }

// Called implements Record.
func (p *Product) Called() string { return p.ExternalID }

// Active implements Record.
func (p *Product) Active() bool { return p.IsActive }

// Check implements Record.
func (p *Product) Check() error {
	var c checker
	c.name("external_id", &p.ExternalID)
	c.name("name", &p.Name)
	c.text("barcode_id", &p.BarcodeID)
	for _, m := range []struct {
		field string
		value *float64
	}{{"weight", p.Weight}, {"length", p.Length}, {"width", p.Width}, {"height", p.Height}} {
		c.number(m.field, m.value)
	}
	c.oneOf("atom_type", p.AtomType, "colli", "trade item")
	p.Skills = c.skills(p.Skills)
	c.atMost("units", len(p.Units), maxUnits)
	for i := range p.Units {
		u := &p.Units[i]
		c.name(within("units", i, "name"), &u.Name)
		c.length(within("units", i, "quantity"), &u.Quantity)
		c.text(within("units", i, "barcode_id"), &u.BarcodeID)
	}
	c.once("units", p.Units)
	return c.err()
}

// once checks that no unit is listed twice.
func (c *checker) once(list string, units []Unit) {
	seen := map[string]bool{}
	for i, u := range units {
		if seen[u.Name] {
			c.complain(fmt.Sprintf("%s[%d].name", list, i), fault.Say("master_data.twice"))
		}
		seen[u.Name] = true
	}
}

// References implements Record.
func (p *Product) References() []Reference { return named(p.Skills) }
