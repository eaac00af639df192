package orders

import (
	"cmp"
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/operations/bookings"
)

// LookUpZones returns the zones that contain a place.
func (h *Handlers) LookUpZones(
	ctx context.Context, request contract.LookUpZonesRequestObject,
) (contract.LookUpZonesResponseObject, error) {
	place, err := pricedPlace("", request.Params.Country, request.Params.PostalCode)
	if err != nil {
		return nil, err
	}
	tables, err := h.store.PriceTables(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	return contract.LookUpZones200JSONResponse{Zones: zonesNamed(tables.Zones, freight.ZonesOf(tables.Zones, place))}, nil
}

// pricedPlace reads a place whose fields begin with a path.
func pricedPlace(path, country string, postal *string) (freight.Place, error) {
	if country = order.Country(country); !order.IsCountry(country) {
		return freight.Place{}, fault.Field(path+"country", fault.Say("address.bad_country"))
	}
	const longest = 20
	place := freight.Place{Country: country, PostalCode: edge.OrEmpty(postal)}
	return place, edge.CheckTexts(edge.AtMost(longest, path+"postalCode", place.PostalCode))
}

func zonesNamed(zones []freight.Zone, in map[int64]bool) []contract.NamedRecord {
	names := []contract.NamedRecord{}
	for _, z := range zones {
		if in[z.ID] {
			names = append(names, contract.NamedRecord{ID: z.ID, Name: z.Name})
		}
	}
	slices.SortFunc(names, func(a, b contract.NamedRecord) int { return cmp.Compare(a.Name, b.Name) })
	return names
}

// QuotePrice computes the price of a transport.
func (h *Handlers) QuotePrice(
	ctx context.Context, request contract.QuotePriceRequestObject,
) (contract.QuotePriceResponseObject, error) {
	basket, err := h.basket(ctx, "", request.Body)
	if err != nil {
		return nil, err
	}
	tables, err := h.store.PriceTables(ctx, edge.PrincipalOf(ctx).OrgID)
	if err != nil {
		return nil, err
	}
	return newQuote(tables, basket.OrderType, tables.Of(basket.Pickup, basket.Delivery, basket.Items))
}

// basket reads a possible order; path is the prefix of its fields.
func (h *Handlers) basket(
	ctx context.Context, path string, sent *contract.PriceQuoteRequest,
) (basket bookings.Basket, err error) {
	if basket.Pickup, err = pricedPlace(path+"pickup.", sent.Pickup.Country, sent.Pickup.PostalCode); err != nil {
		return basket, err
	}
	if basket.Delivery, err = pricedPlace(path+"delivery.", sent.Delivery.Country, sent.Delivery.PostalCode); err != nil {
		return basket, err
	}
	if basket.Items, err = pricedGoods(path, sent.Products); err != nil {
		return basket, err
	}
	name := edge.OrEmpty(sent.OrderType.Name)
	if err := edge.CheckTexts(edge.AtMost(longestText, path+"orderType.name", name)); err != nil {
		return basket, err
	}
	basket.OrderType, err = h.store.OrderTypeID(ctx, edge.PrincipalOf(ctx).OrgID, sent.OrderType.ID, name)
	return basket, err
}

// pricedGoods reads the goods.
func pricedGoods(path string, products *[]contract.PricedProduct) ([]freight.Item, error) {
	const most, largest = 1000, 1_000_000_000
	sent := listOrNil(products)
	if len(sent) > most {
		return nil, fault.Field(path+"products", fault.Say("field.too_many", "max", "1000"))
	}
	items := make([]freight.Item, len(sent))
	for i, p := range sent {
		items[i] = freight.Item{
			Parent: -1, Quantity: 1, Weight: p.Weight, Length: p.Length, Width: p.Width, Height: p.Height,
		}
		if p.Quantity != nil {
			items[i].Quantity = *p.Quantity
		}
		for _, n := range []*float64{&items[i].Quantity, p.Weight, p.Length, p.Width, p.Height} {
			if n != nil && (*n < 0 || *n > largest) {
				return nil, fault.Field(path+"products", fault.Say("field.number_range"))
			}
		}
	}
	return items, nil
}

func newQuote(tables *pricing.Tables, orderType int64, class freight.Class) (contract.QuotePriceResponseObject, error) {
	list, line := tables.Find(orderType, class)
	if list == nil {
		return nil, &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("pricing.no_line")}
	}
	quote := contract.QuotePrice200JSONResponse{
		Prices: []contract.QuotedPrice{}, Currency: list.Currency, PriceList: list.Name, Line: int32(line + 1),
		FromZones: zonesNamed(tables.Zones, class.From), ToZones: zonesNamed(tables.Zones, class.To),
	}
	quote.Load.WeightKg = class.Load.WeightKg.InexactFloat64()
	quote.Load.VolumeM3 = class.Load.VolumeM3.InexactFloat64()
	quote.Load.Colli = class.Load.Colli.InexactFloat64()
	for _, level := range tables.Levels {
		if level.ID == class.LevelID {
			quote.FreightLevel = &contract.NamedRecord{ID: level.ID, Name: level.Name}
		}
	}
	total := decimal.Zero
	for _, charge := range tables.Price(orderType, class) {
		total = total.Add(charge.Amount)
		quote.Prices = append(quote.Prices, contract.QuotedPrice{
			Name: charge.Name, Price: charge.Amount.String(), Currency: charge.Currency, Quantity: 1,
		})
	}
	quote.Total = total.String()
	return quote, nil
}

// GetOrderPricing reads the prices of an order.
func (h *Handlers) GetOrderPricing(
	ctx context.Context, request contract.GetOrderPricingRequestObject,
) (contract.GetOrderPricingResponseObject, error) {
	prices, err := h.store.PricesOfOrder(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.OrderPricing{OrderID: request.OrderID, Prices: make([]contract.PriceOfOrder, len(prices))}
	totals, currencies := map[string]decimal.Decimal{}, []string{}
	for i, p := range prices {
		out.Prices[i] = contract.PriceOfOrder{
			Name: p.Name, Price: p.Amount, Currency: p.Currency, Quantity: p.Quantity, IsComputed: p.Computed,
		}
		amount, err := decimal.NewFromString(p.Amount)
		if err != nil {
			return nil, err
		}
		if _, known := totals[p.Currency]; !known {
			currencies = append(currencies, p.Currency)
		}
		totals[p.Currency] = totals[p.Currency].Add(amount.Mul(decimal.NewFromFloat(p.Quantity)))
	}
	return newPricing(out, currencies, totals), nil
}

func newPricing(
	out contract.OrderPricing, currencies []string, totals map[string]decimal.Decimal,
) contract.GetOrderPricing200JSONResponse {
	out.Totals = []contract.TotalOfPrices{}
	for _, code := range currencies {
		out.Totals = append(out.Totals, contract.TotalOfPrices{Currency: code, Total: totals[code].String()})
	}
	return contract.GetOrderPricing200JSONResponse(out)
}
