package planning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
)

// at is a point, by latitude and longitude.
func at(latitude, longitude float64) planning.Point {
	return planning.Point{Latitude: latitude, Longitude: longitude}
}

func TestCellsHaveNumbersOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[int64]planning.Point{}
	for _, p := range []planning.Point{
		at(59.9, 10.7), at(-59.9, 10.7), at(59.9, -10.7), at(-59.9, -10.7), at(90, 180), at(-90, -180), {},
	} {
		for _, p.Curbside = range []bool{false, true} {
			cell := planning.CellOf(p)
			require.Equal(t, cell, planning.CellByID(cell.ID()))
			require.Equal(t, p.Curbside, planning.CurbsideByID(cell.ID()))
			require.NotContains(t, seen, cell.ID())
			seen[cell.ID()] = p
		}
	}
	require.EqualValues(t, 1198000<<32|214000, planning.CellOf(at(59.9, 10.7)).ID(), "as stored before")
	require.Equal(t, planning.CellOf(at(59.9, 10.7)), planning.CellOf(at(59.90001, 10.70001)))
	require.NotEqual(t, planning.CellOf(at(59.9, 10.7)), planning.CellOf(at(59.901, 10.7)))
}

func TestPointsMustBeValidCoordinates(t *testing.T) {
	t.Parallel()
	require.True(t, at(-90, 180).Valid())
	for _, p := range []planning.Point{
		at(math.NaN(), 0), at(0, math.NaN()), at(90.1, 0), at(0, -180.1), at(math.Inf(1), 0),
	} {
		require.False(t, p.Valid(), "%v", p)
	}
}
