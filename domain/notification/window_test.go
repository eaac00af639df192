package notification_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/notification"
)

func TestWindows(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	const hour = 60
	cases := []struct {
		name            string
		from, to        int
		now, begin, end string
	}{
		{"open", 8 * hour, 21 * hour, "2026-03-02T10:00", "2026-03-02T08:00", "2026-03-02T21:00"},
		{"not open yet", 8 * hour, 21 * hour, "2026-03-02T06:59", "2026-03-02T08:00", "2026-03-02T21:00"},
		{"closed already", 8 * hour, 21 * hour, "2026-03-02T21:00", "2026-03-03T08:00", "2026-03-03T21:00"},
		{"over midnight, before it", 20 * hour, 2 * hour, "2026-03-02T23:00", "2026-03-02T20:00", "2026-03-03T02:00"},
		{"over midnight, after it", 20 * hour, 2 * hour, "2026-03-03T01:00", "2026-03-02T20:00", "2026-03-03T02:00"},
		{"over midnight, in the day", 20 * hour, 2 * hour, "2026-03-03T12:00", "2026-03-03T20:00", "2026-03-04T02:00"},
		{"to the end of the day", 8 * hour, 24 * hour, "2026-03-02T23:59", "2026-03-02T08:00", "2026-03-03T00:00"},
		{
			"the night when the clocks go forward", 1 * hour, 5 * hour,
			"2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T05:00",
		},
		{"the night when they go back", 1 * hour, 5 * hour, "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T05:00"},
	}
	at := func(text string) time.Time {
		moment, err := time.ParseInLocation("2006-01-02T15:04", text, oslo)
		require.NoError(t, err)
		return moment
	}
	for _, tc := range cases {
		window := notification.Window{From: clock(tc.from), To: clock(tc.to)}
		from, to := window.Next(at(tc.now), oslo)
		require.Equal(t, at(tc.begin).UTC(), from, tc.name)
		require.Equal(t, at(tc.end).UTC(), to, tc.name)
	}
	night := notification.Window{From: clock(hour), To: clock(5 * hour)}
	from, to := night.Next(at("2026-03-29T00:30"), oslo)
	require.Equal(t, 3*time.Hour, to.Sub(from))
	from, to = night.Next(at("2026-10-25T00:30"), oslo)
	require.Equal(t, 5*time.Hour, to.Sub(from))
}

func TestSendWindow(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		w := notification.Window{
			From: clock(rapid.IntRange(0, 1439).Draw(t, "from")), To: clock(rapid.IntRange(1, 1440).Draw(t, "to")),
		}
		now := time.Unix(rapid.Int64Range(1767225600, 1798761600).Draw(t, "now"), 0)
		from, to := w.Next(now, oslo)
		if !from.Before(to) || !now.Before(to) || from.Sub(now) > 50*time.Hour {
			t.Fatalf("%v at %s gives %s to %s", w, now, from, to)
		}
	})
}
