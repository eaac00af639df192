package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) intervals(ctx context.Context) (counts, error) {
	params := queries.ApplyIntervalsParams{OrgID: a.org}
	for _, v := range a.document.Intervals {
		columns.Add(&params.Names, v.Name)
		columns.Add(&params.Rrules, v.RRule)
		columns.Add(&params.Days, v.Date)
		columns.Add(&params.PickupEarliests, columns.OrMinusOne[int16](v.Pickup.Earliest))
		columns.Add(&params.PickupLatests, columns.OrMinusOne[int16](v.Pickup.Latest))
		columns.Add(&params.DeliveryEarliests, columns.OrMinusOne[int16](v.Delivery.Earliest))
		columns.Add(&params.DeliveryLatests, columns.OrMinusOne[int16](v.Delivery.Latest))
		columns.Add(&params.Slots, int32(v.Slots))
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
	if err := a.intervalScopes(ctx, &naming{named: known, document: a.document}, c); err != nil {
		return counts{}, err
	}
	return c.counts(), nil
}

// intervalScopes saves which orders the intervals are for.
func (a *applier) intervalScopes(ctx context.Context, n *naming, c changes) error {
	types := queries.ApplyIntervalOrderTypesParams{OrgID: a.org}
	zones := queries.ApplyIntervalZonesParams{OrgID: a.org}
	levels := queries.ApplyIntervalFreightLevelsParams{OrgID: a.org}
	for i, v := range a.document.Intervals {
		path, id := fmt.Sprintf("intervals[%d]", i), n.id("interval", v.Name)
		columns.Add(&types.AllIds, id)
		for j, name := range v.OrderTypes {
			columns.Add(&types.IntervalIds, id)
			columns.Add(&types.OrderTypeIds, n.find("orderType", name, fmt.Sprintf("%s.orderTypes[%d]", path, j)))
		}
		for j, pair := range v.FromToZones {
			inner := fmt.Sprintf("%s.fromToZones[%d]", path, j)
			columns.Add(&zones.IntervalIds, id)
			columns.Add(&zones.FromZoneIds, n.find("zone", pair.From, inner+".from"))
			columns.Add(&zones.ToZoneIds, n.find("zone", pair.To, inner+".to"))
		}
		for j, name := range v.FreightLevels {
			columns.Add(&levels.IntervalIds, id)
			columns.Add(&levels.FreightLevelIds, n.find("freightLevel", name, fmt.Sprintf("%s.freightLevels[%d]", path, j)))
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

func (a *applier) pruneIntervals(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Intervals, func(v organization.Interval) string { return v.Name })
	return a.q.PruneIntervals(ctx, queries.PruneIntervalsParams{OrgID: a.org, Names: names})
}
