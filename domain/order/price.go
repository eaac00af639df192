package order

import (
	"slices"

	"waybill/domain/freight"
)

// price sets the prices of an order from the price lists, if the import
// computes them, and reports whether they changed. An order that no list covers
// has none.
func (d *decider) price(o *Order) (differs bool) {
	if !d.defaults.ComputePrices || d.snapshot.Prices == nil {
		return false
	}
	class := d.snapshot.Prices.Of(o.Pickup.Address.Place(), o.Delivery.Address.Place(), Goods(o.Products))
	var prices []Price
	for _, c := range d.snapshot.Prices.Price(o.OrderTypeID, class) {
		prices = append(prices, Price{
			Name: c.Name, Amount: c.Amount.String(), Currency: c.Currency, Quantity: 1, Computed: true,
		})
	}
	differs = !slices.EqualFunc(o.Prices, prices, Price.same)
	o.Prices = prices
	return differs
}

// Place returns the parts of an address that zones use.
func (a Address) Place() freight.Place {
	return freight.Place{Country: Country(a.Country), PostalCode: a.PostalCode}
}

// Goods are products as freight levels and prices see them.
func Goods(products []*Product) []freight.Item {
	places := make(map[*Product]int, len(products))
	for i, p := range products {
		places[p] = i
	}
	items := make([]freight.Item, len(products))
	for i, p := range products {
		items[i] = freight.Item{
			Parent: -1, Quantity: p.Quantity, Weight: p.Weight, Length: p.Length, Width: p.Width, Height: p.Height,
		}
		if parent, here := places[p.Parent]; here {
			items[i].Parent = parent
		}
	}
	return items
}
