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
	require.Equal(t, load.Amounts{{Dimension: "ADR", Amount: 60}, {Dimension: "PALLETS", Amount: 3.5}}, load.Sum([]load.Item{
		{Parent: -1, Quantity: 2, Own: pallets(1)},                                // two pallets
		{Parent: 0, Quantity: 5, Own: load.Amounts{{"PALLETS", 0.5}, {"ADR", 6}}}, // on them
		{Parent: -1, Quantity: 3, Own: pallets(0.5)},                              // loose boxes
		{Parent: -1, Quantity: 3},
	}))
	require.Empty(t, load.Sum([]load.Item{{Parent: -1, Quantity: 3}}))
	require.Equal(t, load.Amounts{{"ADR", 1}, {"PALLETS", 3}}, pallets(1).Plus(load.Amounts{{"PALLETS", 2}, {"ADR", 1}}))
	require.True(t, pallets(3).Fit(load.Amounts{{"ADR", 0}}), "no limit")
	require.False(t, pallets(3).Fit(pallets(2.999)))
}

// TestUnusableAmountsAreReported names each field, and what there is.
func TestUnusableAmountsAreReported(t *testing.T) {
	t.Parallel()
	known := load.Dimensions{{Name: "PALLETS", Unit: "pallet places"}, {Name: "ADR"}}
	require.Empty(t, known.Problems("d"))
	require.Equal(t, "ADR", known[1].Counted())
	require.Empty(t, load.Amounts{{"PALLETS", 0.125}, {"ADR", 0}}.Problems("l", known))
	for field, amounts := range map[string]load.Amounts{
		"l[1].dimension": {{"ADR", 1}, {"pallets", 1}},
		"l[0].amount":    {{"ADR", -1}},
		"l[2].dimension": {{"ADR", 1}, {"PALLETS", 1}, {"ADR", 1}},
		"l[1].amount":    {{"ADR", 1}, {"PALLETS", 0.0001}},
		"l":              make(load.Amounts, 6),
	} {
		problems := amounts.Problems("l", known)
		require.Len(t, problems, 1, field)
		require.Equal(t, field, problems[0].Field)
	}
	require.Equal(t, "PALLETS, ADR", load.Amounts{{"X", 1}}.Problems("l", known)[0].Text.Args["known"])
	require.Equal(t, "load.none", load.Amounts{{"X", 1}}.Problems("l", nil)[0].Text.ID)
	for field, all := range map[string]load.Dimensions{
		"d[1].name": {{Name: "ADR"}, {Name: "ADR"}}, "d[0].name": {{Unit: "m"}}, "d": make(load.Dimensions, 6),
		"d[0].unit": {{Name: "A", Unit: string(make([]byte, 51))}},
	} {
		problems := all.Problems("d")
		require.Len(t, problems, 1, field)
		require.Equal(t, field, problems[0].Field)
	}
}
