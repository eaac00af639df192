package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"waybill/domain/fault"
	"waybill/store/queries"
)

// Vehicle is a vehicle with the limits that hold for it: its own, else those of
// its type; nil is none.
type Vehicle struct {
	ID                                   int64
	Registration, Name                   string
	TypeID                               int64
	TypeName                             string
	MaxWeightKg, MaxVolumeM3, MaxRouteKm *float64
	HomeLocationID                       int64 // 0 when there is none
	Skills                               []string
	IsActive                             bool
	CreatedAt, UpdatedAt                 time.Time
}

func newVehicle(r *queries.ListVehiclesRow) Vehicle {
	return Vehicle{
		ID: r.ID, Registration: r.Registration, Name: orZero(r.Name), TypeID: r.VehicleTypeID, TypeName: r.VehicleType,
		MaxWeightKg: orNone(r.MaxWeightKg), MaxVolumeM3: orNone(r.MaxVolumeM3), MaxRouteKm: orNone(r.MaxRouteKm),
		HomeLocationID: orZero(r.HomeLocationID), Skills: r.Skills, IsActive: r.IsActive,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// orNone reads a number of which NaN is none.
func orNone(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// Vehicles returns one page of the vehicles, by id, and how many there are in
// all. With active nil it returns those of either kind.
func (s *Store) Vehicles(ctx context.Context, org int64, active *bool, page Page) ([]Vehicle, int64, error) {
	rows, err := s.of(org).ListVehicles(ctx, queries.ListVehiclesParams{
		OrgID: org, IsActive: active, PageSize: page.Size, Skip: page.skip(),
	})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.Vehicles(ctx, org, active, countOnly)
		return nil, total, err
	}
	vehicles := make([]Vehicle, len(rows))
	total := int64(0)
	for i := range rows {
		total, vehicles[i] = rows[i].Total, newVehicle(&rows[i])
	}
	return vehicles, total, translate(err)
}

// Vehicle reads one vehicle.
func (s *Store) Vehicle(ctx context.Context, org, id int64) (Vehicle, error) {
	rows, err := s.of(org).ListVehicles(ctx, queries.ListVehiclesParams{OrgID: org, ID: &id, PageSize: 1})
	switch {
	case err != nil:
		return Vehicle{}, translate(err)
	case len(rows) == 0:
		return Vehicle{}, fault.Missing("vehicle", fmt.Sprint(id))
	}
	return newVehicle(&rows[0]), nil
}
