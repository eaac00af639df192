package places

import (
	"context"
	"fmt"
	"strconv"

	"waybill/domain/place"
	"waybill/store/columns"
	"waybill/store/queries"
)

const (
	// mostHits is how many streets each way of searching may find before they are sorted.
	mostHits = 200
	// mostStreets is how many streets have their houses listed.
	mostStreets = 5
	// afterAll sorts behind all letters.
	afterAll = "\U0010ffff"
)

// Search lists places that begin with the typed text, best match first:
// streets, and houses after a whole name or a number. It tolerates one or two
// wrong letters. near may be nil.
func (r *Register) Search(
	ctx context.Context, typed, country string, near *place.Position, most int,
) ([]place.Entry, error) {
	search := place.ReadSearch(typed)
	if len(search.Readings) == 0 || most <= 0 {
		return nil, nil
	}
	hits, err := r.hits(ctx, &search, country, near)
	if err != nil {
		return nil, fmt.Errorf("search streets: %w", err)
	}
	entries := columns.Of(hits[:min(len(hits), most)], func(h place.Hit) place.Entry { return h.Entry })
	if len(hits) == 0 || search.House.Number == 0 && !search.IsWhole(&hits[0]) {
		return entries, nil
	}
	houses, err := r.houses(ctx, &search, hits[:min(len(hits), mostStreets)], most)
	if err != nil {
		return nil, fmt.Errorf("search houses: %w", err)
	}
	return append(houses, entries...)[:min(most, len(houses)+len(entries))], nil
}

// hits are the matching streets. They include misspelled ones only if no other
// matches.
func (r *Register) hits(
	ctx context.Context, search *place.Search, country string, near *place.Position,
) ([]place.Hit, error) {
	p := queries.SearchStreetsParams{Country: country, Most: mostHits}
	for _, reading := range search.Readings {
		columns.Add(&p.Plains, reading.Street.Plain)
		columns.Add(&p.Ends, reading.Street.Plain+afterAll)
		columns.Add(&p.Keys, reading.Street.Key)
		columns.Add(&p.Towns, reading.Town)
		columns.Add(&p.PostalCodes, reading.PostalCode)
	}
	if near != nil {
		p.IsNear, p.Latitude, p.Longitude = true, near.Latitude, near.Longitude
	}
	rows, err := r.q.SearchStreets(ctx, p)
	if err != nil {
		return nil, err
	}
	if hits := search.Sort(columns.Of(rows, hitOf), near); len(hits) > 0 {
		return hits, nil
	}
	return r.misspelled(ctx, search, &p, near)
}

// misspelled are the streets whose names differ a little from the typed one. A postal code or a town
// that was typed behind it narrows them, the first that helps.
func (r *Register) misspelled(
	ctx context.Context, search *place.Search, p *queries.SearchStreetsParams, near *place.Position,
) ([]place.Hit, error) {
	q := queries.SearchMisspelledStreetsParams{
		Country: p.Country, Most: mostHits, IsNear: p.IsNear, Latitude: p.Latitude, Longitude: p.Longitude,
		Deletions: place.TypedDeletions(p.Plains[0]),
	}
	if len(q.Deletions) == 0 {
		return nil, nil
	}
	for _, reading := range search.Readings {
		if reading.Street != search.Readings[0].Street {
			break
		}
		q.Town, q.PostalCode = reading.Town, reading.PostalCode
		rows, err := r.q.SearchMisspelledStreets(ctx, q)
		if err != nil {
			return nil, err
		}
		hits := search.Sort(columns.Of(rows, func(row queries.SearchMisspelledStreetsRow) place.Hit {
			return hitOf(queries.SearchStreetsRow(row))
		}), near)
		if len(hits) > 0 {
			return hits, nil
		}
	}
	return nil, nil
}

func hitOf(row queries.SearchStreetsRow) place.Hit {
	return place.Hit{
		StreetID: row.PointsID, Rank: int(row.Rank), Addresses: row.Addresses, Town: row.TownKey,
		Key: place.StreetKey{Plain: row.Plain, Key: row.Key},
		Entry: place.Entry{
			Street: row.Name, PostalCode: row.PostalCode, City: row.City, Precision: place.Street,
			At: place.PositionAt(row.Latitude, row.Longitude), Source: row.Source,
		},
	}
}

// houses are the houses of streets whose numbers begin with the typed one.
func (r *Register) houses(
	ctx context.Context, search *place.Search, hits []place.Hit, most int,
) ([]place.Entry, error) {
	p := queries.HousesOfStreetsParams{Letter: search.House.Letter, Most: int32(most)}
	if search.House.Number > 0 {
		p.Digits = strconv.Itoa(search.House.Number)
	} else {
		hits = hits[:1]
	}
	streets := map[int64]place.Entry{}
	for _, h := range hits {
		p.Streets = append(p.Streets, h.StreetID)
		streets[h.StreetID] = h.Entry
	}
	rows, err := r.q.HousesOfStreets(ctx, p)
	if err != nil {
		return nil, err
	}
	var exact, longer []place.Entry
	for _, row := range rows {
		e := streets[row.StreetID]
		e.House = place.House{Number: int(row.Number), Letter: row.Letter}
		e.At = place.PositionAt(row.Latitude, row.Longitude)
		if e.Precision = place.Point; row.Guessed {
			e.Precision = place.Interpolated
		}
		if e.House.Number == search.House.Number {
			exact = append(exact, e)
		} else {
			longer = append(longer, e)
		}
	}
	return append(exact, longer...), nil
}
