package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/load"
)

// TestALinesOwnAmountCounts adds up a pallet with contents, and boxes without one.
func TestALinesOwnAmountCounts(t *testing.T) {
	t.Parallel()
	pallets := func(n float64) load.Amounts { return load.Amounts{{Dimension: "PALLETS", Amount: n}} }
	adr := func(n float64) load.Amounts { return load.Amounts{{Dimension: "ADR", Amount: n}} }
	want := load.Amounts{{Dimension: "ADR", Amount: 60}, {Dimension: "PALLETS", Amount: 3.5}}
	require.Equal(t, want, load.Sum([]load.Item{
		{Parent: -1, Quantity: 2, Own: pallets(1)},                     // two pallets
		{Parent: 0, Quantity: 5, Own: append(pallets(0.5), adr(6)...)}, // on them
		{Parent: -1, Quantity: 3, Own: pallets(0.5)},                   // loose boxes
		{Parent: -1, Quantity: 3},
	}))
	require.Empty(t, load.Sum([]load.Item{{Parent: -1, Quantity: 3}}))
	require.Equal(t, append(adr(1), pallets(3)...), pallets(1).Plus(append(pallets(2), adr(1)...)))
	require.True(t, pallets(3).Fit(load.Amounts{{Dimension: "ADR", Amount: 0}}), "no limit")
	require.False(t, pallets(3).Fit(pallets(2.999)))
}

// TestUnusableAmountsAreReported names each field, and what there is.
func TestUnusableAmountsAreReported(t *testing.T) {
	t.Parallel()
	known := load.Dimensions{{Name: "PALLETS", Unit: "pallet places"}, {Name: "ADR"}}
	require.Empty(t, known.Problems("d"))
	require.Equal(t, "ADR", known[1].Counted())
	fine := load.Amounts{{Dimension: "PALLETS", Amount: 0.125}, {Dimension: "ADR", Amount: 0}}
	require.Empty(t, fine.Problems("l", known))
	for field, amounts := range map[string]load.Amounts{
		"l[1].dimension": {{Dimension: "ADR", Amount: 1}, {Dimension: "pallets", Amount: 1}},
		"l[0].amount":    {{Dimension: "ADR", Amount: -1}},
		"l[2].dimension": {{Dimension: "ADR", Amount: 1}, {Dimension: "PALLETS", Amount: 1}, {Dimension: "ADR", Amount: 1}},
		"l[1].amount":    {{Dimension: "ADR", Amount: 1}, {Dimension: "PALLETS", Amount: 0.0001}},
		"l":              make(load.Amounts, 6),
	} {
		problems := amounts.Problems("l", known)
		require.Len(t, problems, 1, field)
		require.Equal(t, field, problems[0].Field)
	}
	require.Equal(t, "PALLETS, ADR", load.Amounts{{Dimension: "X", Amount: 1}}.Problems("l", known)[0].Text.Args["known"])
	require.Equal(t, "load.none", load.Amounts{{Dimension: "X", Amount: 1}}.Problems("l", nil)[0].Text.ID)
	for field, all := range map[string]load.Dimensions{
		"d[1].name": {{Name: "ADR"}, {Name: "ADR"}}, "d[0].name": {{Unit: "m"}}, "d": make(load.Dimensions, 6),
		"d[0].unit": {{Name: "A", Unit: string(make([]byte, 51))}},
	} {
		problems := all.Problems("d")
		require.Len(t, problems, 1, field)
		require.Equal(t, field, problems[0].Field)
	}
}
