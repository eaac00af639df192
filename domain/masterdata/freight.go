package masterdata

import (
	"fmt"
	"regexp"

	"golang.org/x/text/currency"

	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/domain/order"
)

// Zone is a set of postal codes.
type Zone struct {
	Name     string `json:"name"`
	Areas    []Area `json:"areas"`
	IsActive bool   `json:"is_active"`
}

// Area is a part of a country: the postal codes that begin with Prefix, or with
// something from From to To. Without any of these it is the whole country.
type Area struct {
	Country string `json:"country"`
	From    string `json:"from"`
	To      string `json:"to"`
	Prefix  string `json:"prefix,omitempty"`
}

// Kind implements Record.
func (*Zone) Kind() Kind { return Zones }

// Called implements Record.
func (z *Zone) Called() string { return z.Name }

// Active implements Record.
func (z *Zone) Active() bool { return z.IsActive }

// Check implements Record.
func (z *Zone) Check() error {
	var c checker
	c.name("name", &z.Name)
	if len(z.Areas) == 0 {
		c.complain("areas", fault.Say("zone.no_areas"))
	}
	c.atMost("areas", len(z.Areas), maxList)
	for i := range z.Areas {
		c.problems = append(c.problems, z.Areas[i].normalize(fmt.Sprintf("areas[%d]", i))...)
	}
	return c.err()
}

// Areas returns areas as they are stored, and what is wrong with them in a field of that name.
func Areas(field string, areas []Area) ([]freight.Area, []fault.Violation) {
	var problems []fault.Violation
	all := make([]freight.Area, len(areas))
	for i, a := range areas {
		problems = append(problems, a.normalize(fmt.Sprintf("%s[%d]", field, i))...)
		all[i] = freight.Area{Country: a.Country, From: a.From, To: a.To}
	}
	return all, problems
}

var postalCode = regexp.MustCompile(`^[0-9A-Z]{0,16}$`)

// normalize writes the codes as zones compare them; a prefix is the codes from it to it. It returns what is wrong
// with the area, which is in the field.
func (a *Area) normalize(field string) []fault.Violation {
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	if !order.IsCountry(a.Country) {
		complain(field+".country", fault.Say("zone.bad_country"))
	}
	if a.Prefix != "" {
		if a.From != "" || a.To != "" {
			complain(field+".prefix", fault.Say("zone.prefix_alone"))
		}
		a.From, a.To = a.Prefix, a.Prefix
	}
	a.From, a.To, a.Prefix = freight.Code(a.From), freight.Code(a.To), ""
	switch {
	case !postalCode.MatchString(a.From), !postalCode.MatchString(a.To):
		complain(field, fault.Say("zone.bad_code"))
	case len(a.From) != len(a.To), a.From > a.To:
		complain(field+".to", fault.Say("zone.bad_end"))
	}
	return problems
}

// References implements Record.
func (*Zone) References() []Reference { return nil }

// FreightLevel is a class of loads; a nil bound means none. A new one without a
// position comes last.
type FreightLevel struct {
	Name        string   `json:"name"`
	Position    *int32   `json:"position"`
	MaxWeightKg *float64 `json:"max_weight_kg"`
	MaxVolumeM3 *float64 `json:"max_volume_m3"`
	MaxColli    *int32   `json:"max_colli"`
	IsActive    bool     `json:"is_active"`
}

// Kind implements Record.
func (*FreightLevel) Kind() Kind { return FreightLevels }

// Called implements Record.
func (l *FreightLevel) Called() string { return l.Name }

// Active implements Record.
func (l *FreightLevel) Active() bool { return l.IsActive }

// Check implements Record.
func (l *FreightLevel) Check() error {
	var c checker
	c.name("name", &l.Name)
	c.whole("position", l.Position)
	c.number("max_weight_kg", l.MaxWeightKg)
	c.number("max_volume_m3", l.MaxVolumeM3)
	c.whole("max_colli", l.MaxColli)
	return c.err()
}

// References implements Record.
func (*FreightLevel) References() []Reference { return nil }

// PriceList prices orders of the types that it names, or of all. A new one
// without a position comes last.
type PriceList struct {
	Name         string  `json:"name"`
	Position     *int32  `json:"position"`
	Currency     string  `json:"currency"`
	MinimumPrice string  `json:"minimum_price"`
	OrderTypeIDs []int64 `json:"order_type_ids"`
	Prices       []Price `json:"prices"`
	IsActive     bool    `json:"is_active"`
}

// Price is the price from one zone to another for a freight level; nil matches
// any.
type Price struct {
	FromZoneID     *int64 `json:"from_zone_id"`
	ToZoneID       *int64 `json:"to_zone_id"`
	FreightLevelID *int64 `json:"freight_level_id"`
	Base           string `json:"base"`
	PerKg          string `json:"per_kg"`
	PerColli       string `json:"per_colli"`
}

// maxPrices is the most lines of a price list.
const maxPrices = 2_000

// Kind implements Record.
func (*PriceList) Kind() Kind { return PriceLists }

// Called implements Record.
func (l *PriceList) Called() string { return l.Name }

// Active implements Record.
func (l *PriceList) Active() bool { return l.IsActive }

// Check implements Record.
func (l *PriceList) Check() error {
	var c checker
	c.name("name", &l.Name)
	c.whole("position", l.Position)
	if _, err := currency.ParseISO(l.Currency); err != nil || len(l.Currency) != 3 {
		c.complain("currency", fault.Say("price_list.bad_currency"))
	}
	c.money("minimum_price", &l.MinimumPrice)
	c.atMost("order_type_ids", len(l.OrderTypeIDs), maxList)
	c.atMost("prices", len(l.Prices), maxPrices)
	for i := range l.Prices {
		p := &l.Prices[i]
		c.money(within("prices", i, "base"), &p.Base)
		c.money(within("prices", i, "per_kg"), &p.PerKg)
		c.money(within("prices", i, "per_colli"), &p.PerColli)
	}
	return c.err()
}

var decimal = regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,6})?$`)

// money checks an optional amount, which defaults to 0.
func (c *checker) money(field string, amount *string) {
	if *amount == "" {
		*amount = "0"
	}
	if !decimal.MatchString(*amount) {
		c.complain(field, fault.Say("price_list.bad_amount"))
	}
}

// References implements Record.
func (l *PriceList) References() []Reference {
	all := each("order_type_ids", OrderTypes, l.OrderTypeIDs)
	for i, p := range l.Prices {
		all = append(all, optional(within("prices", i, "from_zone_id"), Zones, p.FromZoneID)...)
		all = append(all, optional(within("prices", i, "to_zone_id"), Zones, p.ToZoneID)...)
		all = append(all, optional(within("prices", i, "freight_level_id"), FreightLevels, p.FreightLevelID)...)
	}
	return all
}
