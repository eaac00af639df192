package freight_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/freight"
)

func TestZonesOf(t *testing.T) {
	t.Parallel()
	zones := []freight.Zone{
		{ID: 1, Areas: []freight.Area{{Country: "NO", From: "0001", To: "1299"}}},
		{ID: 2, Areas: []freight.Area{{Country: "NO"}}},
		{ID: 3, Areas: []freight.Area{{Country: "GB", From: "SW1", To: "SW3"}, {Country: "NO", From: "9", To: "9"}}},
	}
	for _, tc := range []struct {
		country, code string
		want          []int64
	}{
		{"NO", "0001", []int64{1, 2}},
		{"NO", "1299", []int64{1, 2}},
		{"NO", "1300", []int64{2}},
		{"NO", "0000", []int64{2}},
		{"NO", "9012", []int64{2, 3}},
		{"NO", "", []int64{2}},
		{"NO", "01", []int64{2}},
		{"no", " 0668 ", []int64{1, 2}},
		{"GB", "sw2 1aa", []int64{3}},
		{"GB", "SW4 1AA", nil},
		{"DK", "0668", nil},
		{"", "0668", nil},
	} {
		want := map[int64]bool{}
		for _, id := range tc.want {
			want[id] = true
		}
		require.Equal(t, want, freight.ZonesOf(zones, freight.Place{Country: tc.country, PostalCode: tc.code}),
			"%s %s", tc.country, tc.code)
	}
}

func measure(v float64) *float64 { return &v }

func TestLoadOf(t *testing.T) {
	t.Parallel()
	pallet := freight.Item{
		Parent: -1, Quantity: 2, Weight: measure(25), Length: measure(120), Width: measure(80), Height: measure(100),
	}
	crate := freight.Item{Parent: -1, Quantity: 3}
	box := freight.Item{
		Parent: 1, Quantity: 2, Weight: measure(0.1), Length: measure(10), Width: measure(10), Height: measure(10),
	}
	load := freight.LoadOf([]freight.Item{pallet, crate, box, {Parent: 0, Quantity: 9, Weight: measure(99)}})
	require.Equal(t, "50.6", load.WeightKg.String(), "a pallet's own weight counts; of the crate what it holds")
	require.Equal(t, "1.926", load.VolumeM3.String())
	require.Equal(t, "5", load.Colli.String())
	require.Equal(t, "2", freight.LoadOf([]freight.Item{{Parent: -1, Quantity: 1.2}}).Colli.String(),
		"a part of a colli counts as one")
}

func TestLevelOf(t *testing.T) {
	t.Parallel()
	bound := func(text string) *decimal.Decimal {
		d := decimal.RequireFromString(text)
		return &d
	}
	levels := []freight.Level{
		{ID: 1, MaxWeightKg: bound("35"), MaxColli: bound("2")},
		{ID: 2, MaxWeightKg: bound("100"), MaxVolumeM3: bound("1.5")},
	}
	of := func(kg, m3, colli string) int64 {
		return freight.LevelOf(levels, freight.Load{WeightKg: *bound(kg), VolumeM3: *bound(m3), Colli: *bound(colli)})
	}
	require.Equal(t, int64(1), of("35", "9", "2"))
	require.Equal(t, int64(2), of("35.000001", "1", "2"))
	require.Equal(t, int64(2), of("1", "1.5", "3"))
	require.Zero(t, of("1", "1.6", "3"))
	require.Zero(t, of("101", "0", "1"))
}

// Weights are summed up without the errors of binary fractions.
func TestLoadIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		items := make([]freight.Item, n)
		for i := range items {
			items[i] = freight.Item{Parent: -1, Quantity: 1, Weight: measure(0.1)}
		}
		require.True(t, freight.LoadOf(items).WeightKg.Equal(decimal.New(int64(n), -1)))
	})
}
