package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

func (d depot) asDispatcher(method, path, body string) (status int, text string) {
	d.T.Helper()
	w := d.Send(method, path, body, "Authorization", d.dispatcher)
	return w.Code, w.Body.String()
}

func (d depot) alerts(query string) contract.AlertPage {
	d.T.Helper()
	status, text := d.asDispatcher(http.MethodGet, "/v1/alerts?"+query, "")
	require.Equal(d.T, http.StatusOK, status, text)
	var page contract.AlertPage
	require.NoError(d.T, json.Unmarshal([]byte(text), &page))
	return page
}

func (d depot) alertRule(body string) (rule contract.AlertRule) {
	d.T.Helper()
	status, text := d.asDispatcher(http.MethodPost, "/v1/alert-rules", body)
	require.Equal(d.T, http.StatusCreated, status, text)
	require.NoError(d.T, json.Unmarshal([]byte(text), &rule))
	return rule
}

// follow does what the follower of the log does for all orders of today.
func (d depot) follow(orders ...int64) {
	d.T.Helper()
	day := time.Now().UTC().Truncate(24 * time.Hour)
	days := []time.Time{day.AddDate(0, 0, -1), day, day.AddDate(0, 0, 1)}
	for range 2 { // the second time after a crash
		require.NoError(d.T, d.Store.FollowAlerts(d.T.Context(), d.Org, orders, days, time.Now()))
	}
}

func TestAlertRulesAreKeptByTheOffice(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	rule := d.alertRule(`{"kind": "LATE_BY", "minutes": 15, "channels": ["PAGE", "EMAIL", "PAGE"],
		"emails": ["desk@nordfrakt.example"]}`)
	require.Equal(t, []contract.AlertChannel{"EMAIL", "PAGE"}, rule.Channels)
	require.Equal(t, []string{"desk@nordfrakt.example"}, rule.Emails)
	path := fmt.Sprintf("/v1/alert-rules/%d", rule.ID)
	status, text := d.asDispatcher(http.MethodPut, path, `{"kind": "FAILED", "channels": ["SOUND"]}`)
	require.Equal(t, http.StatusOK, status, text)
	for _, read := range []string{"/v1/alert-rules", path} {
		status, text = d.asDispatcher(http.MethodGet, read, "")
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, text, `"kind":"FAILED"`)
	}

	eleven := strings.TrimSuffix(strings.Repeat(`"a@b.example",`, 11), ",")
	for bad, says := range map[string]string{
		`"LATE_BY", "channels": ["PAGE"]`:                              "minutes",
		`"FAILED", "minutes": 5, "channels": ["PAGE"]`:                 "minutes",
		`"EXCEPTION", "channels": ["PAGE"]`:                            "exceptionKind",
		`"FAILED", "exceptionKind": "LATE_STOP", "channels": ["PAGE"]`: "exceptionKind",
		`"FAILED", "channels": ["EMAIL"]`:                              "emails",
		`"FAILED", "channels": ["PAGE"], "emails": ["a@b.example"]`:    "emails",
		`"FAILED", "channels": ["EMAIL"], "emails": ["nobody"]`:        "emails",
		`"FAILED", "channels": ["PAGE"], "departmentId": 987654`:       "departmentId",
		`"FAILED", "channels": ["EMAIL"], "emails": [` + eleven + `]`:  "emails",
	} {
		status, text := d.asDispatcher(http.MethodPost, "/v1/alert-rules", `{"kind": `+bad+`}`)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, status, text)
		require.Contains(t, text, says, bad)
	}
	status, _ = d.asDispatcher(http.MethodDelete, path, "")
	require.Equal(t, http.StatusNoContent, status)
	for _, method := range []string{http.MethodDelete, http.MethodGet} {
		status, text = d.asDispatcher(method, path, "")
		require.Equal(t, http.StatusNotFound, status, text)
	}
	support := d.AsRole(d.Org, caller.Support)
	require.Equal(t, http.StatusForbidden, d.Send(http.MethodGet, "/v1/alert-rules", "", "Authorization", support).Code)

	for range 50 {
		d.alertRule(`{"kind": "FAILED", "channels": ["PAGE"]}`)
	}
	status, text = d.asDispatcher(http.MethodPost, "/v1/alert-rules", `{"kind": "FAILED", "channels": ["PAGE"]}`)
	require.Equal(t, http.StatusConflict, status, text)
	require.Contains(t, text, "at most 50")
}

