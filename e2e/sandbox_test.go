package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// drivenOn records that a day was simulated.
func (o *organization) drivenOn(t *testing.T, day string) {
	t.Helper()
	_, err := o.admin.Exec(context.WithoutCancel(t.Context()), `insert into sandbox_runs (org_id, day, pace, incidents, state,
		started_at, ended_at) values ($1, $2, 60, 0, 'DONE', now(), now())`, o.id, day)
	require.NoError(t, err)
}

// drive simulates a day, without incidents by default.
func (o *organization) drive(t *testing.T, want int, ask object) contract.SandboxRun {
	t.Helper()
	if _, said := ask["trouble"]; !said {
		ask["trouble"] = "NONE"
	}
	a := o.expect(t, want, http.MethodPost, "/v2/sandbox/run", ask)
	if want >= http.StatusBadRequest {
		return contract.SandboxRun{}
	}
	return read[contract.SandboxRun](t, a)
}

// awaitDriven waits until the run of a day is over.
func (o *organization) awaitDriven(t *testing.T, day string) (run contract.SandboxRun) {
	t.Helper()
	eventually(t, "all is driven on "+day, func() bool {
		run = read[contract.SandboxRun](t, o.get(t, "/v2/sandbox/run?date="+day))
		return run.State != contract.SandboxRunStateRUNNING
	})
	return run
}

// toDrive are orders of tomorrow, one for each possible result.
func toDrive() object {
	var entries []object
	for n, suffix := range []string{"", "-FAIL", "-NOTHOME", "-LATE", "-OFFLINE", ""} {
		entry := toPlan(n, object{"reference": "driven"})
		entry["externalId"] = fmt.Sprintf("DRIVE-%d%s", n, suffix)
		entries = append(entries, entry)
	}
	return orders(entries...)
}

// endings are how the orders of an organization ended, by their numbers.
func (o *organization) endings(t *testing.T) string {
	t.Helper()
	return strings.Join(list(t, o.installation, `select concat_ws(' ', o.number, o.status_id, g.failure_reason, (
			select string_agg(concat_ws(' ', p.type, p.signee), ';') from completion_proofs p
			where p.org_id = o.org_id and p.order_id = o.id and p.counts))
		from orders o left join order_progress g on g.org_id = o.org_id and g.order_id = o.id
		where o.org_id = $1 order by o.number`, o.id), "\n")
}

// TestASandboxDrivesADay imports orders, simulates their day, and reads the
// result of each, which the end of its number determines.
func TestASandboxDrivesADay(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	require.True(t, read[contract.Organization](t, o.get(t, "/v1/organization")).Sandbox)
	o.expect(t, http.StatusNotFound, http.MethodGet, "/v2/sandbox/run", nil)
	o.drive(t, http.StatusConflict, object{})
	o.drive(t, http.StatusBadRequest, object{"pace": 0})
	o.drive(t, http.StatusBadRequest, object{"trouble": "SOME"})
	o.drive(t, http.StatusUnprocessableEntity, object{"date": "2020-01-01"})

	o.importOrders(t, toDrive())
	run := o.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": 1200})
	require.Equal(t, contract.SandboxRunStateRUNNING, run.State)
	require.Equal(t, run.RunID, o.drive(t, http.StatusOK, object{"date": tomorrow(), "pace": 1}).RunID)
	o.drive(t, http.StatusConflict, object{"date": bookableDay()})

	done := o.awaitDriven(t, tomorrow())
	require.Equal(t, contract.SandboxRunOrders{Total: 6, Delivered: 4, Failed: 2}, done.Orders)
	require.Zero(t, done.Drivers.OnTheRoad)
	require.Equal(t, strings.Join([]string{
		"DRIVE-0 6 IN_PERSON Reception", "DRIVE-1-FAIL 7 The goods are damaged.", "DRIVE-2-NOTHOME 7 Nobody was at home.",
		"DRIVE-3-LATE 6 IN_PERSON Reception", "DRIVE-4-OFFLINE 6 IN_PERSON Reception", "DRIVE-5 6 IN_PERSON Reception",
	}, "\n"), o.endings(t))
	require.Zero(t, one[int](t, o.installation, `select count(*) from driver_actions where org_id = $1
		and (occurred_at > received_at or outcome = 'REJECTED')`, o.id), "nothing is told before it happens, or refused")
	require.Equal(t, "DONE", one[string](t, o.installation, `select state from sandbox_runs where org_id = $1`, o.id))
	o.requireOneClock(t, tomorrow())
	require.Equal(t, []string{"registered", "planned", "at_pickup", "picked_up", "at_delivery", "delivered"},
		slices.Compact(statuses(t, o, "DRIVE-0")), "an item may tell another ETA alone")
}

