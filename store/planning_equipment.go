package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/driver"
	"waybill/domain/load"
	"waybill/domain/planning"
	"waybill/domain/pricing"
	"waybill/store/columns"
	"waybill/store/queries"
)

// EquipmentOf reads what drivers would have on a day with vehicles of other types, in load dimensions that there are.
// Types that the organization does not have are missing.
func (s *Store) EquipmentOf(
	ctx context.Context, org int64, day time.Time, dimensions load.Dimensions, tries []planning.Like,
) (map[planning.Like]planning.Equipment, error) {
	found := map[planning.Like]planning.Equipment{}
	if len(tries) == 0 {
		return found, nil
	}
	p := queries.VehicleTypesToTryParams{OrgID: org, Day: day}
	for _, like := range tries {
		columns.Add(&p.DriverIds, like.DriverID)
		columns.Add(&p.VehicleTypeIds, like.VehicleTypeID)
	}
	return found, s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		rows, err := t.q.VehicleTypesToTry(ctx, p)
		for i := range rows {
			r := &rows[i]
			limits, err := readLoads(r.MaxLoads)
			if err != nil {
				return fmt.Errorf("vehicle type %d: %w", r.VehicleTypeID, err)
			}
			of := newEquipment(r)
			of.Vehicle.MaxLoads = limits.Within(dimensions)
			found[planning.Like{DriverID: r.DriverID, VehicleTypeID: r.VehicleTypeID}] = of
		}
		return err
	})
}

func newEquipment(r *queries.VehicleTypesToTryRow) planning.Equipment {
	return planning.Equipment{
		Rule:   driver.DrivingRuleOf(r.DrivingRule),
		Limits: driver.Limits{Stops: int(r.MaxStops), DrivingMinutes: int(r.MaxDrivingMinutes)},
		Vehicle: planning.Vehicle{
			TypeID: r.VehicleTypeID, AlsoServes: r.AlsoServes, Profile: planning.Profile(r.Profile),
			MaxWeightKg: orNone(r.MaxWeightKg), MaxVolumeM3: orNone(r.MaxVolumeM3), MaxRouteKm: orNone(r.MaxRouteKm),
			ExtraSetup: seconds(r.ExtraSetupSeconds), Costs: pricing.OfVehicle{
				CostPerShift: orNone(r.CostPerShift), CostPerHour: orNone(r.CostPerHour), CostPerKm: orNone(r.CostPerKm),
			},
		},
	}
}
