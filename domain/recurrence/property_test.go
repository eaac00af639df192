package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/recurrence"
)

// propertyZones have changes of clock of all sorts in the years of the tests.
var propertyZones = []string{
	"UTC", "Europe/Oslo", "America/New_York", "America/Santiago",
	"America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu",
}

// drawZone loads one of propertyZones.
func drawZone(t *rapid.T) *time.Location {
	loaded, err := time.LoadLocation(rapid.SampledFrom(propertyZones).Draw(t, "zone"))
	require.NoError(t, err)
	return loaded
}

// accepted parses a random rule, and passes over the few whose times of day
// are refused.
func accepted(t *rapid.T, r reference) recurrence.Rule {
	rule, err := recurrence.Parse(r.text(), placeSlowly(r.start, r.zone), r.zone)
	var refused *recurrence.RefusedError
	if err != nil {
		require.ErrorAs(t, err, &refused, r.text())
		require.Contains(t, []string{"recurrence.hour_never_reached", "recurrence.too_many_a_day"}, refused.Text.ID, r.text())
		t.Skip(refused.Text.ID)
	}
	return rule
}

func texts(times []time.Time) []string {
	all := make([]string, len(times))
	for i, at := range times {
		all[i] = at.UTC().Format(time.RFC3339)
	}
	return all
}

func TestExpansionAgreesWithADayByDayCheck(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawReference(t, drawZone(t))
		end := r.start.AddDate(0, 0, rapid.SampledFrom([]int{20, 120, 800}).Draw(t, "days"))
		switch rapid.IntRange(0, 3).Draw(t, "ends") {
		case 0:
			r.count = rapid.IntRange(1, 60).Draw(t, "count")
		case 1:
			r.until = r.start.Add(time.Duration(rapid.IntRange(0, 800).Draw(t, "until")) * time.Hour)
		}
		r.drawDates(t)
		rule := accepted(t, r)
		want := r.expand(end)

		found, err := rule.Between(rule.Start(), placeSlowly(end, r.zone), recurrence.MaxOccurrences)
		require.NoError(t, err)
		require.Equal(t, texts(want[:min(len(want), recurrence.MaxOccurrences)]), texts(found), r.text())

		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		found, err = rule.Between(rule.Start(), placeSlowly(end, r.zone), limit)
		require.NoError(t, err)
		require.Equal(t, texts(want[:min(len(want), limit)]), texts(found), r.text())
	})
}

// drawDates takes some of the rule's own days and times out, and adds others.
func (r *reference) drawDates(t *rapid.T) {
	near := func(name string) []time.Time {
		var times []time.Time
		for range rapid.IntRange(0, 3).Draw(t, name) {
			times = append(times, r.start.Add(time.Duration(rapid.IntRange(-5, 500).Draw(t, name+"At"))*time.Hour))
		}
		return times
	}
	r.excludedDays, r.excludedTimes, r.addedAt = near("excludedDays"), near("excludedTimes"), near("added")
}

func TestAnExpansionFromANearbyAnchorIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawReference(t, drawZone(t))
		moving := accepted(t, r)
		// A rule with COUNT is expanded from its start. This one's is never
		// used up before the window ends.
		r.count = 10_000
		counting := accepted(t, r)
		from := moving.Start().Add(time.Duration(rapid.IntRange(0, 8000).Draw(t, "hours")) * time.Hour)
		to := from.AddDate(0, 0, rapid.IntRange(0, 40).Draw(t, "days"))

		want, err := counting.Between(from, to, recurrence.MaxOccurrences)
		require.NoError(t, err)
		found, err := moving.Between(from, to, recurrence.MaxOccurrences)
		require.NoError(t, err)
		require.Equal(t, texts(want), texts(found), r.text())
	})
}

func TestOnDayAgreesWithBetween(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawReference(t, drawZone(t))
		rule := accepted(t, r)
		end := rule.Start().AddDate(0, 0, 60)
		found, err := rule.Between(rule.Start(), end.AddDate(0, 0, 2), recurrence.MaxOccurrences)
		require.NoError(t, err)
		days := map[string]bool{}
		for _, at := range found {
			days[at.Format(time.DateOnly)] = true
		}
		if len(found) == recurrence.MaxOccurrences {
			end = found[len(found)-1].AddDate(0, 0, -1)
		}
		for day := rule.Start(); day.Before(end); day = day.AddDate(0, 0, 1) {
			require.Equal(t, days[day.Format(time.DateOnly)], rule.OnDay(day.Date()), "%s %s", r.text(), day)
		}
	})
}

func TestCanonicalTextGivesTheSameRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawReference(t, drawZone(t))
		r.drawDates(t)
		rule := accepted(t, r)
		again, err := recurrence.Parse(rule.Canonical(), rule.Start(), r.zone)
		require.NoError(t, err, rule.Canonical())
		require.Equal(t, rule.Canonical(), again.Canonical())
		require.Equal(t, rule, again)
	})
}
