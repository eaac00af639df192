package recurring_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/order"
	"waybill/domain/recurring"
)

// weekly is a rule simple enough to be checked day by day without a library.
type weekly struct {
	interval int // in days or weeks
	byDay    []time.Weekday
	excluded map[string]bool
	daily    bool
}

var weekdays = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

func (w weekly) text() string {
	var b strings.Builder
	if w.daily {
		fmt.Fprintf(&b, "FREQ=DAILY;INTERVAL=%d", w.interval)
	} else {
		names := make([]string, len(w.byDay))
		for i, d := range w.byDay {
			names[i] = weekdays[d]
		}
		fmt.Fprintf(&b, "FREQ=WEEKLY;INTERVAL=%d;BYDAY=%s", w.interval, strings.Join(names, ","))
	}
	for day := range w.excluded {
		fmt.Fprintf(&b, "\nEXDATE;VALUE=DATE:%s", strings.ReplaceAll(day, "-", ""))
	}
	return b.String()
}

// has reports whether a day has an occurrence, computed from the calendar only.
func (w weekly) has(start, day time.Time) bool {
	if day.Before(start) || w.excluded[day.Format(time.DateOnly)] {
		return false
	}
	since := int(day.Sub(start).Hours() / 24)
	if w.daily {
		return since%w.interval == 0
	}
	monday := start.AddDate(0, 0, -(int(start.Weekday())+6)%7)
	week := int(day.Sub(monday).Hours()/24) / 7
	return week%w.interval == 0 && slices.Contains(w.byDay, day.Weekday())
}

// TestGeneratedOrdersMatchTheCalendar walks through days, some of which are
// missed, and compares all generated orders with a check of each day.
func TestGeneratedOrdersMatchTheCalendar(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, err := time.LoadLocation(rapid.SampledFrom([]string{
			"UTC", "Europe/Oslo", "America/New_York", "Asia/Kathmandu",
		}).Draw(t, "zone"))
		require.NoError(t, err)
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 1000).Draw(t, "start"))
		hour := rapid.IntRange(4, 23).Draw(t, "hour") // later than any change of clock
		w := weekly{
			daily:    rapid.Bool().Draw(t, "daily"),
			interval: rapid.IntRange(1, 5).Draw(t, "interval"), excluded: map[string]bool{},
			byDay: rapid.SliceOfNDistinct(
				rapid.SampledFrom([]time.Weekday{0, 1, 2, 3, 4, 5, 6}), 1, 4, rapid.ID[time.Weekday],
			).Draw(t, "byDay"),
		}
		for range rapid.IntRange(0, 5).Draw(t, "excluded") {
			w.excluded[start.AddDate(0, 0, rapid.IntRange(0, 60).Draw(t, "excludedDay")).Format(time.DateOnly)] = true
		}
		rule := w.text()
		begins := time.Date(start.Year(), start.Month(), start.Day(), hour, 0, 0, 0, in)
		c := recurring.Change{RuleSet: &rule, Start: &begins, Order: &order.Request{}}
		made, err := c.New(in)
		require.NoError(t, err)
		made.DaysAhead = rapid.IntRange(0, 30).Draw(t, "ahead")
		var end time.Time
		if rapid.Bool().Draw(t, "ends") {
			end = start.AddDate(0, 0, rapid.IntRange(0, 80).Draw(t, "end"))
			last := time.Date(end.Year(), end.Month(), end.Day(), 0, 0, 0, 0, in)
			made.End = &last
		}

		got, want := map[string]bool{}, map[string]bool{}
		var existing []recurring.Existing
		sleep := rapid.IntRange(1, 9)
		until := start.AddDate(0, 0, 60)
		for today := start.AddDate(0, 0, -3); today.Before(until); today = today.AddDate(0, 0, sleep.Draw(t, "sleep")) {
			plan, err := made.Compare(existing, today, in)
			require.NoError(t, err)
			for _, o := range plan.Create {
				require.False(t, got[o.Date.Format(time.DateOnly)], "%s twice", o.Date)
				got[o.Date.Format(time.DateOnly)] = true
				existing = append(existing, recurring.Existing{
					Occurrence: o, OrderID: 1, Status: order.Registered, Version: made.Version,
				})
				require.Equal(t, hour, o.At.In(in).Hour())
			}
			for day := today; !day.After(today.AddDate(0, 0, made.DaysAhead)); day = day.AddDate(0, 0, 1) {
				if w.has(start, day) && (made.End == nil || !day.After(end)) {
					want[day.Format(time.DateOnly)] = true
				}
			}
			require.Equal(t, want, got, "%s from %s, today is %s", rule, start, today)
			existing = slices.DeleteFunc(existing, func(e recurring.Existing) bool { return e.Date.Before(today) })
		}
	})
}

// TestSleepingMissesNothing compares a template that wakes only at Wake with
// one that checks every day.
func TestSleepingMissesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, err := time.LoadLocation(rapid.SampledFrom([]string{
			"Europe/Oslo", "America/New_York", "America/Havana",
		}).Draw(t, "zone"))
		require.NoError(t, err)
		rule := rapid.SampledFrom([]string{
			"FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,SU",
			"FREQ=MONTHLY;BYMONTHDAY=29,31", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
		}).Draw(t, "rule")
		begins := time.Date(2026, 1, 1, rapid.IntRange(0, 23).Draw(t, "hour"), 30, 0, 0, in)
		c := recurring.Change{RuleSet: &rule, Start: &begins, Order: &order.Request{}}
		made, err := c.New(in)
		require.NoError(t, err)
		made.DaysAhead = rapid.IntRange(0, 40).Draw(t, "ahead")
		now, until := begins, begins.AddDate(3, 0, 0)
		for now.Before(until) {
			today := recurring.DayOf(now, in)
			wake, next, ok, err := made.Wake(today, in)
			require.NoError(t, err)
			require.True(t, ok)
			require.True(t, wake.After(now), "it does not wake again at once")
			eve := recurring.DayOf(wake, in).AddDate(0, 0, -1)
			_, before := made.Horizon(eve, in)
			_, after := made.Horizon(recurring.DayOf(wake, in), in)
			require.True(t, before.Before(next), "the day before would have been too early")
			require.False(t, after.Before(next), "it wakes in time")
			missed, err := made.Occurrences(today.AddDate(0, 0, made.DaysAhead+1), before, in)
			require.NoError(t, err)
			require.Empty(t, missed)
			now = wake
		}
	})
}
