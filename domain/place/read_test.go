package place_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
)

func TestStreetKeysOfOneStreetAreEqual(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Karl Johans gate", "KARL JOHANS GATE", "Karl Johans gt.", "Karl Johansgate", "Karl Johans gata", "Karl Johans gt"},
		{"Parkveien", "Parkvei", "Parkvegen", "Parkveg", "Parkv.", "Park veien", "Parkvejen"},
		{"Øvre Slottsgate", "Ovre Slottsgate", "Oevre Slottsgt.", "ØVRE SLOTTSGATA"},
		{"Rådhusplassen", "Raadhusplassen", "Radhuspl.", "Rådhusplass"},
		{"Hemauer Straße", "Hemauerstraße", "Hemauer Strasse", "Hemauerstr.", "Hemauer Str."},
		{"Ndr. Fasanvej", "Nordre Fasanvej"},
		{"Mannerheimin katu", "Mannerheiminkatu", "Mannerheimink."},
		{"Kungsgatan", "Kungsg.", "Kungs gatan"},
		{"St. Olavs gate", "Sankt Olavs gate", "St Olavs gt"},
		{"Bygdøy allé", "Bygdoy alle", "Bygdøy alleen"},
	} {
		for _, name := range same[1:] {
			require.Equal(t, place.NewStreetKey(same[0]).Key, place.NewStreetKey(name).Key, "%s and %s", same[0], name)
		}
	}
	require.NotEqual(t, place.NewStreetKey("Parkveien").Key, place.NewStreetKey("Parkgata").Key)
}

func TestAddressesAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked              place.Address
		street, house      string
		code, town, nation string
	}{
		{
			place.Address{Address1: "Karl Johans gate 22 B", PostalCode: "0026", City: "OSLO", Country: "Norge"},
			"Karl Johans gate", "22B", "0026", "oslo", "NO",
		},
		{place.Address{Address1: "Storgata1b", PostalCode: "155", City: "Oslo"}, "Storgata", "1B", "0155", "oslo", "NO"},
		{place.Address{Address1: "Storgata 1", PostalCode: "Oslo", City: "0155"}, "Storgata", "1", "0155", "oslo", "NO"},
		{place.Address{Address1: "Storgata 1", City: "N-0155 Oslo, Norway"}, "Storgata", "1", "0155", "oslo", "NO"},
		{place.Address{Address1: "Storgata 1, 0155 Oslo"}, "Storgata", "1", "0155", "oslo", "NO"},
		{place.Address{Address1: "c/o Hansen, Storgata 1"}, "Storgata", "1", "", "", "NO"},
		{place.Address{Address1: "Nordfrakt AS", Address2: "Storgata 1"}, "Storgata", "1", "", "", "NO"},
		{place.Address{Address1: "Storgata 1, 3. etg"}, "Storgata", "1", "", "", "NO"},
		{place.Address{Address1: "3. etasje, Storgata 1 H0301"}, "Storgata", "1", "", "", "NO"},
		{place.Address{Address1: "17. mai gate 5"}, "17. mai gate", "5", "", "", "NO"},
		{
			place.Address{Address1: "221B Baker Street", Country: "United Kingdom", PostalCode: "nw1 6xe"},
			"Baker Street", "221B", "NW16XE", "", "GB",
		},
		{place.Address{Address1: "Storgata 3-5"}, "Storgata", "3", "", "", "NO"},
		{place.Address{Address1: "Storgata, 22"}, "Storgata", "22", "", "", "NO"},
		{ // pasted from a letter, and typed on another keyboard
			place.Address{Address1: "Stor\u00adgata\u00a0１", PostalCode: "０１５５", City: "\u200bOslo"},
			"Storgata", "1", "0155", "oslo", "NO",
		},
		{
			place.Address{Address1: "Nørregade 3, 2. tv", PostalCode: "DK-1165", City: "København K", Country: "Danmark"},
			"Nørregade", "3", "1165", "kobenhavn", "DK",
		},
		{
			place.Address{Address1: "Kungsgatan 10", PostalCode: "111 43", City: "Stockholm", Country: "Sverige"},
			"Kungsgatan", "10", "11143", "stockholm", "SE",
		},
	} {
		q := place.Read(c.asked, "NO")
		require.NotEmpty(t, q.Readings, c.asked)
		require.Equal(t, place.NewStreetKey(c.street), q.Readings[0].Street, "%v", c.asked)
		require.Equal(t, c.house, q.Readings[0].House.String(), "%v", c.asked)
		require.Equal(t, []string{c.code, c.town, c.nation}, []string{q.PostalCode, q.Town, q.Country}, "%v", c.asked)
	}
}

func TestPostBoxIsNotAStreet(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"Postboks 123", "P.O. Box 7", "PB 55 Sentrum", "Postfach 12"} {
		require.Empty(t, place.Read(place.Address{Address1: line}, "NO").Readings, line)
	}
}

func TestHouseNumbersOfRegistersAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"8, Floor 6": {"8"}, "2, 2. krs./Floor 2": {"2"}, "3-5": {"3", "5"}, "1-7": {"1", "3", "5", "7"},
		"31;33": {"31", "33"}, "68a;68b": {"68A", "68B"}, "175 F": {"175F"}, "12b": {"12B"}, "39A/B": {"39A"},
		"1-805": {"1", "805"}, "Slottet": nil, "": nil, "76, 76a, 76b": {"76", "76A", "76B"},
	} {
		var got []string
		for _, house := range place.ReadHouses(text) {
			got = append(got, house.String())
		}
		require.Equal(t, want, got, text)
	}
}

func TestCountriesAreUnderstood(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]string{
		"NO": "NO", "no": "NO", "NOR": "NO", "Norge": "NO", "Noreg": "NO", "Norway": "NO", "Norwegen": "NO", "Norja": "NO",
		"Suomi": "FI", "Ruotsi": "SE", "Sverige": "SE", "Sweden": "SE",
		"Tyskland": "DE", "Deutschland": "DE", "Germany": "DE", "Danmark": "DK", "Tanska": "DK",
		"UK": "GB", "Storbritannia": "GB", "Storbritannien": "GB", "Great Britain": "GB",
		"POLSKA": "PL", "Eesti": "EE", "Česko": "CZ", "Czech Republic": "CZ",
		"España": "ES", "Espana": "ES", "Österreich": "AT",
		"Suisse": "CH", "Svizzera": "CH", "Belgique": "BE", "België": "BE", "The Netherlands": "NL", "Ísland": "IS",
		"Føroyar": "FO", " norge ": "NO", "Norge.": "NO", "Norg": "", "Kari": "",
		"Atlantis": "", "": "",
	} {
		require.Equal(t, code, place.CountryCode(text), text)
	}
}

// TestLinesWithoutAStreetHaveKeys: each can have a pin of its own.
func TestLinesWithoutAStreetHaveKeys(t *testing.T) {
	t.Parallel()
	keyOf := func(line string) place.Key {
		q := place.Read(place.Address{Address1: line, PostalCode: "0102", City: "Oslo"}, "NO")
		require.Empty(t, q.Readings)
		return q.Key()
	}
	require.Equal(t, keyOf("Postboks 123 Sentrum"), keyOf("POSTBOKS 123  SENTRUM"))
	require.NotEqual(t, keyOf("Postboks 123 Sentrum"), keyOf("Postboks 124 Sentrum"))
	require.NotEqual(t, keyOf("%_%"), keyOf("!!"))
	require.Zero(t, keyOf(" "))
}
