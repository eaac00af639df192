package geocode

import (
	"context"
	"net/url"
	"strconv"

	"waybill/domain/place"
)

// photon calls GET /api of a Photon server (github.com/komoot/photon).
type photon struct{ server server }

// collection is GeoJSON with the properties of Photon and of Pelias.
type collection[P any] struct {
	Type     string `json:"type"`
	Features []struct {
		Geometry struct {
			Coordinates []float64 `json:"coordinates"`
		} `json:"geometry"`
		Properties P `json:"properties"`
	} `json:"features"`
}

type photonProperties struct {
	Type        string `json:"type"`
	Name        string `json:"name"`
	HouseNumber string `json:"housenumber"`
	Street      string `json:"street"`
	PostCode    string `json:"postcode"`
	City        string `json:"city"`
	CountryCode string `json:"countrycode"`
}

func (p photon) find(ctx context.Context, q *place.Question) (all []place.Reply, err error) {
	query := url.Values{"q": {line(q)}, "limit": {strconv.Itoa(mostReplies)}}
	var found collection[photonProperties]
	if err := p.server.get(ctx, "api", query, &found); err != nil {
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
		r := found.Features[i].Properties
		switch r.Type {
		case "street":
			r.Street = orElse(r.Street, r.Name)
		case "city":
			r.City = orElse(r.City, r.Name)
		}
		all = append(all, place.Reply{
			Street: r.Street, House: r.HouseNumber, PostalCode: r.PostCode, City: r.City, Country: r.CountryCode, At: at,
		})
	}
	return all, nil
}

// positionOf reads longitude and latitude of GeoJSON.
func positionOf(coordinates []float64) (place.Position, bool) {
	if len(coordinates) < 2 {
		return place.Position{}, false
	}
	return place.Position{Latitude: coordinates[1], Longitude: coordinates[0]}, true
}

func orElse(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
