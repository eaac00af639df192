package masterdata

import (
	"context"
	"encoding/json"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) zones(ctx context.Context) (counts, error) {
	params := queries.ApplyZonesParams{OrgID: a.org}
	for _, z := range a.document.Zones {
		text, err := json.Marshal(organization.AreasOf(z.Areas))
		if err != nil {
			return counts{}, err
		}
		columns.Add(&params.Names, z.Name)
		columns.Add(&params.Areas, string(text))
	}
	n, err := a.q.ApplyZones(ctx, params)
	return counts(n), err
}

func (a *applier) pruneZones(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Zones, func(z organization.Zone) string { return z.Name })
	return a.q.PruneZones(ctx, queries.PruneZonesParams{OrgID: a.org, Names: names})
}

func (a *applier) freightLevels(ctx context.Context) (counts, error) {
	params := queries.ApplyFreightLevelsParams{OrgID: a.org}
	for i, l := range a.document.FreightLevels {
		columns.Add(&params.Names, l.Name)
		columns.Add(&params.Seqs, int32(i))
		columns.Add(&params.MaxWeightsKg, string(l.MaxWeightKg))
		columns.Add(&params.MaxVolumesM3, string(l.MaxVolumeM3))
		columns.Add(&params.MaxCollis, columns.OrMinusOne[int32](l.MaxColli))
	}
	n, err := a.q.ApplyFreightLevels(ctx, params)
	return counts(n), err
}

func (a *applier) pruneFreightLevels(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.FreightLevels, func(l organization.FreightLevel) string { return l.Name })
	return a.q.PruneFreightLevels(ctx, queries.PruneFreightLevelsParams{OrgID: a.org, Names: names})
}
