package places

import (
	"context"
	"fmt"

	"waybill/domain/place"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Register finds addresses. It works on any connection: a pool, or the
// transaction of an import.
type Register struct{ q *queries.Queries }

// New reads the register through a connection.
func New(db queries.DBTX) *Register { return &Register{queries.New(db)} }

// Using reads the register with queries that somebody else has made.
func Using(q *queries.Queries) *Register { return &Register{q} }

// Sources lists the sources, by precedence.
func (r *Register) Sources(ctx context.Context) ([]Source, error) {
	rows, err := r.q.PlaceSources(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the sources: %w", err)
	}
	return columns.Of(rows, func(s queries.PlaceSource) Source {
		return Source{
			About: About{
				Name: s.Name, Format: s.Format, Attribution: s.Attribution, Rank: int(s.Rank), Fingerprint: s.Fingerprint,
			},
			Loaded: Loaded{Streets: s.Streets, Addresses: s.Addresses, Towns: s.Towns, Skipped: s.Skipped},
			At:     s.LoadedAt,
		}
	}), nil
}

// Find finds many addresses in one query. The matches are in the order of the
// addresses. Home is the country of addresses without one.
func (r *Register) Find(ctx context.Context, addresses []place.Address, home string) ([]place.Match, error) {
	asked := newQuestions(addresses, home)
	matches, err := r.Match(ctx, asked.queries)
	if err != nil {
		return nil, err
	}
	return columns.Of(asked.of, func(i int) place.Match { return matches[i] }), nil
}

// Match finds addresses that were read, as many as there are in one query. The matches have the
// order of the queries.
func (r *Register) Match(ctx context.Context, asked []place.Query) ([]place.Match, error) {
	rows, err := r.q.FindPlaces(ctx, paramsOf(asked))
	if err != nil {
		return nil, fmt.Errorf("find addresses: %w", err)
	}
	found := make([]place.Found, len(asked))
	for i := range rows {
		addFound(&found[rows[i].Query], &rows[i])
	}
	matches := make([]place.Match, len(asked))
	for i := range asked {
		matches[i] = asked[i].Match(&found[i])
	}
	return matches, nil
}

// questions are the queries of addresses; equal addresses share one.
type questions struct {
	queries []place.Query
	of      []int
}

func newQuestions(addresses []place.Address, home string) (q questions) {
	known := map[place.Address]int{}
	for _, a := range addresses {
		i, ok := known[a]
		if !ok {
			i = len(q.queries)
			known[a] = i
			q.queries = append(q.queries, place.Read(a, home))
		}
		q.of = append(q.of, i)
	}
	return q
}

// paramsOf are the columns of the query: one row for each way to read an address, at least one.
func paramsOf(asked []place.Query) (p queries.FindPlacesParams) {
	for i := range asked {
		query := &asked[i]
		readings := query.Readings
		if len(readings) == 0 {
			readings = []place.Reading{{}}
		}
		for j := range readings {
			r := &readings[j]
			columns.Add(&p.Queries, int32(i))
			columns.Add(&p.Readings, int32(j))
			columns.Add(&p.Countries, query.Country)
			columns.Add(&p.PostalCodes, query.PostalCode)
			columns.Add(&p.Towns, query.Town)
			columns.Add(&p.TownLetters, int64(place.Letters(query.Town)))
			columns.Add(&p.Plains, r.Street.Plain)
			columns.Add(&p.Keys, r.Street.Key)
			columns.Add(&p.PlainLetters, int64(place.Letters(r.Street.Plain)))
			columns.Add(&p.KeyLetters, int64(place.Letters(r.Street.Key)))
			columns.Add(&p.Numbers, int32(r.House.Number))
			columns.Add(&p.Wrongs, int32(r.WrongLetters()))
		}
	}
	return p
}

// The kinds of rows that are found.
const (
	townRow = iota
	streetRow
	elsewhereRow
)

// addFound adds a row to the result. The rows of a street are consecutive.
func addFound(f *place.Found, row *queries.FindPlacesRow) {
	at := place.PositionAt(row.Latitude, row.Longitude)
	switch row.Kind {
	case townRow:
		f.Towns = append(f.Towns, place.Town{
			Rank: int(row.Rank), Source: row.Source, PostalCode: row.PostalCode, City: row.City, Key: row.TownKey, At: at,
			ByPostal: row.ByPostal, ByName: row.ByName,
		})
	case elsewhereRow:
		if f.Elsewhere == nil {
			f.Elsewhere = map[int]bool{}
		}
		f.Elsewhere[int(row.Reading)] = true
	case streetRow:
		c := place.Candidate{
			Reading: int(row.Reading), Source: row.Source, Rank: int(row.Rank), PostalCode: row.PostalCode,
			City: row.City, Town: row.TownKey, Name: row.Name, At: at,
			Key: place.StreetKey{Plain: row.Plain, Key: row.Key},
		}
		if row.Number > 0 {
			c.Houses = []place.Known{{
				House:   place.House{Number: int(row.Number), Letter: row.Letter},
				At:      place.PositionAt(row.PointLatitude, row.PointLongitude),
				Guessed: row.Guessed,
			}}
		}
		f.Streets = append(f.Streets, c)
	}
}
