package pricing_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/freight"
	"waybill/domain/pricing"
)

func d(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func class(from, to, level int64, kg, colli string) freight.Class {
	return freight.Class{
		From: map[int64]bool{from: true}, To: map[int64]bool{to: true}, LevelID: level,
		Load: freight.Load{WeightKg: d(kg), Colli: d(colli)},
	}
}

func said(charges []pricing.Charge) string {
	parts := make([]string, len(charges))
	for i, c := range charges {
		parts[i] = c.Name + "=" + c.Amount.String() + " " + c.Currency
	}
	return strings.Join(parts, "; ")
}

var tables = pricing.Tables{Lists: []pricing.List{
	{
		Name: "Express", Currency: "NOK", OrderTypes: []int64{2},
		Lines: []pricing.Line{{FromZone: 1, ToZone: 1, Base: d("500")}},
	},
	{
		Name: "City", Currency: "NOK", MinimumPrice: d("149"), Lines: []pricing.Line{
			{FromZone: 1, ToZone: 1, FreightLevel: 7, Base: d("89"), PerKg: d("2.5"), PerColli: d("15")},
			{FromZone: 1, ToZone: 2, PerKg: d("0.335")},
			{FromZone: 1, Base: d("990"), PerKg: d("1.95")},
		},
	},
	{Name: "Rest", Currency: "JPY", Lines: []pricing.Line{{FromZone: 3, Base: d("100.5"), PerKg: d("1.25")}}},
}}

func TestPrice(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		typ   int64
		class freight.Class
		want  string
	}{
		{"the first list for the type", 2, class(1, 1, 7, "10", "1"), "Express: base=500 NOK"},
		{
			"another type", 1, class(1, 1, 7, "10.25", "2"),
			"City: base=89 NOK; City: weight=25.63 NOK; City: colli=30 NOK; City: up to the minimum=4.37 NOK",
		},
		{"above the minimum", 1, class(1, 1, 7, "100", "2"), "City: base=89 NOK; City: weight=250 NOK; City: colli=30 NOK"},
		{"another level", 1, class(1, 1, 8, "100", "2"), "City: base=990 NOK; City: weight=195 NOK"},
		{"half a minor unit goes up", 1, class(1, 2, 8, "1000.015", "1"), "City: base=0 NOK; City: weight=335.01 NOK"},
		{"a list without a line goes on to the next", 2, class(1, 4, 0, "0", "1"), "City: base=990 NOK"},
		{"a currency without minor units", 1, class(3, 3, 0, "2", "1"), "Rest: base=101 JPY; Rest: weight=3 JPY"},
		{"no line at all", 1, class(4, 4, 0, "2", "1"), ""},
	} {
		require.Equal(t, tc.want, said(tables.Price(tc.typ, tc.class)), tc.name)
	}
}

// For any load, the charges add up to at least the minimum, none is negative,
// and none has more digits than its currency.
func TestPriceKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kg := decimal.New(rapid.Int64Range(0, 1e9).Draw(t, "grams"), -3)
		colli := decimal.NewFromInt(rapid.Int64Range(0, 1000).Draw(t, "colli"))
		charges := tables.Price(1, freight.Class{
			From: map[int64]bool{1: true}, To: map[int64]bool{1: true}, LevelID: rapid.Int64Range(7, 8).Draw(t, "level"),
			Load: freight.Load{WeightKg: kg, Colli: colli},
		})
		total := decimal.Zero
		for _, c := range charges {
			require.False(t, c.Amount.IsNegative())
			require.True(t, c.Amount.Equal(c.Amount.Round(2)))
			total = total.Add(c.Amount)
		}
		require.True(t, total.GreaterThanOrEqual(d("149")), total.String())
	})
}
