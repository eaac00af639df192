package operations

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/providers/travel"
)

func TestAreasThatWereNotUsedForLongestAreForgotten(t *testing.T) {
	t.Parallel()
	tables := travel.NewTables(travel.Crow{}, time.Now)
	points := []travel.Point{{Latitude: 59, Longitude: 10}, {Latitude: 60, Longitude: 10}, {Latitude: 61, Longitude: 10}}
	fill := func(m *areaMemory) {
		_, err := tables.TableOf(t.Context(), nil, &m.travel, planning.Car, points)
		require.NoError(t, err)
	}
	one := newAreas(1).of(1, planning.Area{})
	fill(one)
	kept := newAreas(2 * one.travel.Bytes())
	first, second := kept.of(1, planning.Area{DepartmentID: 1}), kept.of(1, planning.Area{DepartmentID: 2})
	fill(first)
	fill(second)
	require.Same(t, first, kept.of(1, planning.Area{DepartmentID: 1}))
	other := kept.of(2, planning.Area{DepartmentID: 1})
	require.NotSame(t, first, other, "another organization")
	fill(other)
	require.Same(t, first, kept.of(1, planning.Area{DepartmentID: 1}))
	require.NotSame(t, second, kept.of(1, planning.Area{DepartmentID: 2}), "it made room")
}
