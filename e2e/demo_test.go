package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// ordersFrom is the output of the README's demo/orders.sh on a day; empty means
// today.
func ordersFrom(t *testing.T, today string) string {
	t.Helper()
	script := exec.CommandContext(t.Context(), "../demo/orders.sh")
	script.Env = append(os.Environ(), "DEMO_TODAY="+today)
	printed, err := script.Output()
	require.NoError(t, err, "is jq installed?")
	return string(printed)
}

// TestDemoOrdersAreForTheDaysToCome checks the README's import.
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

// knowsOslo loads the addresses of central Oslo, which orders of the demo have no coordinates for.
func (i *installation) knowsOslo(t *testing.T) {
	t.Helper()
	_, err := i.command(t.Context(), "places", "load", "../demo/regions/oslo-center.osm.pbf")
	require.NoError(t, err)
}

// TestDemoHasCounterfactuals reads how much longer a driver would have to work
// for an unplannable order of the demo, extends the workday, and sees the order
// planned.
func TestDemoHasCounterfactuals(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	o.knowsOslo(t)
	o.importOrders(t, ordersFrom(t, tomorrow()))
	require.Zero(t, one[int](t, o.installation, `select count(*)::int from order_stops where org_id = $1
		and latitude is null and position ->> 'precision' <> 'POINT'`, o.id), "the register has all addresses of the demo")
	var left contract.UnplannedOrder
	var help contract.PlanningCounterfactual
	var day string
	eventually(t, "somebody would have to work longer", func() bool {
		for n := range 7 {
			day = daysAhead(1 + n)
			for _, left = range read[contract.UnplannedPage](t, o.get(t, "/v1/planning/unplanned?date="+day)).Items {
				require.NotEmpty(t, left.Planning.Reasons, left.ExternalID)
				for _, help = range left.Planning.Counterfactuals {
					if help.Change == contract.PlanningCounterfactualChangeWORKDAYEND {
						return true
					}
				}
			}
		}
		return false
	})
	require.NotEmpty(t, *help.Text)
	hours := one[string](t, o.installation, `
		select concat(to_char(make_interval(mins => starts), 'HH24:MI'), ' ',
			to_char(make_interval(mins => (ends + ceil($3::int / 60.0)::int) % 1440), 'HH24:MI'))
		from driver_workday_rules where org_id = $1 and driver_id = $2`, o.id, *help.DriverID, *help.BySeconds)
	starts, ends, _ := strings.Cut(hours, " ")
	o.expect(t, http.StatusOK, http.MethodPut, fmt.Sprintf("/v1/drivers/%d/workdays", *help.DriverID), object{
		"start_date": day, "end_date": day, "workdays": []object{{"date": day, "starts": starts, "ends": ends}},
	})
	o.becomesPlanned(t, left.ExternalID, fmt.Sprintf("d.id = %d", *help.DriverID))
}
