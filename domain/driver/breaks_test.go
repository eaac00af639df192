package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
)

// TestBreaksComeOneAfterTheOther checks the breaks after the first.
func TestBreaksComeOneAfterTheOther(t *testing.T) {
	t.Parallel()
	of := func(more ...driver.Break) (h driver.Hours) {
		h = hours(420, 1140, 15, 540, 600)
		copy(h.More[:], more)
		return h
	}
	second := driver.Break{Minutes: 30, Earliest: 720, Latest: 810}
	third := driver.Break{Minutes: 15, Earliest: 810, Latest: 830}
	alone := of(second)
	alone.Break = driver.Break{}
	for name, c := range map[string]struct {
		hours driver.Hours
		field string
	}{
		"One":       {of(), ""},
		"Three":     {of(second, third), ""},
		"Overlap":   {of(driver.Break{Minutes: 15, Earliest: 599, Latest: 700}), "more_breaks[0].earliest"},
		"Reversed":  {of(third, second), "more_breaks[1].earliest"},
		"Outside":   {of(second, driver.Break{Minutes: 15, Earliest: 1100, Latest: 1141}), "more_breaks[1].latest"},
		"NoMinutes": {of(driver.Break{Earliest: 720, Latest: 810}), "more_breaks[0].minutes"},
		"Alone":     {alone, "break.minutes"},
	} {
		field, _ := c.hours.Problem()
		require.Equal(t, c.field, field, name)
	}
	require.Equal(t, []driver.Break{{Minutes: 15, Earliest: 540, Latest: 600}, second, third}, of(second, third).Breaks())
}
