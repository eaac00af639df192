package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store/columns"
	"waybill/store/queries"
)

// keepLegs is how long a leg is believed: roads change slowly.
const keepLegs = 30 * 24 * time.Hour

// TravelLegs caches the travel times of routing providers for one organization.
type TravelLegs struct {
	store *Store
	org   int64
}

// TravelLegs returns the kept legs of an organization.
func (s *Store) TravelLegs(org int64) *TravelLegs { return &TravelLegs{s, org} }

// LoadLegs returns the known legs between cells, in both directions, that begin
// or end at a fresh one.
func (l *TravelLegs) LoadLegs(
	ctx context.Context, provider string, profile planning.Profile, fresh, between []planning.Cell,
) (map[planning.Way]routing.Leg, error) {
	rows, err := l.store.of(l.org).LoadTravelLegs(ctx, queries.LoadTravelLegsParams{
		OrgID: l.org, Provider: provider, Profile: string(profile), KeepSeconds: keepLegs.Seconds(),
		Cells: columns.Of(between, planning.Cell.ID), Fresh: columns.Of(fresh, planning.Cell.ID),
	})
	if err != nil {
		return nil, fmt.Errorf("load travel legs: %w", translate(err))
	}
	legs := make(map[planning.Way]routing.Leg, len(rows))
	for _, r := range rows {
		way := planning.Way{From: planning.CellByID(r.FromCell), To: planning.CellByID(r.ToCell)}
		legs[way] = routing.Leg{Seconds: r.Seconds, Meters: r.Meters}
	}
	return legs, nil
}

// SaveLegs saves legs, replacing existing ones. It deletes as many expired
// ones, so that their number stays bounded.
func (l *TravelLegs) SaveLegs(
	ctx context.Context, provider string, profile planning.Profile, legs map[planning.Way]routing.Leg,
) error {
	params := queries.SaveTravelLegsParams{OrgID: l.org, Provider: provider, Profile: string(profile)}
	for way, leg := range legs {
		columns.Add(&params.FromCells, way.From.ID())
		columns.Add(&params.ToCells, way.To.ID())
		columns.Add(&params.Seconds, leg.Seconds)
		columns.Add(&params.Meters, leg.Meters)
	}
	q := l.store.of(l.org)
	err := q.ForgetTravelLegs(ctx, queries.ForgetTravelLegsParams{
		OrgID: l.org, KeepSeconds: keepLegs.Seconds(), AtMost: int32(len(legs)),
	})
	if err == nil {
		err = q.SaveTravelLegs(ctx, params)
	}
	if err != nil {
		return fmt.Errorf("save travel legs: %w", translate(err))
	}
	return nil
}

// retryWays is after how long a way that a provider did not find is asked for again.
const retryWays = time.Hour

// LegToDraw is a leg of a plan's routes whose way is not known.
type LegToDraw struct {
	Profile  planning.Profile
	From, To planning.Point
	// from and to are the numbers of the places.
	from, to int64
}

// DrawnLeg is a leg with its way along streets; Polyline is empty if there is none.
type DrawnLeg struct {
	LegToDraw
	routing.Leg

	Polyline, Version string
}

// LegsToDraw returns the legs of the plan of an area whose ways a provider has not drawn
// lately.
func (l *TravelLegs) LegsToDraw(ctx context.Context, provider string, area planning.Area) ([]LegToDraw, error) {
	rows, err := l.store.of(l.org).LegsToDraw(ctx, queries.LegsToDrawParams{
		OrgID: l.org, Day: area.Date, DepartmentID: area.DepartmentID, Provider: provider,
		KeepSeconds: keepLegs.Seconds(), RetrySeconds: retryWays.Seconds(),
	})
	if err != nil {
		return nil, fmt.Errorf("load legs to draw: %w", translate(err))
	}
	return each(rows, func(r queries.LegsToDrawRow) LegToDraw {
		return LegToDraw{
			Profile: planning.Profile(r.Profile), from: r.FromPlace, to: r.ToPlace,
			From: planning.Point{Latitude: r.FromLatitude, Longitude: r.FromLongitude},
			To:   planning.Point{Latitude: r.ToLatitude, Longitude: r.ToLongitude},
		}
	}), nil
}

// SaveWays saves the ways of legs, replacing existing ones. It deletes as many expired
// ones, so that their number stays bounded.
func (l *TravelLegs) SaveWays(ctx context.Context, provider string, drawn []DrawnLeg) error {
	params := queries.SaveTravelWaysParams{OrgID: l.org, Provider: provider}
	for i := range drawn {
		d := &drawn[i]
		columns.Add(&params.Profiles, string(d.Profile))
		columns.Add(&params.FromPlaces, d.from)
		columns.Add(&params.ToPlaces, d.to)
		columns.Add(&params.Polylines, d.Polyline)
		columns.Add(&params.Seconds, d.Seconds)
		columns.Add(&params.Meters, d.Meters)
		columns.Add(&params.Versions, d.Version)
	}
	q := l.store.of(l.org)
	err := q.ForgetTravelWays(ctx, queries.ForgetTravelWaysParams{
		OrgID: l.org, KeepSeconds: keepLegs.Seconds(), AtMost: int32(len(drawn)),
	})
	if err == nil {
		err = q.SaveTravelWays(ctx, params)
	}
	if err != nil {
		return fmt.Errorf("save ways: %w", translate(err))
	}
	return nil
}
