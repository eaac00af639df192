// Package pricing computes the price of an order from an organization's
// price lists. Amounts are exact decimals; each charge is rounded once,
// half away from zero, to the usual digits of its currency.
package pricing

import (
	"slices"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"waybill/domain/freight"
)

// List is a price list. Without order types it is for all.
type List struct {
	Name         string          `json:"name"`
	Currency     string          `json:"currency"` // ISO 4217
	MinimumPrice decimal.Decimal `json:"minimumPrice"`
	OrderTypes   []int64         `json:"orderTypes"`
	Lines        []Line          `json:"lines"`
}

// Line is the price of a zone pair and freight level; 0 fits any.
type Line struct {
	FromZone     int64           `json:"fromZone"`
	ToZone       int64           `json:"toZone"`
	FreightLevel int64           `json:"freightLevel"`
	Base         decimal.Decimal `json:"base"`
	PerKg        decimal.Decimal `json:"perKg"`
	PerColli     decimal.Decimal `json:"perColli"`
}

// Tables are all that prices are computed from, in the organization's order.
type Tables struct {
	freight.Classes

	Lists []List `json:"priceLists"`
}

// Charge is one part of a price.
type Charge struct {
	Name     string
	Amount   decimal.Decimal
	Currency string
}

// Price returns the charges of an order: of the first list for its type with a
// matching line, by that list's first matching line. Charges of zero are left
// out, except the base. Without a matching line there are no charges.
func (t *Tables) Price(orderType int64, class freight.Class) []Charge {
	list, line := t.Find(orderType, class)
	if list == nil {
		return nil
	}
	return list.charge(&list.Lines[line], class.Load)
}

// Find returns the list that prices an order, and the index of its line; nil
// without one.
func (t *Tables) Find(orderType int64, class freight.Class) (list *List, line int) {
	for i := range t.Lists {
		list := &t.Lists[i]
		if len(list.OrderTypes) > 0 && !slices.Contains(list.OrderTypes, orderType) {
			continue
		}
		for j := range list.Lines {
			if list.Lines[j].fits(class) {
				return list, j
			}
		}
	}
	return nil, 0
}

func (l *Line) fits(class freight.Class) bool {
	return (l.FromZone == 0 || class.From[l.FromZone]) && (l.ToZone == 0 || class.To[l.ToZone]) &&
		(l.FreightLevel == 0 || l.FreightLevel == class.LevelID)
}

func (l *List) charge(line *Line, load freight.Load) []Charge {
	digits := Digits(l.Currency)
	total := decimal.Zero
	var charges []Charge
	add := func(part string, amount decimal.Decimal) {
		amount = amount.Round(digits)
		if amount.IsZero() && len(charges) > 0 {
			return
		}
		total = total.Add(amount)
		charges = append(charges, Charge{Name: l.Name + ": " + part, Amount: amount, Currency: l.Currency})
	}
	add("base", line.Base)
	add("weight", line.PerKg.Mul(load.WeightKg))
	add("colli", line.PerColli.Mul(load.Colli))
	if missing := l.MinimumPrice.Round(digits).Sub(total); missing.IsPositive() {
		add("up to the minimum", missing)
	}
	return charges
}

// Digits is how many decimals a currency has, by default 2.
func Digits(code string) int32 {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return int32(scale)
}
