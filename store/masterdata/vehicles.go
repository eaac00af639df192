package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/event"
	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) vehicles(ctx context.Context) (counts, error) {
	n, err := a.fleet(ctx)
	if err != nil {
		return counts{}, err
	}
	params := queries.ApplyVehiclesParams{OrgID: a.org}
	for i, v := range a.document.Vehicles {
		path := fmt.Sprintf("vehicles[%d]", i)
		columns.Add(&params.Registrations, v.Registration)
		columns.Add(&params.Names, v.Name)
		columns.Add(&params.VehicleTypeIds, n.find("vehicleType", v.VehicleType, path+".vehicleType"))
		columns.Add(&params.MaxWeightsKg, columns.OrNaN(v.MaxWeightKg))
		columns.Add(&params.MaxVolumesM3, columns.OrNaN(v.MaxVolumeM3))
		columns.Add(&params.MaxRoutesKm, columns.OrNaN(v.MaxRouteKm))
		columns.Add(&params.MaxLoads, store.LoadsText(v.MaxLoads))
		columns.Add(&params.HomeLocationIds, n.findAny("location", v.HomeLocation, path+".homeLocation"))
	}
	if err := n.err(); err != nil {
		return counts{}, err
	}
	rows, err := a.q.ApplyVehicles(ctx, params)
	if err != nil {
		return counts{}, err
	}
	c := newChanges()
	for _, r := range rows {
		c.note(r.ID, r.Created)
	}
	if err := a.vehicleSkills(ctx, c); err != nil {
		return counts{}, err
	}
	a.note(c, func(id int64, created bool) event.Event {
		if created {
			return event.Vehicle{ID: id}.Event(event.VehicleCreated)
		}
		return event.Vehicle{ID: id}.Event(event.VehicleUpdated)
	})
	return c.counts(), nil
}

// vehicleSkills saves the vehicles' skills.
func (a *applier) vehicleSkills(ctx context.Context, c changes) error {
	n, err := a.fleet(ctx) // with the vehicles that are new
	if err != nil {
		return err
	}
	params := queries.ApplyVehicleSkillsParams{OrgID: a.org}
	for i, v := range a.document.Vehicles {
		id := n.id("vehicle", v.Registration)
		columns.Add(&params.AllIds, id)
		for j, name := range v.Skills {
			columns.Add(&params.VehicleIds, id)
			columns.Add(&params.SkillIds, n.find("skill", name, fmt.Sprintf("vehicles[%d].skills[%d]", i, j)))
		}
	}
	if err := n.err(); err != nil {
		return err
	}
	return c.add(a.q.ApplyVehicleSkills(ctx, params))
}

func (a *applier) pruneVehicles(ctx context.Context) (int64, error) {
	pruned, err := a.q.PruneVehicles(ctx, queries.PruneVehiclesParams{
		OrgID:         a.org,
		Registrations: columns.Of(a.document.Vehicles, func(v organization.Vehicle) string { return v.Registration }),
	})
	for _, id := range pruned.Ids {
		a.events = append(a.events, event.Vehicle{ID: id}.Event(event.VehicleDeactivated))
	}
	return pruned.Removed, err
}
