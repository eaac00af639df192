package e2e_test

import (
	"encoding/json"
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

// afternoonOrder returns an order of the demo for a vehicle whose driver finishes at three, with
// stops after that.
func afternoonOrder(t *testing.T, day string) string {
	t.Helper()
	var demo object
	require.NoError(t, json.Unmarshal([]byte(ordersFrom(t, day)), &demo))
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	date, err := time.ParseInLocation(time.DateOnly, day, zone)
	require.NoError(t, err)
	window := func(stop any, from, until int) {
		year, month, on := date.Date()
		at := func(hour int) time.Time { return time.Date(year, month, on, hour, 0, 0, 0, zone) }
		stop.(object)["earliest"], stop.(object)["latest"] = at(from), at(until)
	}
	for _, of := range demo["orders"].([]any) {
		if order := of.(object); order["externalId"] == "NF-2026-0004" {
			order["externalId"], order["date"], order["vehicleType"] = "NF-AFTERNOON", day, object{"name": "Semi-trailer"}
			window(order["pickup"], 15, 16)
			window(order["delivery"], 16, 17)
			demo["orders"] = []any{order}
			body, err := json.Marshal(demo)
			require.NoError(t, err)
			return string(body)
		}
	}
	require.Fail(t, "the demo has no such order")
	return ""
}

// left returns an unplanned order of a day, once its counterfactuals have been computed.
func (o *organization) left(t *testing.T, day, number string) (left contract.UnplannedOrder) {
	t.Helper()
	eventually(t, "the counterfactuals of "+number, func() bool {
		for _, left = range read[contract.UnplannedPage](t, o.get(t, "/v1/planning/unplanned?date="+day)).Items {
			if left.ExternalID == number {
				return len(left.Planning.Counterfactuals) > 0 || left.Planning.NothingHelps != nil
			}
		}
		return false
	})
	return left
}

// TestDemoHasCounterfactuals reads how much longer a driver would have to work for an unplanned
// order, extends the workday, and sees the order planned. For an order from Oslo to Copenhagen it
// reads that it takes longer than anybody may work.
func TestDemoHasCounterfactuals(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	o.knowsOslo(t)
	day := weekdayAhead(1)
	o.importOrders(t, ordersFrom(t, day))
	require.Zero(t, one[int](t, o.installation, `select count(*)::int from order_stops where org_id = $1
		and latitude is null and position ->> 'precision' <> 'POINT'`, o.id), "the register has all addresses of the demo")
	far := one[string](t, o.installation, "select date::text from orders where org_id = $1 and number = 'NF-2026-0057'", o.id)
	nothing := o.left(t, far, "NF-2026-0057").Planning
	require.Empty(t, nothing.Counterfactuals)
	require.Equal(t, contract.PlanningNothingHelpsCodeWORKINGTIME, nothing.NothingHelps.Code)
	require.NotEmpty(t, *nothing.NothingHelps.Text)

	o.importOrders(t, afternoonOrder(t, day))
	left := o.left(t, day, "NF-AFTERNOON")
	require.NotEmpty(t, left.Planning.Reasons)
	longer := slices.IndexFunc(left.Planning.Counterfactuals, func(c contract.PlanningCounterfactual) bool {
		return c.Change == contract.PlanningCounterfactualChangeWORKDAYEND
	})
	require.GreaterOrEqual(t, longer, 0, "%v", left.Planning)
	help := left.Planning.Counterfactuals[longer]
	require.NotEmpty(t, *help.Text)
	require.LessOrEqual(t, *help.BySeconds, int64(4*3600))
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
