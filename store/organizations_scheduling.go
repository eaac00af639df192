package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/freight"
	"waybill/domain/organization"
	"waybill/store/queries"
)

// scheduled are the records that intervals and price lists speak of, by kind
// and folded name.
type scheduled map[string]map[string]int64

func (a *applier) scheduled(ctx context.Context) (scheduled, error) {
	rows, err := a.q.NamedForScheduling(ctx, a.org)
	known := scheduled{}
	for _, r := range rows {
		if known[r.Kind] == nil {
			known[r.Kind] = map[string]int64{}
		}
		known[r.Kind][organization.Fold(r.Name)] = r.ID
	}
	return known, err
}

func (s scheduled) id(kind, name string) int64 { return s[kind][organization.Fold(name)] }

// naming finds the ids of names, and complains of those that lead nowhere.
type naming struct {
	scheduled

	document *organization.Document
	problems organization.Problems
}

var kindNames = map[string]string{"orderType": "order type", "zone": "zone", "freightLevel": "freight level"}

func (n *naming) find(kind, name, path string) int64 {
	id := n.id(kind, name)
	if id == 0 {
		n.problems = append(n.problems, n.document.Problem(path, "there is no %s %q", kindNames[kind], name))
	}
	return id
}

// findAny is find for a name that may be left out, which gives 0.
func (n *naming) findAny(kind, name, path string) int64 {
	if name == "" {
		return 0
	}
	return n.find(kind, name, path)
}

func (n *naming) err() error {
	if len(n.problems) == 0 {
		return nil
	}
	return n.problems
}

func (a *applier) zones(ctx context.Context) (counts, error) {
	params := queries.ApplyZonesParams{OrgID: a.org}
	for _, z := range a.document.Zones {
		areas := make([]freight.Area, len(z.Areas))
		for i, area := range z.Areas {
			areas[i] = freight.Area{Country: area.Country, From: area.From, To: area.To}
		}
		text, err := json.Marshal(areas)
		if err != nil {
			return counts{}, err
		}
		put(&params.Names, z.Name)
		put(&params.Areas, string(text))
	}
	n, err := a.q.ApplyZones(ctx, params)
	return counts(n), err
}

func (a *applier) freightLevels(ctx context.Context) (counts, error) {
	params := queries.ApplyFreightLevelsParams{OrgID: a.org}
	for i, l := range a.document.FreightLevels {
		put(&params.Names, l.Name)
		put(&params.Seqs, int32(i))
		put(&params.MaxWeightsKg, string(l.MaxWeightKg))
		put(&params.MaxVolumesM3, string(l.MaxVolumeM3))
		put(&params.MaxCollis, orMinusOne[int32](l.MaxColli))
	}
	n, err := a.q.ApplyFreightLevels(ctx, params)
	return counts(n), err
}

// changes counts the items of a section that consists of several tables.
type changes struct {
	created, changed map[int64]bool
}

func newChanges() changes { return changes{map[int64]bool{}, map[int64]bool{}} }

func (c changes) add(ids []int64, err error) error {
	for _, id := range ids {
		c.changed[id] = true
	}
	return err
}

// note takes in a record that was written.
func (c changes) note(id int64, created bool) {
	c.changed[id] = true
	if created {
		c.created[id] = true
	}
}

func (c changes) counts() counts {
	n := counts{Created: int32(len(c.created))}
	for id := range c.changed {
		if !c.created[id] {
			n.Updated++
		}
	}
	return n
}

func (a *applier) intervals(ctx context.Context) (counts, error) {
	params := queries.ApplyIntervalsParams{OrgID: a.org}
	for _, v := range a.document.Intervals {
		put(&params.Names, v.Name)
		put(&params.Rrules, v.RRule)
		put(&params.Days, v.Date)
		put(&params.PickupEarliests, orMinusOne[int16](v.Pickup.Earliest))
		put(&params.PickupLatests, orMinusOne[int16](v.Pickup.Latest))
		put(&params.DeliveryEarliests, orMinusOne[int16](v.Delivery.Earliest))
		put(&params.DeliveryLatests, orMinusOne[int16](v.Delivery.Latest))
		put(&params.Slots, int32(v.Slots))
	}
	rows, err := a.q.ApplyIntervals(ctx, params)
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
	if err := a.intervalScopes(ctx, &naming{scheduled: known, document: a.document}, c); err != nil {
		return counts{}, err
	}
	return c.counts(), nil
}

