package store

import (
	"context"
	"math"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/simulation"
	"waybill/store/queries"
)

// SimulatedDrivers returns the drivers of a run, with their progress and their
// open stops. It leaves out drivers with a phone.
func (s *Store) SimulatedDrivers(ctx context.Context, r *simulation.Run) ([]simulation.Driver, error) {
	q := s.of(r.OrgID)
	rows, err := q.SimulatedDrivers(ctx, queries.SimulatedDriversParams{OrgID: r.OrgID, Day: r.Day, Since: r.Started})
	if err != nil {
		return nil, translate(err)
	}
	drivers := make([]simulation.Driver, len(rows))
	places := make(map[int64]int, len(rows))
	for i := range rows {
		drivers[i] = newSimulatedDriver(i, &rows[i])
		places[rows[i].ID] = i
	}
	stops, err := q.SimulatedStops(ctx, queries.SimulatedStopsParams{OrgID: r.OrgID, Day: r.Day})
	for i := range stops {
		if place, drives := places[stops[i].DriverID]; drives {
			drivers[place].Stops = append(drivers[place].Stops, newSimulatedStop(&stops[i]))
		}
	}
	return drivers, translate(err)
}

func newSimulatedDriver(turn int, r *queries.SimulatedDriversRow) simulation.Driver {
	d := simulation.Driver{
		ID: r.ID, Turn: turn, Starts: int(r.Starts), Ends: int(r.Ends), Rejected: int(r.Rejected),
	}
	if r.SetsOut.After(time.Unix(0, 0)) {
		d.SetsOut = r.SetsOut.UTC()
	}
	if r.LastAt.After(time.Unix(0, 0)) {
		d.Last = r.LastAt.UTC()
	}
	if !math.IsNaN(r.Latitude) {
		d.Was = &driving.Position{Latitude: r.Latitude, Longitude: r.Longitude, At: r.At.UTC()}
	}
	return d
}

func newSimulatedStop(r *queries.SimulatedStopsRow) simulation.Stop {
	products := make([]simulation.Product, len(r.ProductIds))
	for i := range products {
		products[i] = simulation.Product{ID: r.ProductIds[i], Quantity: r.Quantities[i]}
	}
	return simulation.Stop{
		ID: r.ID, Kind: order.StopKind(r.Kind), Number: r.Number, Arrived: r.Arrived, Known: r.CreatedAt.UTC(),
		Latitude: r.Latitude, Longitude: r.Longitude,
		Driving: seconds(r.DrivingSeconds), Way: seconds(r.WaySeconds), Earliest: r.Earliest.UTC(),
		Base: seconds(r.BaseSeconds), Joined: r.Joined, OwnTime: r.OwnTime, Line: wayOf(r.Polyline),
		Setup: seconds(r.SetupSeconds), Service: seconds(r.ServiceSeconds),
		Contact: r.Contact, Products: products,
	}
}
