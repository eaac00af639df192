package traffic_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/freight"
	"waybill/domain/traffic"
)

func TestRushHoursAreOnDaysAndInAreas(t *testing.T) {
	t.Parallel()
	h := traffic.RushHours{
		Days: []string{"MO", "FR"}, From: "07:00", Until: "09:30", Factor: 1.5,
		Areas: []freight.Area{{Country: "NO", From: "01", To: "02"}},
	}
	require.Empty(t, traffic.Problems("rush_hours", []traffic.RushHours{h}))
	require.True(t, h.On(time.Monday))
	require.False(t, h.On(time.Sunday))
	require.True(t, h.Covers(freight.Place{Country: "NO", PostalCode: "0155"}))
	require.False(t, h.Covers(freight.Place{Country: "NO", PostalCode: "5003"}))
	require.False(t, h.Covers(freight.Place{}))
	h.Days, h.Areas = nil, nil
	require.True(t, h.On(time.Sunday))
	require.True(t, h.Covers(freight.Place{}))
}

func TestBadRushHoursAreNamed(t *testing.T) {
	t.Parallel()
	good := traffic.RushHours{From: "07:00", Until: "24:00", Factor: 3}
	for field, spoil := range map[string]func(h *traffic.RushHours){
		"x[1].days[1]": func(h *traffic.RushHours) { h.Days = []string{"MO", "mo"} },
		"x[1].until":   func(h *traffic.RushHours) { h.Until = "07:00" },
		"x[1].factor":  func(h *traffic.RushHours) { h.Factor = math.NaN() },
		"x[1].areas":   func(h *traffic.RushHours) { h.Areas = make([]freight.Area, 101) },
	} {
		bad := good
		spoil(&bad)
		problems := traffic.Problems("x", []traffic.RushHours{good, bad})
		require.Len(t, problems, 1, field)
		require.Equal(t, field, problems[0].Field)
	}
	bad := good
	bad.From = "7"
	require.Len(t, traffic.Problems("x", []traffic.RushHours{bad}), 1)
	bad = good
	bad.Factor = 0.49
	require.Len(t, traffic.Problems("x", []traffic.RushHours{bad}), 1)
	bad.Factor = 0.5
	require.Empty(t, traffic.Problems("x", []traffic.RushHours{bad}))
	require.InDelta(t, 0.5, traffic.Least([]traffic.RushHours{good, bad}), 0)
	require.InDelta(t, 1.0, traffic.Least([]traffic.RushHours{good}), 0)
	require.Len(t, traffic.Problems("x", make([]traffic.RushHours, 51)), 1)
}
