package store

import (
	"context"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/places"
	"waybill/store/queries"
)

// PlaceToCheck is a stop whose address was not found well enough.
type PlaceToCheck = queries.PlacesToCheckRow

// PlaceFilter selects stops whose address was not found well enough, of orders of the days from
// First to Last, behind a stop.
type PlaceFilter struct {
	Precisions  []string
	First, Last time.Time
	After       PlaceCursor
}

// PlaceCursor is how far somebody has read. The zero cursor is the beginning.
type PlaceCursor struct {
	Day  time.Time
	Stop int64
}

// mostCounted is how many stops are counted.
const mostCounted = 1_000

// PlacesToCheck returns stops by date, up to a limit, and whether there are more.
func (s *Store) PlacesToCheck(
	ctx context.Context, org int64, f PlaceFilter, atMost int32,
) ([]PlaceToCheck, bool, error) {
	rows, err := s.reads(org).PlacesToCheck(ctx, f.params(org, atMost+1))
	if err != nil {
		return nil, false, translate(err)
	}
	if len(rows) > int(atMost) {
		return rows[:atMost], true, nil
	}
	return rows, false, nil
}

// CountPlacesToCheck counts the stops of the days of a filter, at most a thousand.
func (s *Store) CountPlacesToCheck(ctx context.Context, org int64, f PlaceFilter) (int64, error) {
	n, err := s.reads(org).CountPlacesToCheck(ctx, queries.CountPlacesToCheckParams{
		OrgID: org, Precisions: f.Precisions, FirstDay: f.First, LastDay: f.Last, Most: mostCounted,
	})
	return n, translate(err)
}

func (f PlaceFilter) params(org int64, size int32) queries.PlacesToCheckParams {
	return queries.PlacesToCheckParams{
		OrgID: org, Precisions: f.Precisions, FirstDay: f.First, LastDay: f.Last,
		AfterDay: f.After.Day, AfterStop: f.After.Stop, PageSize: size,
	}
}

// SearchPlaces lists addresses of the register that begin with what was typed. Near may be nil.
func (s *Store) SearchPlaces(
	ctx context.Context, org int64, typed, country string, near *place.Position, most int,
) ([]place.Entry, error) {
	found, err := places.Using(s.searches(org)).Search(ctx, typed, country, near, most)
	return found, translate(err)
}

// PlaceAttributions returns the credits of the address register's sources, each once.
func (s *Store) PlaceAttributions(ctx context.Context, org int64) ([]string, error) {
	sources, err := places.Using(s.searches(org)).Sources(ctx)
	if err != nil {
		return nil, translate(err)
	}
	credits := []string{}
	for i := range sources {
		if credit := sources[i].Attribution; credit != "" && !slices.Contains(credits, credit) {
			credits = append(credits, credit)
		}
	}
	return credits, nil
}

// PlacesOf returns what is known of addresses, in their order.
func (t *Tx) PlacesOf(ctx context.Context, addresses []place.Address) ([]order.Placed, error) {
	ask, err := t.q.PlaceNames(ctx, t.org)
	if err != nil {
		return nil, err
	}
	known, err := t.placesOf(ctx, addresses, ask)
	if err != nil {
		return nil, err
	}
	all := make([]order.Placed, len(addresses))
	for i, a := range addresses {
		all[i] = known[a]
	}
	return all, nil
}

// AddressOfPlace returns an address by its key, as the organization knows it.
func (t *Tx) AddressOfPlace(ctx context.Context, key place.Key) (place.Address, error) {
	rows, err := t.q.AddressOfPlace(ctx, queries.AddressOfPlaceParams{OrgID: t.org, Place: key.String()})
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return place.Address{}, absent("place", key.String(), err)
	}
	r := rows[0]
	return place.Address{
		Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, City: r.City, Country: r.Country,
	}, nil
}

// Pin is where an address is by a source, order.FromPerson or order.FromArrivals.
type Pin struct {
	Key    place.Key
	At     place.Position
	Source string
	// By is the actor.
	By string
}

// SavePin keeps where an address is.
func (t *Tx) SavePin(ctx context.Context, a place.Address, p *Pin) error {
	return t.q.SavePin(ctx, queries.SavePinParams{
		OrgID: t.org, Key: p.Key[:], Address1: a.Address1, PostalCode: a.PostalCode, City: a.City, Country: a.Country,
		Latitude: p.At.Latitude, Longitude: p.At.Longitude, PinnedBy: p.By, Source: p.Source,
	})
}

// DeletePin removes a pin.
func (t *Tx) DeletePin(ctx context.Context, key place.Key) error {
	deleted, err := t.q.DeletePin(ctx, queries.DeletePinParams{OrgID: t.org, Key: key[:]})
	if err == nil && deleted == 0 {
		err = ErrNotFound
	}
	return absent("place", key.String(), err)
}

// SavePlaced writes where addresses are into the open orders with a stop there that is still to
// come, each with an event, and into locations. It returns how many orders have another position
// than before.
func (t *Tx) SavePlaced(ctx context.Context, all map[place.Key]*order.Position) (orders int, err error) {
	return t.savePlaced(ctx, all, false)
}

// savePlaced does so, and on request only where the position is not good so far.
func (t *Tx) savePlaced(
	ctx context.Context, all map[place.Key]*order.Position, unsureOnly bool,
) (orders int, err error) {
	var places, positions []string
	for key, p := range all {
		if p != nil {
			places, positions = append(places, key.String()), append(positions, positionText(p))
		}
	}
	rows, err := t.q.LockOrdersOfPlaces(ctx,
		queries.LockOrdersOfPlacesParams{OrgID: t.org, Places: places, Positions: positions, UnsureOnly: unsureOnly})
	if err != nil {
		return 0, err
	}
	ids := make([]int64, len(rows))
	events := make([]event.Event, len(rows))
	for i, r := range rows {
		ids[i], events[i] = r.ID, event.Order{ID: r.ID, Number: r.Number}.Event(event.StopPlaced)
	}
	err = t.q.PlaceStops(ctx, queries.PlaceStopsParams{
		OrgID: t.org, OrderIds: ids, Places: places, Positions: positions, UnsureOnly: unsureOnly,
	})
	if err != nil {
		return 0, err
	}
	err = t.q.PlaceShares(ctx,
		queries.PlaceSharesParams{OrgID: t.org, OrderIds: ids, Places: places, Positions: positions})
	if err != nil {
		return 0, err
	}
	err = t.q.PlaceLocationsOfAddresses(ctx,
		queries.PlaceLocationsOfAddressesParams{OrgID: t.org, Places: places, Positions: positions, UnsureOnly: unsureOnly})
	if err != nil {
		return 0, err
	}
	return len(ids), t.Append(ctx, events...)
}
