package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

// zone loads a time zone that the test needs.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loaded, err := time.LoadLocation(name)
	require.NoError(t, err)
	return loaded
}

// instant reads an RFC 3339 time.
func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}

// local reads a wall time such as "2025-01-31 09:00" in a zone. It must exist
// there, and only once.
func local(t testing.TB, text string, in *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, in)
	require.NoError(t, err)
	return at
}

// parse reads a rule that must be accepted.
func parse(t testing.TB, text string, start time.Time, in *time.Location) recurrence.Rule {
	t.Helper()
	rule, err := recurrence.Parse(text, start, in)
	require.NoError(t, err, text)
	return rule
}

// first returns the first occurrences of a rule from its start on, as wall times
// of the rule's zone with their offset.
func first(t testing.TB, rule recurrence.Rule, limit int) []string {
	t.Helper()
	found, err := rule.Between(rule.Start(), time.Date(2199, 12, 31, 0, 0, 0, 0, time.UTC), limit)
	require.NoError(t, err)
	return written(found)
}

func written(times []time.Time) []string {
	texts := make([]string, len(times))
	for i, at := range times {
		texts[i] = at.Format("2006-01-02 15:04 -0700")
	}
	return texts
}

// lines joins the lines of a ruleset.
func lines(all ...string) string { return strings.Join(all, "\n") }
