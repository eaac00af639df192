package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestNamesOfCountriesAreTheirCodes(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]string{
		"NO": "NO", "no": "NO", "Norge": "NO", "NOREG": "NO", "Norway": "NO", "Ruotsi": "SE", "Tanska": "DK",
		"Suomi": "FI", "Deutschland": "DE", "Storbritannia": "GB", "Kosovo": "XK",
	} {
		require.Equal(t, code, order.Country(text), text)
		require.True(t, order.IsCountry(order.Country(text)), text)
	}
	require.Equal(t, "SE", order.Country(" se "), "without the spaces around it")
	for _, text := range []string{"", "NOR", "swe", "N", "UK", "USA", "EU", "Atlantis", "Kari Nordmann", "Norge 1"} {
		require.False(t, order.IsCountry(order.Country(text)), text)
	}
}

func TestACountryByItsNameIsTheSamePlace(t *testing.T) {
	t.Parallel()
	code := order.Address{Address1: "Storgata 1", PostalCode: "0155", City: "Oslo", Country: "NO"}
	name := code
	name.Country = "Norge"
	require.Equal(t, order.KeyOf("Shop", code), order.KeyOf("Shop", name))
	require.Equal(t, code.Place(), name.Place())
}
