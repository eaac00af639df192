package store

import (
	"context"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"

	"waybill/domain/event"
	"waybill/domain/place"
	"waybill/store/queries"
)

// PlaceProposal is an open proposal of where an address is.
type PlaceProposal = queries.ListProposalsRow

// The states in which a decided proposal is.
const (
	ProposalAccepted  = "ACCEPTED"
	ProposalDismissed = "DISMISSED"
)

// PlaceProposals returns the open proposals behind one of them, up to a limit, and whether there
// are more.
func (s *Store) PlaceProposals(
	ctx context.Context, org, after int64, atMost int32,
) ([]PlaceProposal, bool, error) {
	rows, err := s.reads(org).ListProposals(ctx,
		queries.ListProposalsParams{OrgID: org, After: after, PageSize: atMost + 1})
	if err != nil {
		return nil, false, translate(err)
	}
	if len(rows) > int(atMost) {
		return rows[:atMost], true, nil
	}
	return rows, false, nil
}

// What a proposal corrects.
const (
	// OfAddress is the pin of an address.
	OfAddress = "ADDRESS"
	// OfLocation are the coordinates of a location, and OfOrder those that an order brought for a stop.
	OfLocation = "LOCATION"
	OfOrder    = "ORDER"
)

// Proposed is what a proposal says.
type Proposed struct {
	Key    place.Key
	Source string
	// Target is OfAddress, OfLocation or OfOrder, and LocationID is 0 unless it is OfLocation.
	Target             string
	LocationID, StopID int64
	At                 place.Position
}

// DecideProposal accepts or dismisses an open proposal, and returns what it says.
func (t *Tx) DecideProposal(ctx context.Context, id int64, state, by string) (p Proposed, err error) {
	row, err := t.q.DecideProposal(ctx, queries.DecideProposalParams{OrgID: t.org, ID: id, State: state, DecidedBy: by})
	if err != nil {
		return p, absent("place", id, err)
	}
	return Proposed{
		Key: place.Key(row.Key), Source: row.Source, Target: row.Target, LocationID: row.LocationID, StopID: row.StopID,
		At: place.Position{Latitude: row.Latitude, Longitude: row.Longitude},
	}, nil
}

// ReportedPin returns the open proposal of a driver for the address of a stop, if the
// organization accepts such proposals by itself, and 0 otherwise.
func (t *Tx) ReportedPin(ctx context.Context, stopID int64) (int64, error) {
	ids, err := t.q.ProposalToAccept(ctx, queries.ProposalToAcceptParams{OrgID: t.org, StopID: stopID})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// Arrived is what is known of the arrivals at the address of a stop.
type Arrived struct {
	place.Arrivals
	// Source is the source of the known position.
	Source string
	// Accepts is true if the organization takes over by itself what arrivals teach.
	Accepts bool
}

// ArrivalsAt returns the arrivals at the address of a stop, nil for a stop with coordinates.
func (t *Tx) ArrivalsAt(ctx context.Context, stopID int64) (*Arrived, error) {
	row, err := t.q.ArrivalsAtStop(ctx, queries.ArrivalsAtStopParams{
		OrgID: t.org, StopID: stopID, Accuracy: place.ExactArrival, Most: place.LatestArrivals,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a := &Arrived{Source: row.Source, Accepts: row.Accepts}
	a.Known = positionOrNone(row.Latitude, row.Longitude)
	a.Learned = positionOrNone(row.LearnedLatitude, row.LearnedLongitude)
	for i := range row.Latitudes {
		a.At = append(a.At, place.Position{Latitude: row.Latitudes[i], Longitude: row.Longitudes[i]})
	}
	return a, nil
}

func positionOrNone(latitude, longitude float64) *place.Position {
	if math.IsNaN(latitude) || math.IsNaN(longitude) {
		return nil
	}
	return &place.Position{Latitude: latitude, Longitude: longitude}
}

// ProposeByArrivals keeps where the address of a stop is by its arrivals, and returns the
// proposal.
func (t *Tx) ProposeByArrivals(ctx context.Context, stopID int64, at place.Position, arrivals int) (int64, error) {
	return t.q.ProposeByArrivals(ctx, queries.ProposeByArrivalsParams{
		OrgID: t.org, StopID: stopID, Latitude: at.Latitude, Longitude: at.Longitude, Arrivals: int64(arrivals),
	})
}

// MoveStop writes where a stop is that has coordinates of its order, with the event, and returns how
// many orders it has changed: none if the stop is no longer to come.
func (t *Tx) MoveStop(ctx context.Context, stopID int64, at place.Position) (int, error) {
	rows, err := t.q.LockOrderOfStop(ctx, queries.LockOrderOfStopParams{OrgID: t.org, StopID: stopID})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	err = t.q.MoveStop(ctx, queries.MoveStopParams{
		OrgID: t.org, StopID: stopID, Latitude: at.Latitude, Longitude: at.Longitude,
	})
	if err != nil {
		return 0, err
	}
	err = t.q.MoveStopOfShares(ctx, queries.MoveStopOfSharesParams{
		OrgID: t.org, StopID: stopID, Latitude: at.Latitude, Longitude: at.Longitude,
	})
	if err != nil {
		return 0, err
	}
	return 1, t.Append(ctx, event.Order{ID: rows[0].ID, Number: rows[0].Number}.Event(event.StopPlaced))
}
