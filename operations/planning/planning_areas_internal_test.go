package planning

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

func TestLeastRecentlyUsedAreasAreEvicted(t *testing.T) {
	t.Parallel()
	points := []travel.Point{{Latitude: 59, Longitude: 10}, {Latitude: 60, Longitude: 10}, {Latitude: 61, Longitude: 10}}
	fill := func(m *areaMemory) {
		m.roads.present().fly(planning.Car, points)
	}
	one := newAreas(1).of(1, planning.Area{})
	fill(one)
	kept := newAreas(2 * one.bytes())
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

// TestKnownTravelTimesAreReused: the drafts of a move have the same places, and one table.
func TestKnownTravelTimesAreReused(t *testing.T) {
	t.Parallel()
	table := []routing.Travel{{Places: 1, Legs: make([]routing.Leg, 1)}}
	drawn := func(latitude float64) *planning.Draft {
		return &planning.Draft{Points: []planning.Point{{Latitude: latitude}}, Profiles: []planning.Profile{planning.Car}}
	}
	first := &planner{drawn: drawn(59), done: PlannedDay{Travel: "osrm", Guessed: 3}}
	first.drawn.Problem.Travel = table
	same, other := &planner{drawn: drawn(59), like: first}, &planner{drawn: drawn(60), like: first}
	require.True(t, same.alike())
	require.Same(t, &table[0].Legs[0], &same.drawn.Problem.Travel[0].Legs[0])
	require.Equal(t, first.done, same.done)
	require.False(t, other.alike())
	require.False(t, first.alike())
}
