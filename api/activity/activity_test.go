package activity_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/store"
)

// desk is an office with an administrator at work.
type desk struct {
	*apitest.Office

	admin string // the administrator's Authorization header
}

func newDesk(t *testing.T) desk {
	t.Helper()
	o := apitest.NewOffice(t, func(c *api.Config, _ *api.Dependencies) {
		c.TemporalUI, c.Namespace = "https://temporal.example/", "waybill"
	})
	return desk{Office: o, admin: o.AsRole(o.Org, caller.Admin)}
}

// as sends a request with the given credentials.
func (d desk) as(who, method, path, body string) *httptest.ResponseRecorder {
	d.T.Helper()
	return d.Send(method, path, body, "Authorization", who)
}

// read decodes a response, which must be a success.
func read[T any](t *testing.T, w *httptest.ResponseRecorder) (value T) {
	t.Helper()
	require.Less(t, w.Code, 300, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &value))
	return value
}

func TestActivitySaysWhoDidWhat(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	user := d.ID(`insert into users (org_id, id, email, name, source)
		values ($1, 12, 'kari@example.com', '=Kari', 'console') returning id`)
	require.Equal(t, int64(12), user)
	order := d.Import("A-1")
	w := d.as(d.admin, http.MethodPost, "/v1/skills", `{"name":"Crane"}`)
	skill := w.Header().Get("Location")
	require.Equal(t, http.StatusOK, d.as(d.admin, http.MethodPut, skill, `{"name":"Big crane"}`).Code)

	all := read[contract.ActivityList](t, d.as(d.admin, http.MethodGet, "/v1/activity", ""))
	require.Equal(t, "skill.updated", all.Items[0].Kind, "the newest first")
	require.Equal(t, "=Kari", all.Items[0].ActorName.MustGet())
	require.NotEmpty(t, all.Items[0].Cause)
	require.Contains(t, w.Header().Get("X-Request-ID"), all.Items[1].Cause)
	require.False(t, all.HasMore)

	kinds := func(query string) string {
		var found []string
		for _, a := range read[contract.ActivityList](t, d.as(d.admin, http.MethodGet, "/v1/activity?"+query, "")).Items {
			found = append(found, a.Kind)
		}
		return strings.Join(found, " ")
	}
	require.Equal(t, "skill.updated skill.created", kinds("actor=user:12"))
	require.Equal(t, "skill.created", kinds("kind=skill.created"))
	require.Equal(t, "skill.updated skill.created", kinds("kind=skill."))
	require.Equal(t, "order.created", kinds(fmt.Sprintf("subject_type=order&subject_id=%d", order)))
	require.Empty(t, kinds("to=2020-01-01T00:00:00Z"))
	require.Equal(t, "order.created", kinds("kind=order.&people_only=true"))
	d.Text("update events set actor = 'system' where org_id = $1 and kind = 'order.created' returning kind")
	require.Empty(t, kinds("kind=order.&people_only=true"))
	require.Equal(t, "skill.updated skill.created", kinds("kind=skill.&people_only=true"))
	oslo := d.ID("select id from departments where org_id = $1 and name = 'Oslo'")
	nora := d.ID(`insert into drivers (org_id, name, department_id)
		select $1, 'Nora', id from departments where org_id = $1 and name = 'Oslo' returning id`)
	require.Empty(t, kinds(fmt.Sprintf("driver_id=%d", nora)))
	require.Equal(t, "order.created", kinds(fmt.Sprintf("department_id=%d", oslo)), "the order is of the department")
	require.Empty(t, kinds(fmt.Sprintf("department_id=%d", oslo+1000)))
	d.Text(`update events set driver_id = (select id from drivers where org_id = $1 and name = 'Nora')
		where org_id = $1 and kind = 'order.created' returning kind`)
	require.Equal(t, "order.created", kinds(fmt.Sprintf("driver_id=%d", nora)))
	require.Equal(t, "order.created", kinds(fmt.Sprintf("department_id=%d", oslo)))

	first := read[contract.ActivityList](t, d.as(d.admin, http.MethodGet, "/v1/activity?limit=1", ""))
	require.True(t, first.HasMore)
	require.Equal(t, "skill.created", read[contract.ActivityList](t,
		d.as(d.admin, http.MethodGet, "/v1/activity?limit=1&token="+first.NextToken.MustGet(), "")).Items[0].Kind)

	sheet := d.as(d.admin, http.MethodGet, "/v1/activity.csv?limit=1", "")
	lines, err := csv.NewReader(sheet.Body).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, []string{"skill.updated", "user:12", "'=Kari"}, lines[1][2:5], "which is no formula")
	require.Equal(t, first.NextToken.MustGet(), sheet.Header().Get("Next-Token"))

	for query, want := range map[string]string{
		"limit=0": "limit REQUEST_OUT_OF_RANGE", "token=x": "token FEED_BAD_TOKEN",
		"subject_id=1": "subject_type PARAM_REQUIRED",
		"from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z": "from ACTIVITY_TOO_LONG",
	} {
		bad := d.as(d.admin, http.MethodGet, "/v1/activity?"+query, "")
		require.Equal(t, http.StatusBadRequest, bad.Code, query)
		require.Equal(t, want, apitest.Refusal(t, bad))
	}
	theirs := read[contract.ActivityList](t, d.as(d.AsRole(d.Other, caller.Support), http.MethodGet, "/v1/activity", ""))
	require.Len(t, theirs.Items, 1)
	require.Equal(t, "organization.applied", theirs.Items[0].Kind)
	require.Equal(t, http.StatusForbidden, d.as(d.AsRole(d.Org, caller.Dispatcher), http.MethodGet, "/v1/activity",
		"").Code)
	key := "apikey " + d.Keys.Add(t, func(a *edge.APIKey) { a.OrgID = d.Org })
	require.Equal(t, http.StatusForbidden, d.as(key, http.MethodGet, "/v1/activity.csv", "").Code)
}