// requireOneClock requires that each ETA of the feed is on a day, and that the times of an
// order never go back.
func (o *organization) requireOneClock(t *testing.T, day string) {
	t.Helper()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	changes, _ := o.follow(t, "", 1000)
	etas, last := map[string][]string{}, map[string]time.Time{}
	for _, c := range changes {
		if c.Eta != nil {
			require.Equal(t, day, c.Eta.In(oslo).Format(time.DateOnly), "%s: %v", c.ExternalID, c.Eta)
			etas[c.ExternalID] = append(etas[c.ExternalID], c.Eta.In(oslo).Format(time.TimeOnly))
		}
		require.False(t, c.OccurredAt.Before(last[c.ExternalID]), "%s %s happened at %s, after %s",
			c.ExternalID, c.Status, c.OccurredAt, last[c.ExternalID])
		last[c.ExternalID] = c.OccurredAt
	}
	require.NotEmpty(t, etas)
	t.Log(etas)
}

// TestMonitoringOfADay has a day driven from a shell.
func TestMonitoringOfADay(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	slug := one[string](t, o.installation, "select slug from organizations where id = $1", o.id)
	simulate := func(flags ...string) (string, error) {
		return o.command(t.Context(), append([]string{"simulate", "--org", slug}, flags...)...)
	}
	_, err := simulate()
	require.ErrorContains(t, err, "no orders to deliver today or later")
	_, err = simulate("--date", "2020-01-01")
	require.ErrorContains(t, err, "the day is over")
	_, err = simulate("--trouble", "some")
	require.ErrorContains(t, err, `--trouble is "some"; it must be none, usual or much`)
	_, err = simulate("--pace", "0")
	require.ErrorContains(t, err, "--pace is 0; it must be from 1 to 10000")

	o.importOrders(t, toDrive())
	printed, err := simulate("--pace", "1200", "--trouble", "none")
	require.NoError(t, err)
	require.Regexp(t, "^Started the run of "+tomorrow()+", at pace 1200.\n", printed)
	require.Contains(t, printed, "0 of 1 drivers on the road · 4 delivered, 2 failed, 0 under way, 0 to come")
	require.Contains(t, printed, "waybill proofs verify --org "+slug)
	o.apply(t, "settings: {sandbox: false}")
	_, err = simulate()
	require.ErrorContains(t, err, slug+" is not a sandbox")
}

// TestSimulationRequiresASandbox calls it for a real organization.
func TestSimulationRequiresASandbox(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.apply(t, "settings: {sandbox: false}")
	require.False(t, read[contract.Organization](t, o.get(t, "/v1/organization")).Sandbox)
	for method, body := range map[string]any{http.MethodPost: object{}, http.MethodGet: nil} {
		a := o.expect(t, http.StatusConflict, method, "/v2/sandbox/run", body)
		require.Equal(t, "SANDBOX_NONE", reasonOf(t, a))
	}
}

// reasonOf returns the reason of an error.
func reasonOf(t *testing.T, a answer) string {
	t.Helper()
	details := apitest.Status(t, a.body).Details
	last, err := json.Marshal(details[len(details)-1])
	require.NoError(t, err)
	var info struct{ Reason string }
	require.NoError(t, json.Unmarshal(last, &info))
	return info.Reason
}
