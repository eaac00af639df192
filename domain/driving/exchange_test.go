package driving_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
)

func TestInvalidExchanges(t *testing.T) {
	t.Parallel()
	many := make([]driving.Exchanged, driving.MostKinds+1)
	for i := range many {
		many[i] = driving.Exchanged{CarrierID: int64(i + 1), Delivered: 1}
	}
	for name, c := range map[string]struct {
		lines  []driving.Exchanged
		fields []string
	}{
		"all":            {many[:driving.MostKinds], nil},
		"most":           {[]driving.Exchanged{{4, driving.MostOfAKind, driving.MostOfAKind}}, nil},
		"nothing":        {nil, []string{"cargoCarriers"}},
		"too many kinds": {many, []string{"cargoCarriers"}},
		"no kind":        {[]driving.Exchanged{{0, 1, 0}}, []string{"cargoCarriers[0].cargoCarrierId"}},
		"none":           {[]driving.Exchanged{{4, 0, 0}}, []string{"cargoCarriers[0].delivered"}},
		"fewer than none": {
			[]driving.Exchanged{{4, -1, 2}, {5, 2, -1}},
			[]string{"cargoCarriers[0].delivered", "cargoCarriers[1].collected"},
		},
		"far too many": {
			[]driving.Exchanged{{4, driving.MostOfAKind + 1, 0}, {5, 0, driving.MostOfAKind + 1}},
			[]string{"cargoCarriers[0].delivered", "cargoCarriers[1].collected"},
		},
		"twice": {
			[]driving.Exchanged{{4, 1, 0}, {5, 1, 0}, {4, 0, 1}},
			[]string{"cargoCarriers[2].cargoCarrierId"},
		},
	} {
		var fields []string
		for _, problem := range driving.CheckExchange(c.lines) {
			fields = append(fields, problem.Field)
		}
		require.Equal(t, c.fields, fields, name)
	}
}

// TestMovementsOfAnExchange checks that the movements of each kind add up to the
// exchanged numbers, and that each knows the sum of those after it.
func TestMovementsOfAnExchange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) driving.Exchanged {
			count := rapid.Int32Range(0, driving.MostOfAKind)
			return driving.Exchanged{rapid.Int64Range(1, 9).Draw(t, "kind"), count.Draw(t, "got"), count.Draw(t, "gave")}
		}), 1, 5, func(e driving.Exchanged) int64 { return e.CarrierID }).Draw(t, "lines")
		wanted, sums, last := map[int64]int64{}, map[int64]int64{}, int64(0)
		for _, e := range lines {
			wanted[e.CarrierID] = int64(e.Delivered - e.Collected)
		}
		movements := driving.Movements(lines)
		for i, m := range movements {
			require.NotZero(t, m.Quantity)
			require.GreaterOrEqual(t, m.CarrierID, last, "all lock accounts in the same sequence")
			last = m.CarrierID
			sums[m.CarrierID] += int64(m.Quantity)
			if i+1 == len(movements) || movements[i+1].CarrierID != m.CarrierID {
				require.Zero(t, m.Rest)
			}
			require.Equal(t, wanted[m.CarrierID], sums[m.CarrierID]+m.Rest)
		}
	})
}

func TestExchangeChangesNoOrderAndCanBeUndone(t *testing.T) {
	t.Parallel()
	pallets := said("e", 5, nora, driving.Exchange, order.Pickup)
	cancelled := office("x", 1, driving.Cancel, 8)
	require.Equal(t, order.Planned, standing(pallets).Status)
	require.False(t, standing(pallets).Begun)
	require.Equal(t, driving.Moved, standing(cancelled, pallets).Effects["e"], "they changed hands all the same")
	for name, c := range map[string]struct {
		back  driving.Fact
		what  driving.Effect
		taken string
	}{
		"in time":   {undo("u", 5.5, "e"), driving.Moved, "e"},
		"too late":  {undo("u", 6.5, "e"), driving.UndoTooLate, ""},
		"not there": {undo("u", 5.5, "f"), driving.NothingToUndo, ""},
	} {
		h := driving.History{GivenTo: nora, Facts: facts{pallets}}
		a := h.With(&order.Order{}, c.back)
		require.Equal(t, c.what, a.Effect, name)
		require.False(t, a.Changes(), name)
		require.Nil(t, a.Event, name)
		require.Equal(t, c.taken, h.TakesBack(c.back, a.Effect), name)
	}
	late := driving.History{GivenTo: nora, Facts: facts{undo("u", 5.5, "e")}}
	require.Equal(t, driving.TakenBack, late.With(&order.Order{}, pallets).Effect, "it was taken back before it came")
	pick := driving.History{GivenTo: nora, Facts: facts{said("p", 5, nora, driving.PickUp, order.Pickup)}}
	require.Empty(t, pick.TakesBack(undo("u", 5.5, "p"), driving.Moved), "that was no exchange")
}
