package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/load"
	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/queries"
)

// goodsApart sets which goods must not travel together, if the document says so.
func (a *applier) goodsApart(ctx context.Context) (changed int64, err error) {
	if a.document.Settings.GoodsApart == nil {
		return 0, nil
	}
	return a.q.SetGoodsApart(ctx, queries.SetGoodsApartParams{
		OrgID: a.org, GoodsApart: store.GoodsApartText(a.document.Settings.GoodsApart),
	})
}

// loadDimensions sets the load dimensions, if the document names them.
func (a *applier) loadDimensions(ctx context.Context) (changed int64, err error) {
	if a.document.Settings.LoadDimensions == nil {
		return 0, nil
	}
	return a.q.SetLoadDimensions(ctx, queries.SetLoadDimensionsParams{
		OrgID: a.org, LoadDimensions: store.DimensionsText(a.document.Settings.LoadDimensions),
	})
}

// knowsDimensions reports limits in dimensions that the organization does not have.
func (a *applier) knowsDimensions(ctx context.Context) error {
	document, err := a.q.LoadDimensions(ctx, a.org)
	if err != nil {
		return err
	}
	known, err := store.ReadDimensions(document)
	if err != nil {
		return err
	}
	var problems organization.Problems
	check := func(section string, i int, limits load.Amounts) {
		for j, limit := range limits {
			if !known.Has(limit.Dimension) {
				problems = append(problems, a.document.Problem(fmt.Sprintf("%s[%d].maxLoads[%d].dimension", section, i, j),
					"must be one of the load dimensions in settings.loadDimensions: %s", known.Names()))
			}
		}
	}
	for i := range a.document.VehicleTypes {
		check("vehicleTypes", i, a.document.VehicleTypes[i].MaxLoads)
	}
	for i := range a.document.Vehicles {
		check("vehicles", i, a.document.Vehicles[i].MaxLoads)
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}
