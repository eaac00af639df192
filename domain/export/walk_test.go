package export_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/export"
)

func TestWalkRemembersPageBoundaries(t *testing.T) {
	t.Parallel()
	w := export.Walk{PerPage: 2, Total: 5, Until: 90}
	require.EqualValues(t, 3, w.Pages())
	require.Zero(t, w.Last())

	after, until := w.Stretch(1)
	require.Equal(t, []int64{0, 90}, []int64{after, until})
	w.End(1, []int64{10, 20})
	require.EqualValues(t, 20, w.Last())
	after, until = w.Stretch(1)
	require.Equal(t, []int64{0, 20}, []int64{after, until}, "the same page again is the same stretch")
	w.End(1, []int64{10})
	require.Equal(t, []int64{20}, w.Ends, "whatever has left it meanwhile")

	require.Equal(t, 1, w.Unknown(3), "the second page was left out")
	w.Ends = append(w.Ends, 40)
	after, until = w.Stretch(3)
	require.Equal(t, []int64{40, 90}, []int64{after, until})
	w.End(3, []int64{50})
	require.Equal(t, []int64{20, 40, 90}, w.Ends, "the last page ends with the walk")
}