func TestAlertsAreAcknowledgedAndSnoozed(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	d.alertRule(`{"kind": "FAILED", "channels": ["PAGE", "WEBHOOK"]}`)
	d.alertRule(`{"kind": "EXCEPTION", "exceptionKind": "BAD_ORDER_OF_ACTIONS", "channels": ["SOUND"]}`)
	failed, _, delivery := nora.give("FAILED")
	d.exec("update orders set date = (now() at time zone 'UTC')::date where org_id = $1")
	nora.says(
		nora.did("FAIL", delivery, minute, object{"reason": "Nobody at home"}), nora.did("DELIVER", 987654321, minute),
	)
	d.follow(failed)

	found := d.alerts("").Items
	require.Len(t, found, 2)
	byKind := map[contract.AlertKind]contract.Alert{found[0].Kind: found[0], found[1].Kind: found[1]}
	fails, oddity := byKind["FAILED"], byKind["EXCEPTION"]
	require.Contains(t, fails.Text, "Order FAILED failed at ")
	require.Contains(t, oddity.Text, "cannot have happened")
	require.Equal(t, "BAD_ORDER_OF_ACTIONS", oddity.ExceptionKind.MustGet())
	require.Equal(t, "2 1", d.Text(`select count(*) filter (where kind = 'alert.raised') || ' ' ||
		count(*) filter (where kind = 'order.alerted') from events where org_id = $1`))
	require.Equal(t, "7", d.Text("select order_status_id::text from events where org_id = $1 and kind = 'order.alerted'"))

	act := func(id int64, what, body string) (status int, a contract.Alert) {
		status, text := d.asDispatcher(http.MethodPost, fmt.Sprintf("/v1/alerts/%d/%s", id, what), body)
		if status == http.StatusOK {
			require.NoError(t, json.Unmarshal([]byte(text), &a))
		}
		return status, a
	}
	status, a := act(fails.ID, "snooze", `{"minutes": 15, "note": " The driver calls back. "}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, contract.AlertStateSNOOZED, a.State)
	require.Equal(t, "The driver calls back.", a.Note.MustGet())
	require.Len(t, d.alerts("state=OPEN").Items, 1)
	d.exec("update alerts set snoozed_until = now() - interval '1 hour' where org_id = $1 and snoozed_until is not null")
	require.Len(t, d.alerts("state=OPEN").Items, 2, "time is over")

	status, a = act(fails.ID, "acknowledge", `{"note": "Redelivery tomorrow."}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, contract.AlertStateACKNOWLEDGED, a.State)
	status, a = act(fails.ID, "acknowledge", `{"note": "Another note."}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "Redelivery tomorrow.", a.Note.MustGet(), "again changes nothing")
	status, _ = act(fails.ID, "snooze", `{"minutes": 15}`)
	require.Equal(t, http.StatusConflict, status)
	status, _ = act(fails.ID, "snooze", `{"minutes": 4}`)
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = act(fails.ID+1000, "acknowledge", `{}`)
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "alert.snoozed alert.acknowledged", d.Text(`select string_agg(kind, ' ' order by id) from events
		where org_id = $1 and kind in ('alert.snoozed', 'alert.acknowledged')`))

	d.follow(failed)
	require.Len(t, d.alerts("").Items, 2, "who sees to it is not alerted again")
	d.exec("update orders set status_id = 4 where org_id = $1")
	d.exec("update exceptions set resolution = 'DISMISSED', resolved_at = now(), resolved_by = 'user:1' where org_id = $1")
	d.follow(failed)
	require.Len(t, d.alerts("state=RESOLVED").Items, 2)
	status, _ = act(oddity.ID, "acknowledge", `{}`)
	require.Equal(t, http.StatusConflict, status)
	first := d.alerts("pageSize=1")
	require.True(t, first.HasMore)
	require.Len(t, d.alerts("token="+first.NextToken).Items, 1)
}

func TestOrdersWithoutADriverRaiseAlerts(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.alertRule(`{"kind": "UNPLANNED", "channels": ["PAGE"]}`)
	id := d.Import("LEFT")
	d.exec("update orders set date = (now() at time zone 'UTC')::date where org_id = $1")
	plan := d.ID("insert into plans (org_id, day) select org_id, date from orders where org_id = $1 returning id")
	d.exec(`insert into plan_unplanned (org_id, order_id, plan_id, state, certainty)
		values ($1, $2, $3, 'UNPLANNED', 'PROVEN')`, id, plan)
	d.follow(id)
	found := d.alerts("state=OPEN").Items
	require.Len(t, found, 1)
	require.Equal(t, "Order LEFT has no driver.", found[0].Text)
	require.Equal(t, id, found[0].OrderID.MustGet())
	d.exec("delete from plan_unplanned where org_id = $1")
	d.follow(id)
	require.Empty(t, d.alerts("state=OPEN").Items)

	other := d.AsRole(d.Other, caller.Dispatcher)
	w := d.Send(http.MethodGet, "/v1/alerts", "", "Authorization", other)
	require.Contains(t, w.Body.String(), `"items":[]`)
}
