package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/columns"
	"waybill/store/places"
	"waybill/store/queries"
)

// places finds the addresses of the entries, all in one query.
func (l *loader) places(ctx context.Context) (err error) {
	l.snapshot.Prepare()
	l.snapshot.Places, err = l.tx.placesOf(ctx, order.AddressesToPlace(l.snapshot, l.scope.Entries), l.toAsk)
	return err
}

// placesOf returns what is known of addresses: what people say, and what the register has.
func (t *Tx) placesOf(
	ctx context.Context, addresses []place.Address, ask queries.PlaceNamesRow,
) (map[place.Address]order.Placed, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	read := make([]place.Query, len(addresses))
	keys := make([]place.Key, len(addresses))
	for i, a := range addresses {
		read[i] = place.Read(a, "")
		keys[i] = read[i].Key()
	}
	pins, err := t.pinsOf(ctx, keys, ask.HasPins)
	if err != nil {
		return nil, err
	}
	answers, err := t.answersOf(ctx, keys, ask.HasAnswers)
	if err != nil {
		return nil, err
	}
	var matches []place.Match
	if ask.HasRegister {
		if matches, err = places.New(t.tx).Match(ctx, read); err != nil {
			return nil, err
		}
	}
	known := make(map[place.Address]order.Placed, len(addresses))
	for i, a := range addresses {
		p := placed(keys[i], pins, answers)
		if matches != nil {
			p.Match = &matches[i]
		}
		known[a] = p
	}
	return known, nil
}

// placed returns what people, drivers and a provider say of an address.
func placed(key place.Key, pins map[place.Key]queries.FindPinsRow, answers map[place.Key]knownAnswer) order.Placed {
	p := order.Placed{Key: key}
	if pin, ok := pins[key]; ok {
		p.Pin = &place.Position{Latitude: pin.Latitude, Longitude: pin.Longitude}
		p.IsLearned = pin.Source == order.FromArrivals
	}
	if found, ok := answers[key]; ok {
		p.Answer, p.Provider = &found.Answer, found.provider
	}
	return p
}

// pinsOf returns where people say that addresses are.
func (t *Tx) pinsOf(ctx context.Context, keys []place.Key, has bool) (map[place.Key]queries.FindPinsRow, error) {
	if !has {
		return nil, nil
	}
	rows, err := t.q.FindPins(ctx, queries.FindPinsParams{
		OrgID: t.org, Keys: columns.Of(keys, func(k place.Key) []byte { return k[:] }),
	})
	if err != nil {
		return nil, fmt.Errorf("find pins: %w", err)
	}
	pins := make(map[place.Key]queries.FindPinsRow, len(rows))
	for _, r := range rows {
		pins[place.Key(r.Key)] = r
	}
	return pins, nil
}

// placesOfLocations returns what is known of the addresses of new locations without coordinates.
func (t *Tx) placesOfLocations(
	ctx context.Context, added []order.NewLocation,
) (map[place.Address]order.Placed, error) {
	var addresses []place.Address
	for i := range added {
		if a := &added[i].Address; a.Latitude == nil || a.Longitude == nil {
			addresses = append(addresses, a.ToPlace())
		}
	}
	if err := t.q.BeginToWrite(ctx); err != nil {
		return nil, err
	}
	ask, err := t.q.PlaceNames(ctx, t.org)
	if err != nil {
		return nil, err
	}
	return t.placesOf(ctx, addresses, ask)
}

// PlaceLocations looks up where locations are that have no coordinates, by id or external id.
func (t *Tx) PlaceLocations(ctx context.Context, ids []int64, externalIDs []string) error {
	rows, err := t.q.LocationsToPlace(ctx,
		queries.LocationsToPlaceParams{OrgID: t.org, Ids: ids, ExternalIds: externalIDs})
	if err != nil || len(rows) == 0 {
		return err
	}
	ask, err := t.q.PlaceNames(ctx, t.org)
	if err != nil {
		return err
	}
	var addresses []place.Address
	for i := range rows {
		addresses = append(addresses, addressOf(&rows[i]))
	}
	known, err := t.placesOf(ctx, addresses, ask)
	if err != nil {
		return fmt.Errorf("place locations: %w", err)
	}
	p := queries.PlaceLocationsParams{OrgID: t.org}
	for i := range rows {
		columns.Add(&p.Ids, rows[i].ID)
		position := ""
		if !rows[i].HasPoint {
			position = positionText(known[addresses[i]].Position())
		}
		columns.Add(&p.Positions, position)
	}
	return t.q.PlaceLocations(ctx, p)
}

func addressOf(r *queries.LocationsToPlaceRow) place.Address {
	return place.Address{
		Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, City: r.City, Country: r.Country,
	}
}

// positionText is a position as its column has it, empty for none.
func positionText(p *order.Position) string {
	if p == nil {
		return ""
	}
	document, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Sprintf("store: a position of numbers and texts: %v", err)) // NaN cannot be parsed from anywhere
	}
	return string(document)
}
