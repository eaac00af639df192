package places

import (
	"context"
	"strconv"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/columns"
)

const (
	// usualHits and mostHits are how many addresses are listed, and mostAddresses how many are
	// found at once.
	usualHits, mostHits = 10, 50
	mostAddresses       = 1000
	// longestText is the size limit of a part of an address, in bytes.
	longestText = 255
)

// SearchPlaces lists addresses that begin with what was typed.
func (h *Handlers) SearchPlaces(
	ctx context.Context, request contract.SearchPlacesRequestObject,
) (contract.SearchPlacesResponseObject, error) {
	p := request.Params
	err := edge.CheckTexts(
		edge.AtMost(longestText, "q", p.Q), edge.AtMost(longestText, "country", edge.OrEmpty(p.Country)),
	)
	if err != nil {
		return nil, err
	}
	near, err := nearOf(p.Near)
	if err != nil {
		return nil, err
	}
	most := int(orUsual(p.Limit, usualHits))
	if most < 1 || most > mostHits {
		return nil, edge.OutOfRange("limit", 1, mostHits)
	}
	org := edge.PrincipalOf(ctx).OrgID
	country, err := h.countryOf(ctx, org, edge.OrEmpty(p.Country))
	if err != nil {
		return nil, err
	}
	found, err := h.store.SearchPlaces(ctx, org, p.Q, country, near, most)
	if err != nil {
		return nil, err
	}
	credits, err := h.store.PlaceAttributions(ctx, org)
	if err != nil {
		return nil, err
	}
	return contract.SearchPlaces200JSONResponse{
		Items: columns.Of(found, newEntry), Country: country, Attributions: credits,
	}, nil
}

// countryOf returns the code of a country, by default that of the organization.
func (h *Handlers) countryOf(ctx context.Context, org int64, given string) (string, error) {
	if given != "" {
		return place.CountryCode(given), nil
	}
	country, zone, err := h.store.OrganizationCountry(ctx, org)
	return notification.Country(country, zone), err
}

// nearOf reads latitude and longitude; nil when there are none.
func nearOf(text *string) (*place.Position, error) {
	if text == nil || *text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(*text, ",")
	latitude, wrong := strconv.ParseFloat(strings.TrimSpace(first), 64)
	longitude, alsoWrong := strconv.ParseFloat(strings.TrimSpace(second), 64)
	at := place.Position{Latitude: latitude, Longitude: longitude}
	if wrong != nil || alsoWrong != nil || !at.IsValid() {
		return nil, fault.Field("near", fault.Say("place.bad_near"))
	}
	return &at, nil
}

// GeocodePlaces finds the positions of addresses.
func (h *Handlers) GeocodePlaces(
	ctx context.Context, request contract.GeocodePlacesRequestObject,
) (contract.GeocodePlacesResponseObject, error) {
	asked := request.Body.Addresses
	if len(asked) < 1 || len(asked) > mostAddresses {
		return nil, edge.OutOfRange("addresses", 1, mostAddresses)
	}
	addresses := make([]place.Address, len(asked))
	for i, a := range asked {
		addresses[i] = place.Address{
			Address1: a.Address1, Address2: edge.OrEmpty(a.Address2), PostalCode: edge.OrEmpty(a.PostalCode),
			City: edge.OrEmpty(a.City), Country: strings.ToUpper(a.Country),
		}
		if err := checkAddress(i, &addresses[i]); err != nil {
			return nil, err
		}
	}
	found, err := h.operations.Places.Geocode(ctx, edge.PrincipalOf(ctx).OrgID, addresses)
	if err != nil {
		return nil, err
	}
	return contract.GeocodePlaces200JSONResponse{Items: columns.Of(found, newGeocoded)}, nil
}

func checkAddress(i int, a *place.Address) error {
	under := "addresses[" + strconv.Itoa(i) + "]."
	return edge.CheckTexts(
		edge.AtMost(longestText, under+"address1", a.Address1), edge.AtMost(longestText, under+"address2", a.Address2),
		edge.AtMost(longestText, under+"postalCode", a.PostalCode), edge.AtMost(longestText, under+"city", a.City),
		edge.AtMost(longestText, under+"country", a.Country),
	)
}

// newEntry puts an entry of the register on the wire.
func newEntry(e place.Entry) contract.PlaceEntry {
	return contract.PlaceEntry{
		Label: e.String(), Street: e.Street, Number: e.House.String(), PostalCode: e.PostalCode, City: e.City,
		Latitude: e.At.Latitude, Longitude: e.At.Longitude, Precision: contract.PositionPrecision(e.Precision.String()),
		Register: e.Source,
	}
}

// newGeocoded puts what is known of an address on the wire.
func newGeocoded(p order.Placed) contract.GeocodedPlace {
	g := contract.GeocodedPlace{Position: newPosition(p.Position()), Candidates: []contract.PlaceEntry{}}
	if m := p.Match; m != nil {
		g.IsAmbiguous, g.PostalCodeDisagrees = m.IsAmbiguous, m.PostalCodeDisagrees
		g.Candidates = columns.Of(m.Candidates, newEntry)
		if m.Precision != 0 {
			g.Label = m.Entry.String()
		}
	}
	return g
}

// newPosition puts a position on the wire. That of an address without a key is unknown.
func newPosition(p *order.Position) contract.StopPosition {
	if p == nil {
		return contract.StopPosition{Precision: contract.PositionPrecisionUnknown}
	}
	out := contract.StopPosition{
		Precision: contract.PositionPrecision(p.Precision), Register: textOrNil(p.Register),
		Suggestion: textOrNil(p.Suggestion), Place: textOrNil(p.Place),
	}
	if p.Latitude != nil && p.Longitude != nil {
		out.Latitude = nullable.NewNullableWithValue(*p.Latitude)
		out.Longitude = nullable.NewNullableWithValue(*p.Longitude)
	}
	if p.Source != "" {
		source := contract.PositionSource(p.Source)
		out.Source = &source
	}
	if p.Unknown != "" {
		unknown := contract.StopPositionUnknown(p.Unknown)
		out.Unknown = &unknown
	}
	return out
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orUsual is a number that was given, or the usual one.
func orUsual(given *int32, usual int32) int32 {
	if given == nil {
		return usual
	}
	return *given
}
