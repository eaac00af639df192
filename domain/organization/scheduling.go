package organization

import (
	"waybill/domain/freight"
	"waybill/domain/order"
)

// Zone is a set of postal codes, identified by its name.
type Zone struct {
	Name  string `yaml:"name"`
	Areas []Area `yaml:"areas"`
}

// Area is a part of a country: the postal codes that begin with Prefix, or
// with something from From to To. Without any of these it is the whole country.
type Area struct {
	Country string `yaml:"country"` // ISO 3166-1 alpha-2
	From    string `yaml:"from"`
	To      string `yaml:"to"`
	Prefix  string `yaml:"prefix"`
}

// AreasOf returns areas as they are stored, once the document is checked.
func AreasOf(said []Area) []freight.Area {
	all := make([]freight.Area, len(said))
	for i, a := range said {
		all[i] = freight.Area{Country: a.Country, From: a.From, To: a.To}
	}
	return all
}

// FreightLevel is a class of loads, identified by its name. An order has the
// first level of the document whose bounds all match; nil is no bound.
type FreightLevel struct {
	Name        string  `yaml:"name"`
	MaxWeightKg Decimal `yaml:"maxWeightKg"`
	MaxVolumeM3 Decimal `yaml:"maxVolumeM3"`
	MaxColli    *int    `yaml:"maxColli"`
}

// Interval is a bookable interval, identified by its name: hours on the days of
// a rule, or on a single date. Without order types, zones or freight levels it
// is for all of them.
type Interval struct {
	Name          string      `yaml:"name"`
	RRule         string      `yaml:"rrule"`
	Date          string      `yaml:"date"`
	Pickup        BookedHours `yaml:"pickup"`
	Delivery      BookedHours `yaml:"delivery"`
	Slots         int         `yaml:"slots"` // seats a day
	OrderTypes    []string    `yaml:"orderTypes"`
	FromToZones   []ZonePair  `yaml:"fromToZones"`
	FreightLevels []string    `yaml:"freightLevels"`
}

// BookedHours are when a stop is served; when they end before they begin they
// end on the next day.
type BookedHours struct {
	Earliest *order.Clock `yaml:"earliest"`
	Latest   *order.Clock `yaml:"latest"`
}

// ZonePair is where goods come from, and where they go, by the names of zones.
type ZonePair struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

// PriceList is identified by its name. It is for orders of the types that it
// names, or of all. The first list of the document with a matching line prices
// an order, by its first matching line.
type PriceList struct {
	Name         string      `yaml:"name"`
	Currency     string      `yaml:"currency"` // ISO 4217
	MinimumPrice Decimal     `yaml:"minimumPrice"`
	OrderTypes   []string    `yaml:"orderTypes"`
	Prices       []PriceLine `yaml:"prices"`
}

// PriceLine is the price from one zone to another for a freight level, each by
// name; an omitted one matches any.
type PriceLine struct {
	From         string  `yaml:"from"`
	To           string  `yaml:"to"`
	FreightLevel string  `yaml:"freightLevel"`
	Base         Decimal `yaml:"base"`
	PerKg        Decimal `yaml:"perKg"`
	PerColli     Decimal `yaml:"perColli"`
}

// Decimal is a number that must not lose a digit, such as money, as plain
// digits with at most one point. It may be empty.
type Decimal string

// ParseDecimal reads a number of at most 12 digits before the point and 6
// behind it.
func ParseDecimal(digits string) (Decimal, bool) {
	return Decimal(digits), matches(`^[0-9]{1,12}(\.[0-9]{1,6})?$`, digits)
}
