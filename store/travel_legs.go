package store

import (
	"context"
	"encoding/binary"
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

// mostBlocks is how many blocks of an organization are kept, and the most that is read at once.
const mostBlocks = 5000

// LoadBlocks returns known blocks with legs between cells, in both directions, that begin
// or end at a fresh one. Later ones count more.
func (l *TravelLegs) LoadBlocks(
	ctx context.Context, of planning.TravelSource, fresh, between []planning.Cell,
) ([]planning.TravelBlock, error) {
	rows, err := l.store.of(l.org).LoadTravelBlocks(ctx, queries.LoadTravelBlocksParams{
		OrgID: l.org, Provider: of.Provider, Profile: string(of.Profile), Version: of.Version,
		KeepSeconds: keepLegs.Seconds(), AtMost: mostBlocks,
		Cells: columns.Of(between, planning.Cell.ID), Fresh: columns.Of(fresh, planning.Cell.ID),
	})
	if err != nil {
		return nil, fmt.Errorf("load travel times: %w", translate(err))
	}
	return each(rows, func(r queries.LoadTravelBlocksRow) planning.TravelBlock {
		return planning.TravelBlock{
			From: columns.Of(r.FromCells, planning.CellByID), To: columns.Of(r.ToCells, planning.CellByID),
			FromMeters: columns.Of(r.FromMeters, narrow), ToMeters: columns.Of(r.ToMeters, narrow),
			Legs: legsOf(r.Legs), Corrected: r.Corrected,
		}
	}), nil
}

func narrow(n int64) int32 { return int32(n) }

func widen(n int32) int64 { return int64(n) }

// legBytes is how many bytes a leg takes.
const legBytes = 8

func legsOf(data []byte) []routing.Leg {
	legs := make([]routing.Leg, len(data)/legBytes)
	for i := range legs {
		at := data[i*legBytes:]
		legs[i] = routing.Leg{
			Seconds: int32(binary.BigEndian.Uint32(at)), Meters: int32(binary.BigEndian.Uint32(at[legBytes/2:])),
		}
	}
	return legs
}

func bytesOf(legs []routing.Leg) []byte {
	data := make([]byte, 0, len(legs)*legBytes)
	for _, leg := range legs {
		data = binary.BigEndian.AppendUint32(data, uint32(leg.Seconds))
		data = binary.BigEndian.AppendUint32(data, uint32(leg.Meters))
	}
	return data
}

// forgetAtOnce is how many blocks are deleted as another comes.
const forgetAtOnce = 4

// SaveBlock saves a block. It deletes as many expired ones and more, so that their number stays
// bounded.
func (l *TravelLegs) SaveBlock(ctx context.Context, of planning.TravelSource, b *planning.TravelBlock) error {
	q := l.store.of(l.org)
	err := q.ForgetTravelBlocks(ctx, queries.ForgetTravelBlocksParams{
		OrgID: l.org, KeepSeconds: keepLegs.Seconds(), AtMost: forgetAtOnce, Most: mostBlocks,
	})
	if err == nil {
		err = q.SaveTravelBlock(ctx, queries.SaveTravelBlockParams{
			OrgID: l.org, Provider: of.Provider, Profile: string(of.Profile), Version: of.Version,
			FromCells: columns.Of(b.From, planning.Cell.ID), ToCells: columns.Of(b.To, planning.Cell.ID),
			FromMeters: columns.Of(b.FromMeters, widen), ToMeters: columns.Of(b.ToMeters, widen),
			Legs: bytesOf(b.Legs), Corrected: b.Corrected,
		})
	}
	if err != nil {
		return fmt.Errorf("save travel times: %w", translate(err))
	}
	return nil
}

// retryWays is after how long a way that a provider did not find is asked for again.
const retryWays = time.Hour

// LegToDraw is a leg of a plan's routes whose way is not known.
type LegToDraw struct {
	Profile  planning.Profile
	From, To planning.Point
	// PlannedSeconds is how long the plan takes for it, or -1 if it does not say.
	PlannedSeconds int64
	// from and to are the numbers of the places.
	from, to int64
}

// DrawnLeg is a leg with its way along streets; Polyline is empty if there is none.
type DrawnLeg struct {
	LegToDraw
	routing.Leg

	Polyline, Version string
	// TableSeconds is what the table said, if the time of the route counts because they differ
	// much; otherwise -1.
	TableSeconds int64
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
			From:           endOfLeg(r.FromLatitude, r.FromLongitude, r.FromPlace),
			To:             endOfLeg(r.ToLatitude, r.ToLongitude, r.ToPlace),
			PlannedSeconds: r.PlannedSeconds,
		}
	}), nil
}

// endOfLeg is the point with the number of a place.
func endOfLeg(latitude, longitude float64, place int64) planning.Point {
	return planning.Point{Latitude: latitude, Longitude: longitude, Curbside: planning.CurbsideByID(place)}
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
		columns.Add(&params.TableSeconds, d.TableSeconds)
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