// sequence assigns positions to the events of all organizations.
func (d desk) sequence() {
	d.T.Helper()
	relay := d.Store.NewRelayMember("test", time.Minute)
	_, err := relay.Beat(d.T.Context(), nil)
	require.NoError(d.T, err)
	_, err = relay.Sequence(d.T.Context(), 1_000_000)
	require.NoError(d.T, err)
	require.NoError(d.T, relay.Leave(d.T.Context()))
}

// TestActivityLimitsItsRange searches a long log for one event that no index
// finds.
func TestActivityLimitsItsRange(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	skill := strings.TrimPrefix(d.as(d.admin, http.MethodPost, "/v1/skills",
		`{"name":"Crane"}`).Header().Get("Location"), "/v1/skills/")
	d.ID(`with added as (
			insert into events (org_id, kind, subject_type, subject_id, actor, cause)
			select $1, 'driver.updated', 'driver', n, 'system', 'test' from generate_series(1, $2::int) n returning id
		) select count(*) from added`, store.ActivityLooks)

	first := read[contract.ActivityList](t, d.as(d.admin, http.MethodGet, "/v1/activity?kind=skill.created", ""))
	require.Empty(t, first.Items)
	require.True(t, first.HasMore)
	rest := read[contract.ActivityList](t,
		d.as(d.admin, http.MethodGet, "/v1/activity?kind=skill.created&token="+first.NextToken.MustGet(), ""))
	require.Len(t, rest.Items, 1)
	require.False(t, rest.HasMore)
	for range 2 { // before and after the events have their places in the log
		for _, query := range []string{"actor=user:12", "subject_type=skill&subject_id=" + skill} {
			found := read[contract.ActivityList](t, d.as(d.admin, http.MethodGet, "/v1/activity?kind=skill.&"+query, ""))
			require.Len(t, found.Items, 1, query)
			require.False(t, found.HasMore, query)
		}
		d.sequence()
	}
}

// named returns an organization's name in workflow IDs.
func (d *desk) named(org int64) string {
	name, err := d.Store.WorkflowName(d.T.Context(), org)
	require.NoError(d.T, err)
	return name
}

func TestTheStoryOfAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	order := d.Import("A-1")
	d.ID(`insert into drafts (org_id, external_id, state, request, order_id) values ($1, 'A-1', 'promoted', '{}', $2)
		returning id`, order)
	rule := d.ID(`insert into notification_rules (org_id, event, channel, receiver, address)
		values ($1, 'ORDER_CREATED', 'EMAIL', 'ADDRESS', 'kari@example.com') returning id`)
	message := d.ID(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id,
		order_id, receiver,
			sender, provider, status)
		select org_id, 'EMAIL', '1-1-0', 'notification/1/1-1-0', 'run', 'ORDER_CREATED', id, $2, $3, 'kari@example.com',
			'post@x.example',
			'smtp', 'sent'
		from events where org_id = $1 and subject_id = $3 and kind = 'order.created' returning id`, rule, order)
	file := d.ID(`insert into documents (org_id, name, content_type, size)
		values ($1, 'cmr.pdf', 'application/pdf', 1) returning id`)
	for _, e := range []struct {
		kind, cause   string
		message, file *int64
	}{
		{"notification.sent", "notification/1/1-1-0", &message, nil},
		{"export.offered", "test", nil, nil},
		{"document.attached", "plan/" + d.named(d.Other) + "/0/2026-03-02", nil, &file},
		{"order.planned", "plan/" + d.named(d.Org) + "/0/2026-03-02", nil, nil},
	} {
		d.ID(`insert into events (org_id, kind, subject_type, subject_id, order_id, actor, cause, notification_id,
			document_id)
			values ($1, $2, 'order', $3, $3, 'system', $4, $5, $6) returning id`, e.kind, order, e.cause, e.message, e.file)
	}
	d.ID(`insert into events (org_id, kind, subject_type, subject_id, draft_id, actor, cause)
		select $1, 'draft.booked', 'draft', id, id, 'key:1', $2 from drafts where org_id = $1 returning id`,
		"plan/"+d.named(d.Org)+"/0/2026-03-02")
	require.NoError(t, d.Operations.Exports.RecordCarrierUpdate(t.Context(),
		caller.Caller{OrgID: d.Org, Kind: caller.Carrier, Name: "postnord", Cause: "test"}, &store.CarrierUpdate{
			OrderID: order, EventType: store.UpdateTerminalScan, Label: "At the terminal", Success: true, OccurredAt: time.Now(),
			RawBody: []byte("{}"),
		}))

	path := fmt.Sprintf("/v1/orders/%d/story", order)
	for range 2 { // before and after the events have their places in the log
		d.checkStory(path, order, message)
		d.sequence()
	}
	require.Equal(t, http.StatusNotFound, d.as(d.AsRole(d.Other, caller.Admin), http.MethodGet, path, "").Code)
	require.Equal(t, http.StatusNotFound, d.as(d.admin, http.MethodGet, "/v1/orders/0/story", "").Code)
	require.Equal(t, http.StatusForbidden, d.as(d.AsRole(d.Org, caller.Driver), http.MethodGet, path, "").Code)
	key := "apikey " + d.Keys.Add(t, func(a *edge.APIKey) { a.OrgID = d.Org })
	require.Equal(t, http.StatusForbidden, d.as(key, http.MethodGet, path, "").Code)
}

// checkStory reads the story of an order as a dispatcher and, in parts, as an
// administrator.
func (d desk) checkStory(path string, order, message int64) {
	d.T.Helper()
	story := read[contract.Story](d.T, d.as(d.AsRole(d.Org, caller.Dispatcher), http.MethodGet, path, ""))
	var about []string
	for _, item := range story.Items {
		workflow, _ := item.WorkflowID.Get()
		about = append(about, strings.TrimSpace(strings.Join([]string{
			string(item.About), item.Kind, item.Actor,
			workflow,
		}, " ")))
	}
	require.Equal(d.T, []string{
		"order order.created key:1",
		"message notification.sent system notification/1/1-1-0",
		fmt.Sprintf("export export.offered system export/%s/%d", d.named(d.Org), order),
		"document document.attached system", // another organization's plan id leads nowhere
		"order order.planned system plan/" + d.named(d.Org) + "/0/2026-03-02",
		"booking draft.booked key:1", // and the caller's name for a request
		"carrier export.external_update carrier:postnord",
	}, about)
	told := story.Items[1]
	require.Equal(d.T, "https://temporal.example/namespaces/waybill/workflows/notification%2F1%2F1-1-0",
		told.WorkflowURL.MustGet())
	require.Equal(d.T, message, told.Message.MustGet().ID)
	require.Equal(d.T, "cmr.pdf", story.Items[3].Document.MustGet().Name)
	require.Equal(d.T, "At the terminal", story.Items[6].Report.MustGet().Label.MustGet())
	require.True(d.T, story.Items[0].WorkflowURL.IsNull())

	first := read[contract.Story](d.T, d.as(d.admin, http.MethodGet, path+"?limit=1", ""))
	next := read[contract.Story](d.T, d.as(d.admin, http.MethodGet, path+"?limit=6&token="+first.NextToken.MustGet(), ""))
	require.Equal(d.T, story.Items[1:], next.Items)
	require.False(d.T, next.HasMore)
}
