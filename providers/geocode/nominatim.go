package geocode

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"waybill/domain/place"
)

// nominatim calls GET /search of a Nominatim server (nominatim.org/release-docs).
type nominatim struct{ server server }

type nominatimPlace struct {
	Latitude  string `json:"lat"`
	Longitude string `json:"lon"`
	Address   struct {
		HouseNumber  string `json:"house_number"`
		Road         string `json:"road"`
		Pedestrian   string `json:"pedestrian"`
		Square       string `json:"square"`
		PostCode     string `json:"postcode"`
		City         string `json:"city"`
		Town         string `json:"town"`
		Village      string `json:"village"`
		Municipality string `json:"municipality"`
		CountryCode  string `json:"country_code"`
	} `json:"address"`
}

func (n nominatim) find(ctx context.Context, q *place.Question) (all []place.Reply, err error) {
	query := url.Values{
		"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {strconv.Itoa(mostReplies)},
		"countrycodes": {strings.ToLower(q.Country)},
	}
	street := q.Street
	if house := q.House.String(); house != "" && street != "" {
		street = house + " " + street
	}
	set(query, "street", street)
	set(query, "postalcode", q.PostalCode)
	set(query, "city", q.City)
	var found []nominatimPlace
	if err := n.server.get(ctx, "search", query, &found); err != nil {
		return nil, err
	}
	for i := range found {
		latitude, err := strconv.ParseFloat(found[i].Latitude, 64)
		if err != nil {
			continue
		}
		longitude, err := strconv.ParseFloat(found[i].Longitude, 64)
		if err != nil {
			continue
		}
		a := &found[i].Address
		all = append(all, place.Reply{
			Street: orElse(a.Road, orElse(a.Pedestrian, a.Square)), House: a.HouseNumber, PostalCode: a.PostCode,
			City:    orElse(a.City, orElse(a.Town, orElse(a.Village, a.Municipality))),
			Country: strings.ToUpper(a.CountryCode), At: place.Position{Latitude: latitude, Longitude: longitude},
		})
	}
	return all, nil
}
