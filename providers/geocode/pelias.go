package geocode

import (
	"context"
	"net/url"
	"strconv"

	"waybill/domain/place"
)

// pelias calls GET /v1/search/structured of a Pelias server (github.com/pelias/documentation).
type pelias struct {
	server server
	key    string
}

type peliasProperties struct {
	Layer         string `json:"layer"`
	Name          string `json:"name"`
	HouseNumber   string `json:"housenumber"`
	Street        string `json:"street"`
	PostalCode    string `json:"postalcode"`
	Locality      string `json:"locality"`
	LocalAdmin    string `json:"localadmin"`
	CountryLetter string `json:"country_a"`
	// Match is exact, interpolated or fallback.
	Match    string `json:"match_type"`
	Accuracy string `json:"accuracy"`
}

func (p pelias) find(ctx context.Context, q *place.Question) (all []place.Reply, err error) {
	query := url.Values{"size": {strconv.Itoa(mostReplies)}, "country": {q.Country}}
	address := q.Street
	if house := q.House.String(); house != "" && address != "" {
		address += " " + house
	}
	set(query, "address", address)
	set(query, "postalcode", q.PostalCode)
	set(query, "locality", q.City)
	set(query, "api_key", p.key)
	var found collection[peliasProperties]
	if err := p.server.get(ctx, "v1/search/structured", query, &found); err != nil {
		return nil, err
	}
	if found.Type != "FeatureCollection" {
		return nil, &Fault{Kind: Unreadable}
	}
	for i := range found.Features {
		at, ok := positionOf(found.Features[i].Geometry.Coordinates)
		if !ok {
			continue
		}
		r := &found.Features[i].Properties
		reply := place.Reply{
			Street: r.Street, House: r.HouseNumber, PostalCode: r.PostalCode, City: orElse(r.Locality, r.LocalAdmin),
			Country: r.CountryLetter, At: at,
		}
		if r.Match == "interpolated" || r.Accuracy == "interpolated" {
			reply.Finest = place.Interpolated
		}
		if r.Layer == "postalcode" {
			reply.PostalCode = orElse(reply.PostalCode, r.Name)
		}
		all = append(all, reply)
	}
	return all, nil
}
