package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) priceLists(ctx context.Context) (counts, error) {
	params := queries.ApplyPriceListsParams{OrgID: a.org}
	for i, l := range a.document.PriceLists {
		columns.Add(&params.Names, l.Name)
		columns.Add(&params.Seqs, int32(i))
		columns.Add(&params.Currencies, l.Currency)
		columns.Add(&params.MinimumPrices, orNothing(l.MinimumPrice))
	}
	rows, err := a.q.ApplyPriceLists(ctx, params)
	if err != nil {
		return counts{}, err
	}
	c := newChanges()
	for _, r := range rows {
		c.note(r.ID, r.Created)
	}
	known, err := a.scheduled(ctx)
	if err != nil {
		return counts{}, err
	}
	if err := a.priceLines(ctx, &naming{named: known, document: a.document}, c); err != nil {
		return counts{}, err
	}
	return c.counts(), nil
}

// priceLines writes the order types and lines of price lists.
func (a *applier) priceLines(ctx context.Context, n *naming, c changes) error {
	types := queries.ApplyPriceListOrderTypesParams{OrgID: a.org}
	lines := queries.ApplyPriceListLinesParams{OrgID: a.org}
	for i, l := range a.document.PriceLists {
		path, id := fmt.Sprintf("priceLists[%d]", i), n.id("priceList", l.Name)
		columns.Add(&lines.AllIds, id)
		columns.Add(&lines.Sizes, int32(len(l.Prices)))
		for j, name := range l.OrderTypes {
			columns.Add(&types.PriceListIds, id)
			columns.Add(&types.OrderTypeIds, n.find("orderType", name, fmt.Sprintf("%s.orderTypes[%d]", path, j)))
		}
		for j, p := range l.Prices {
			inner := fmt.Sprintf("%s.prices[%d]", path, j)
			columns.Add(&lines.PriceListIds, id)
			columns.Add(&lines.Seqs, int32(j))
			columns.Add(&lines.FromZoneIds, n.findAny("zone", p.From, inner+".from"))
			columns.Add(&lines.ToZoneIds, n.findAny("zone", p.To, inner+".to"))
			columns.Add(&lines.FreightLevelIds, n.findAny("freightLevel", p.FreightLevel, inner+".freightLevel"))
			columns.Add(&lines.Bases, orNothing(p.Base))
			columns.Add(&lines.PerKgs, orNothing(p.PerKg))
			columns.Add(&lines.PerCollis, orNothing(p.PerColli))
		}
	}
	if err := n.err(); err != nil {
		return err
	}
	types.AllIds = lines.AllIds
	if err := c.add(a.q.ApplyPriceListOrderTypes(ctx, types)); err != nil {
		return err
	}
	return c.add(a.q.ApplyPriceListLines(ctx, lines))
}

func (a *applier) prunePriceLists(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.PriceLists, func(l organization.PriceList) string { return l.Name })
	return a.q.PrunePriceLists(ctx, queries.PrunePriceListsParams{OrgID: a.org, Names: names})
}

// orNothing is an amount, or 0 if absent.
func orNothing(d organization.Decimal) string {
	if d == "" {
		return "0"
	}
	return string(d)
}
