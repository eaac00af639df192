package organization

import (
	"fmt"

	"golang.org/x/text/currency"

	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// The most that one item of these sections may hold.
const (
	maxAreas = 1_000
	maxPairs = 1_000
	maxLines = 10_000
	maxSlots = 1_000_000
)

func (c *checker) zones() {
	names(c, "zones", c.document.Zones, func(z Zone) string { return z.Name })
	for i := range c.document.Zones {
		z, path := &c.document.Zones[i], at("zones", i)
		switch {
		case len(z.Areas) == 0:
			c.complain(path+".areas", "is missing: a zone needs at least one area")
		case len(z.Areas) > maxAreas:
			c.complain(path+".areas", "must be %d or fewer", maxAreas)
		}
		for j := range z.Areas {
			c.area(fmt.Sprintf("%s.areas[%d]", path, j), &z.Areas[j])
		}
	}
}

// area also writes the codes as zones compare them; a prefix is the codes from
// it to it.
func (c *checker) area(path string, a *Area) {
	if !order.IsCountry(a.Country) {
		c.complain(path+".country", "must be a two-letter ISO 3166-1 country code, such as NO")
	}
	if a.Prefix != "" {
		if a.From != "" || a.To != "" {
			c.complain(path+".prefix", "must not be combined with from and to")
		}
		a.From, a.To = a.Prefix, a.Prefix
	}
	a.From, a.To, a.Prefix = freight.Code(a.From), freight.Code(a.To), ""
	switch {
	case a.From != "" && !matches(`^[0-9A-Z]{1,16}$`, a.From), a.To != "" && !matches(`^[0-9A-Z]{1,16}$`, a.To):
		c.complain(path, "has a postal code that is longer than 16 characters or contains other characters "+
			"than letters and digits")
	case len(a.From) != len(a.To):
		c.complain(path+".to", "must be as long as from")
	case a.From > a.To:
		c.complain(path+".to", "must not be less than from")
	}
}

func (c *checker) freightLevels() {
	names(c, "freightLevels", c.document.FreightLevels, func(l FreightLevel) string { return l.Name })
	for i, l := range c.document.FreightLevels {
		c.notNegative(at("freightLevels", i)+".maxColli", l.MaxColli)
	}
}

func (c *checker) intervals() {
	names(c, "intervals", c.document.Intervals, func(v Interval) string { return v.Name })
	for i := range c.document.Intervals {
		v, path := &c.document.Intervals[i], at("intervals", i)
		c.days(path, v)
		c.bookedHours(path+".pickup", v.Pickup)
		c.bookedHours(path+".delivery", v.Delivery)
		if p, d := v.Pickup, v.Delivery; p.whole() && d.whole() && *d.Earliest < *d.Latest && *d.Latest <= *p.Earliest {
			c.complain(path+".delivery", "must not end before the pickup starts")
		}
		if v.Slots < 1 || v.Slots > maxSlots {
			c.complain(path+".slots", "must be between 1 and %d", maxSlots)
		}
		if len(v.FromToZones) > maxPairs {
			c.complain(path+".fromToZones", "must be %d or fewer", maxPairs)
		}
		for j, pair := range v.FromToZones {
			inner := fmt.Sprintf("%s.fromToZones[%d]", path, j)
			c.name(inner+".from", pair.From)
			c.name(inner+".to", pair.To)
		}
	}
}

// days checks when an interval is offered.
func (c *checker) days(path string, v *Interval) {
	switch {
	case v.RRule == "" && v.Date == "":
		c.complain(path, "needs rrule or date, the days on which it is offered")
	case v.RRule != "" && v.Date != "":
		c.complain(path+".date", "must not be combined with rrule")
	case v.RRule != "":
		if _, err := recurrence.ParseDays(v.RRule, c.zone); err != nil {
			c.complain(path+".rrule", "%v", err)
		}
	default:
		if _, ok := order.ParseDay(v.Date); !ok {
			c.complain(path+".date", "must be a date such as \"2026-12-24\"")
		}
	}
}

func (h BookedHours) whole() bool { return h.Earliest != nil && h.Latest != nil }

func (c *checker) bookedHours(path string, h BookedHours) {
	switch {
	case h.Earliest == nil:
		c.complain(path+".earliest", "is missing")
	case h.Latest == nil:
		c.complain(path+".latest", "is missing")
	case *h.Earliest == *h.Latest:
		c.complain(path+".latest", "must differ from earliest")
	}
}

func (c *checker) priceLists() {
	names(c, "priceLists", c.document.PriceLists, func(l PriceList) string { return l.Name })
	for i := range c.document.PriceLists {
		l, path := &c.document.PriceLists[i], at("priceLists", i)
		if _, err := currency.ParseISO(l.Currency); err != nil || !matches(`^[A-Z]{3}$`, l.Currency) {
			c.complain(path+".currency", "must be an ISO 4217 currency code, such as NOK")
		}
		switch {
		case len(l.Prices) == 0:
			c.complain(path+".prices", "is missing: a price list needs at least one line")
		case len(l.Prices) > maxLines:
			c.complain(path+".prices", "must be %d or fewer", maxLines)
		}
	}
}
