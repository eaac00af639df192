package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	places "waybill/domain/place"
)

// The house, which the register knows, and where a person says that it is.
var (
	house = places.Position{Latitude: 59.91, Longitude: 10.74}
	door  = places.Position{Latitude: 59.92, Longitude: 10.75}
)

func (w *world) knows(r *order.LocationRequest, m *places.Match, pin *places.Position) {
	asked := r.Address.ToPlace()
	q := places.Read(asked, "")
	w.base.Places = map[places.Address]order.Placed{asked: {Key: q.Key(), Match: m, Pin: pin}}
}

func delivered(w *world) *order.Position { return w.orders[0].Delivery.Position }

func TestStopsAreWhereTheirAddressIs(t *testing.T) {
	t.Parallel()
	suggested := []places.Entry{{Street: "Storgata", House: places.House{Number: 1}, PostalCode: "0155", City: "Oslo"}}
	for name, tc := range map[string]struct {
		match             *places.Match
		pin               *places.Position
		precision, source string
		at                *places.Position
		warned            order.Code
		text              string
	}{
		"TheRegisterKnowsTheHouse": {
			&places.Match{Precision: places.Point, At: house, Source: "osm"}, nil, "POINT", order.FromRegister, &house, "", "",
		},
		"APersonKnowsBetter": {
			&places.Match{Precision: places.Street, At: house, Unknown: places.NumberPart}, &door,
			"POINT", order.FromPerson, &door, "", "",
		},
		"TheStreetIsMisspelled": {
			&places.Match{Precision: places.PostalCode, At: house, Unknown: places.StreetPart, Candidates: suggested}, nil,
			"POSTAL_CODE", order.FromRegister, &house, order.AddressNotFound, "import.address_street_suggested",
		},
		"TheNumberIsPastTheEnd": {
			&places.Match{Precision: places.Street, At: house, Unknown: places.NumberPart}, nil,
			"STREET", order.FromRegister, &house, order.AddressNotFound, "import.address_number_unknown",
		},
		"TheNumberLiesBetweenOthers": {
			&places.Match{Precision: places.Interpolated, At: house, Unknown: places.NumberPart}, nil,
			"INTERPOLATED", order.FromRegister, &house, "", "",
		},
		"TheTownIsUnknown": {
			&places.Match{Unknown: places.TownPart}, nil, "UNKNOWN", "", nil,
			order.AddressNotFound, "import.address_town_unknown",
		},
		"ThePlaceIsOneOfSeveral": {
			&places.Match{Precision: places.City, At: house, IsAmbiguous: true, Candidates: suggested}, nil,
			"CITY", order.FromRegister, &house, order.AddressAmbiguous, "import.address_ambiguous",
		},
		"ThePostalCodeIsAnother": {
			&places.Match{Precision: places.Point, At: house, PostalCodeDisagrees: true}, nil,
			"POINT", order.FromRegister, &house, order.PostalCodeDisagrees, "import.postal_code_disagrees",
		},
		"NobodyHasARegister": {nil, nil, "UNKNOWN", "", nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			req := entry("A")
			w.knows(req.Delivery, tc.match, tc.pin)
			result := w.one(order.Defaults{}, req)
			require.Equal(t, order.OrderCreated, result.Kind)
			p := delivered(w)
			require.Equal(t, []string{tc.precision, tc.source}, []string{p.Precision, p.Source})
			require.Len(t, p.Place, 32)
			if tc.at == nil {
				require.Nil(t, p.Latitude)
			} else {
				require.Equal(t, *tc.at, places.Position{Latitude: *p.Latitude, Longitude: *p.Longitude})
			}
			if tc.warned == "" {
				require.Empty(t, result.NotApplied)
				return
			}
			require.Len(t, result.NotApplied, 1)
			require.Equal(t, tc.warned, result.NotApplied[0].Code)
			require.True(t, tc.warned.Warns())
			require.Equal(t, tc.text, result.NotApplied[0].Text.ID)
			if tc.precision == "POSTAL_CODE" {
				require.Equal(t, "Storgata 1, 0155 Oslo", p.Suggestion)
			}
		})
	}
}

func TestCoordinatesThatAreSentWin(t *testing.T) {
	t.Parallel()
	w := setup(t)
	req := entry("A")
	req.Delivery.Address.Latitude, req.Delivery.Address.Longitude = ptr(60.9), ptr(10.74)
	w.knows(req.Delivery, &places.Match{Precision: places.Point, At: house}, &door)
	result := w.one(order.Defaults{}, req)
	require.Nil(t, delivered(w))
	require.Equal(t, map[string]order.Code{"delivery.address.latitude": order.PositionFarFromAddress}, warnings(result))
	req.Delivery.Address.Latitude = ptr(59.9101)
	require.Empty(t, warnings(w.one(order.Defaults{}, req)))
}

func TestALaterRegisterMovesStopsUntilTheyAreLoaded(t *testing.T) {
	t.Parallel()
	w := setup(t)
	req := entry("A")
	w.one(order.Defaults{}, req)
	w.knows(req.Delivery, &places.Match{Precision: places.Point, At: house}, nil)
	plan := w.imported(order.Defaults{}, req)
	require.Len(t, plan.Events, 1, "it is planned again")
	require.Equal(t, house.Latitude, *delivered(w).Latitude)
	require.Empty(t, w.imported(order.Defaults{}, req).Events)

	w.orders[0].Status = order.PickedUp
	w.knows(req.Delivery, &places.Match{Precision: places.Point, At: door}, nil)
	plan = w.imported(order.Defaults{}, req)
	require.Equal(t, order.OrderUpdated, plan.Results[0].Kind)
	require.Empty(t, plan.Events)
	require.Equal(t, house.Latitude, *delivered(w).Latitude)
}

func TestAddressesThatAreLookedUp(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first, second := entry("A"), entry("B")
	second.Delivery.Address = nil
	s := w.snapshot()
	all := order.AddressesToPlace(s, []order.Request{first, first, second})
	require.Equal(t, []places.Address{first.Pickup.Address.ToPlace(), first.Delivery.Address.ToPlace()}, all)
}
