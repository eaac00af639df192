package e2e_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ordersFrom is what the README's demo/orders.sh prints on a day; empty is today.
func ordersFrom(t *testing.T, today string) string {
	t.Helper()
	script := exec.CommandContext(t.Context(), "../demo/orders.sh")
	script.Env = append(os.Environ(), "DEMO_TODAY="+today)
	printed, err := script.Output()
	require.NoError(t, err, "is jq installed?")
	return string(printed)
}

// TestDemoOrdersAreForTheDaysToCome is about what the README imports.
func TestDemoOrdersAreForTheDaysToCome(t *testing.T) {
	t.Parallel()
	base := []string{"2026-12-07", "2026-12-08", "2026-12-09", "2026-12-10", "2026-12-11"}
	for today, days := range map[string][]string{
		"2026-12-07": base,
		"2026-11-27": {"2026-11-27", "2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03"}, // a Friday
		"2027-01-02": {"2027-01-02", "2027-01-04", "2027-01-05", "2027-01-06", "2027-01-07"}, // a Saturday
	} {
		var moves []string
		for i := range base {
			moves = append(moves, `"`+base[i], `"`+days[i])
		}
		require.JSONEq(t, strings.NewReplacer(moves...).Replace(demoOrders(t)), ordersFrom(t, today), "only the days differ")
	}

	o := shared.organization(t)
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	days := []string{time.Now().In(zone).Format(time.DateOnly)}
	require.Equal(t, map[string]int{"orderCreated": 60}, kinds(o.importOrders(t, ordersFrom(t, ""))))
	days = append(days, time.Now().In(zone).Format(time.DateOnly)) // midnight may have passed
	first := one[string](t, o.installation, "select min(date)::text from orders where org_id = $1", o.id)
	require.True(t, slices.Contains(days, first), first)
}
