package place_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
)

var middle = place.Position{Latitude: 59.91, Longitude: 10.75}

// known are houses along a street, twenty metres for each number.
func known(houses ...place.House) (all []place.Known) {
	for _, h := range houses {
		all = append(all, place.Known{House: h, At: north(20 * h.Number)})
	}
	return all
}

func north(meters int) place.Position {
	return place.Position{Latitude: middle.Latitude + float64(meters)/111_195, Longitude: middle.Longitude}
}

func street(name, code string, houses ...place.House) place.Candidate {
	return place.Candidate{
		Source: "register", Rank: 1, PostalCode: code, City: "Oslo", Town: "oslo", Name: name,
		Key: place.NewStreetKey(name), At: middle, Houses: known(houses...),
	}
}

func match(line, code string, streets ...place.Candidate) place.Match {
	q := place.Read(place.Address{Address1: line, PostalCode: code, City: "Oslo"}, "NO")
	return q.Match(&place.Found{Streets: streets, Towns: []place.Town{
		{Source: "register", PostalCode: code, City: "Oslo", Key: "oslo", At: middle, ByPostal: true, ByName: true},
	}})
}

func n(number int) place.House { return place.House{Number: number} }

func TestPrecisionMatchesActualError(t *testing.T) {
	t.Parallel()
	exact := match("Storgata 3", "0155", street("Storgata", "0155", n(3)))
	require.Equal(t, place.Point, exact.Precision)
	require.Equal(t, north(60), exact.At)

	between := match("Storgata 5", "0155", street("Storgata", "0155", n(3), n(9)))
	require.Equal(t, place.Interpolated, between.Precision)
	require.InDelta(t, 0, between.At.Meters(north(100)), 0.1)
	require.Equal(t, place.NumberPart, between.Unknown)

	otherSide := match("Storgata 5", "0155", street("Storgata", "0155", n(4), n(6)))
	require.Equal(t, place.Street, otherSide.Precision)

	past := match("Storgata 31", "0155", street("Storgata", "0155", n(9)))
	require.Equal(t, place.Street, past.Precision)
	require.Equal(t, north(180), past.At, "near the last known number")
	require.Equal(t, "Storgata 9, 0155 Oslo", past.Candidates[0].String())
	require.Equal(t, place.Point, past.Candidates[0].Precision)
	require.Empty(t, between.Candidates, "the position is good enough")

	letter := match("Storgata 29D", "0155", street("Storgata", "0155", n(29)))
	require.Equal(t, place.Interpolated, letter.Precision)

	unknown := match("Ukjentveien 3", "0155")
	require.Equal(t, place.PostalCode, unknown.Precision)
	require.Equal(t, place.StreetPart, unknown.Unknown)
}

func TestAMisspelledStreetIsFoundByItsNumber(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"Storgsta 3", "Xtorgata 3", "Sotrgata 3", "Strgata 3", "Storgaqa 3"} {
		require.Equal(t, place.Point, match(line, "0155", street("Storgata", "0155", n(3))).Precision, line)
	}
	require.Equal(t, place.PostalCode, match("Holbergs veg 3", "0155", street("Holbergs gate", "0155", n(3))).Precision)
	require.Equal(t, place.PostalCode, match("18. mai gate 3", "0155", street("17. mai gate", "0155", n(3))).Precision)
}

func TestAStreetOfAnotherTownIsNoMisspelling(t *testing.T) {
	t.Parallel()
	q := place.Read(place.Address{Address1: "Markveien 3", PostalCode: "0155", City: "Oslo"}, "NO")
	m := q.Match(&place.Found{
		Streets:   []place.Candidate{street("Parkveien", "0155", n(3))},
		Elsewhere: map[int]bool{0: true},
		Towns:     []place.Town{{PostalCode: "0155", City: "Oslo", Key: "oslo", At: middle, ByPostal: true}},
	})
	require.Equal(t, place.PostalCode, m.Precision)
	require.Equal(t, "Parkveien 3, 0155 Oslo", m.Candidates[0].String())
}

func TestEquallyLikelyPlacesAreListed(t *testing.T) {
	t.Parallel()
	far := street("Storgata", "0680")
	far.Town, far.City = "nordstrand", "Nordstrand"
	far.Houses = []place.Known{{House: n(3), At: north(9000)}}
	m := match("Storgata 3", "", street("Storgata", "0155", n(3)), far)
	require.Equal(t, place.Point, m.Precision, "the town decides")

	far.Town = "oslo"
	m = match("Storgata 3", "", street("Storgata", "0155", n(3)), far)
	require.True(t, m.IsAmbiguous)
	require.Greater(t, m.Precision, place.Street)
	require.Len(t, m.Candidates, 2)

	m = match("Storgata 3", "0680", street("Storgata", "0155", n(3)), far)
	require.Equal(t, place.Point, m.Precision, "the postal code decides")
	require.Equal(t, north(9000), m.At)
}

func TestTheRegisterWinsOverOpenStreetMap(t *testing.T) {
	t.Parallel()
	osm := street("Storgata", "0155")
	osm.Source, osm.Rank = "osm", 3
	osm.Houses = []place.Known{{House: n(3), At: north(75)}, {House: n(8), At: north(160)}}
	both := []place.Candidate{osm, street("Storgata", "0155", n(3))}
	require.Equal(t, "register", match("Storgata 3", "0155", both...).Source)
	require.Equal(t, "osm", match("Storgata 8", "0155", both...).Source, "what only one knows")
}

func TestDifferentPostalCodeIsReported(t *testing.T) {
	t.Parallel()
	m := match("Storgata 3", "0026", street("Storgata", "0155", n(3)))
	require.Equal(t, place.Point, m.Precision)
	require.True(t, m.PostalCodeDisagrees)
}