// intervalScopes writes what intervals are for.
func (a *applier) intervalScopes(ctx context.Context, n *naming, c changes) error {
	types := queries.ApplyIntervalOrderTypesParams{OrgID: a.org}
	zones := queries.ApplyIntervalZonesParams{OrgID: a.org}
	levels := queries.ApplyIntervalFreightLevelsParams{OrgID: a.org}
	for i, v := range a.document.Intervals {
		path, id := fmt.Sprintf("intervals[%d]", i), n.id("interval", v.Name)
		put(&types.AllIds, id)
		for j, name := range v.OrderTypes {
			put(&types.IntervalIds, id)
			put(&types.OrderTypeIds, n.find("orderType", name, fmt.Sprintf("%s.orderTypes[%d]", path, j)))
		}
		for j, pair := range v.FromToZones {
			inner := fmt.Sprintf("%s.fromToZones[%d]", path, j)
			put(&zones.IntervalIds, id)
			put(&zones.FromZoneIds, n.find("zone", pair.From, inner+".from"))
			put(&zones.ToZoneIds, n.find("zone", pair.To, inner+".to"))
		}
		for j, name := range v.FreightLevels {
			put(&levels.IntervalIds, id)
			put(&levels.FreightLevelIds, n.find("freightLevel", name, fmt.Sprintf("%s.freightLevels[%d]", path, j)))
		}
	}
	if err := n.err(); err != nil {
		return err
	}
	zones.AllIds, levels.AllIds = types.AllIds, types.AllIds
	if err := c.add(a.q.ApplyIntervalOrderTypes(ctx, types)); err != nil {
		return err
	}
	if err := c.add(a.q.ApplyIntervalZones(ctx, zones)); err != nil {
		return err
	}
	return c.add(a.q.ApplyIntervalFreightLevels(ctx, levels))
}

func (a *applier) priceLists(ctx context.Context) (counts, error) {
	params := queries.ApplyPriceListsParams{OrgID: a.org}
	for i, l := range a.document.PriceLists {
		put(&params.Names, l.Name)
		put(&params.Seqs, int32(i))
		put(&params.Currencies, l.Currency)
		put(&params.MinimumPrices, orNothing(l.MinimumPrice))
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
	if err := a.priceLines(ctx, &naming{scheduled: known, document: a.document}, c); err != nil {
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
		put(&lines.AllIds, id)
		put(&lines.Sizes, int32(len(l.Prices)))
		for j, name := range l.OrderTypes {
			put(&types.PriceListIds, id)
			put(&types.OrderTypeIds, n.find("orderType", name, fmt.Sprintf("%s.orderTypes[%d]", path, j)))
		}
		for j, p := range l.Prices {
			inner := fmt.Sprintf("%s.prices[%d]", path, j)
			put(&lines.PriceListIds, id)
			put(&lines.Seqs, int32(j))
			put(&lines.FromZoneIds, n.findAny("zone", p.From, inner+".from"))
			put(&lines.ToZoneIds, n.findAny("zone", p.To, inner+".to"))
			put(&lines.FreightLevelIds, n.findAny("freightLevel", p.FreightLevel, inner+".freightLevel"))
			put(&lines.Bases, orNothing(p.Base))
			put(&lines.PerKgs, orNothing(p.PerKg))
			put(&lines.PerCollis, orNothing(p.PerColli))
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

// orNothing is an amount of which an absent one is 0.
func orNothing(d organization.Decimal) string {
	if d == "" {
		return "0"
	}
	return string(d)
}
