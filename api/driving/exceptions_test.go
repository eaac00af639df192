package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
)

// exceptions returns the exceptions that a dispatcher sees.
func (d depot) exceptions(query string) contract.ExceptionPage {
	d.T.Helper()
	w := d.Send(http.MethodGet, "/v1/exceptions?"+query, "", "Authorization", d.dispatcher)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	var page contract.ExceptionPage
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &page))
	return page
}

// exceptionsOfToday counts the exceptions that a dispatcher sees today in Oslo.
// Actions of the last quarter of an hour may belong to two days.
func (d depot) exceptionsOfToday(t *testing.T) int {
	t.Helper()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	now := time.Now().In(oslo)
	count := 0
	for _, day := range slices.Compact([]string{now.Add(-20 * minute).Format(time.DateOnly), now.Format(time.DateOnly)}) {
		count += len(d.exceptions("date=" + day).Items)
	}
	return count
}

// sorts are the kinds of exceptions, newest first.
func sorts(page contract.ExceptionPage) []string {
	kinds := []string{}
	for i := range page.Items {
		kinds = append(kinds, string(page.Items[i].Kind))
	}
	return kinds
}

func (d depot) resolve(id int64, as, comment string) *httptest.ResponseRecorder {
	d.T.Helper()
	return d.Send(http.MethodPost, fmt.Sprintf("/v1/exceptions/%d/resolve", id),
		fmt.Sprintf(`{"resolution": %q, "comment": %q}`, as, comment), "Authorization", d.dispatcher)
}

// cancelled has an order that was cancelled twenty minutes ago.
func (d depot) cancelled(id int64) {
	d.T.Helper()
	d.exec(`update orders set status_id = 8, cancelled_at = now() - interval '20 minutes'
		where org_id = $1 and id = $2`, id)
	d.exec("update order_moves set at = now() - interval '20 minutes' where org_id = $1 and order_id = $2", id)
}

func TestContradictoryActionRaisesAnException(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora"), d.phone("Jens")
	cancelled, pickup, delivery := nora.give("CANCELLED")
	d.cancelled(cancelled)
	delivered := nora.did("DELIVER", delivery, 10*minute)
	nora.says(nora.did("ARRIVE", pickup, 15*minute), delivered, delivered)
	nora.says(delivered)
	require.Equal(t, []string{"DELIVERED_THOUGH_CANCELLED", "ACTED_THOUGH_CANCELLED"}, sorts(d.exceptions("")),
		"what is said again is no other one")

	moved, pickup, delivery := nora.give("MOVED")
	require.Equal(t, http.StatusOK, d.move(moved, 2, jens.driver).Code)
	d.exec("update events set position = id where org_id = $1 and position is null")
	nora.says(nora.did("PICK_UP", pickup, 10*minute), nora.did("NOTE", pickup, 9*minute, object{"comment": "wet"}))
	jens.says(jens.did("DELIVER", delivery, 5*minute))
	require.Equal(t, []string{"NOT_YOURS_ANY_MORE"}, sorts(d.exceptions(fmt.Sprintf("orderId=%d", moved))))
	nora.says(nora.did("DELIVER", delivery, 4*minute), nora.did("DELIVER", delivery, 3*minute),
		nora.did("ARRIVE", delivery, 2*minute))
	require.Len(t, d.exceptions("").Items, 3, "who says twice what is so does not bother the office")
	nora.says(nora.did("FAIL", delivery, minute, object{"reason": "Nobody at home"}))
	nora.says(nora.did("DELIVER", 987654321, minute))
	require.Equal(t, []string{
		"BAD_ORDER_OF_ACTIONS", "ALREADY_DONE", "NOT_YOURS_ANY_MORE", "DELIVERED_THOUGH_CANCELLED", "ACTED_THOUGH_CANCELLED",
	}, sorts(d.exceptions("state=OPEN")))

	for range 20 {
		nora.says(
			nora.did("DELIVER", 987654321, minute),
			nora.did("FAIL", delivery, minute, object{"reason": "Nobody at home"}),
		)
	}
	again := d.exceptions("state=OPEN").Items
	require.Len(t, again, 5, "what does not fit again is counted")
	require.Equal(t, []int64{21, 21, 1, 1, 1}, []int64{
		again[0].Times, again[1].Times, again[2].Times, again[3].Times, again[4].Times,
	})
	require.Equal(t, "5", d.Text("select count(*)::text from events where org_id = $1 and kind = 'exception.opened'"))

	first := d.exceptions("pageSize=2")
	require.True(t, first.HasMore)
	rest := d.exceptions("pageSize=3&token=" + first.NextToken)
	require.Len(t, rest.Items, 3)
	require.False(t, rest.HasMore)
	require.Equal(t, []string{"NOT_YOURS_ANY_MORE"}, sorts(d.exceptions(fmt.Sprintf("driverId=%d", jens.driver))))
	require.Equal(t, []string{"ALREADY_DONE"}, sorts(d.exceptions("kind=ALREADY_DONE")))
	require.Equal(t, 5, d.exceptionsOfToday(t))
	require.Empty(t, d.exceptions("date=2020-01-01").Items)
	require.Empty(t, d.exceptions("state=RESOLVED").Items)

	x := rest.Items[1]
	require.Contains(t, x.Text, "Nora delivered order CANCELLED at ")
	require.Equal(t, "DELIVER", x.ActionType.MustGet())
	require.Equal(t, []contract.ResolutionOfException{"ACCEPTED", "DISMISSED"}, x.Resolutions)
	bad := first.Items[0]
	require.True(t, bad.OrderID.IsNull())
	require.Equal(t, int64(2), d.ID(`select count(*) from events where org_id = $1 and kind = 'exception.opened'
		and subject_type = 'order' and subject_id = $2`, cancelled))
}

func TestOfficeAcceptsARefusedAction(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora"), d.phone("Jens")
	status := func(id int64) string {
		return d.Text(`select concat_ws(' ', status_id, driver_id, cancelled_at is not null) from orders
			where org_id = $1 and id = $2`, id)
	}
	id, _, delivery := nora.give("CANCELLED")
	d.cancelled(id)
	nora.says(nora.did("DELIVER", delivery, 10*minute, object{"proof": object{"type": "IN_PERSON", "signee": "Kari"}}))
	x := d.exceptions("").Items[0].ID
	w := d.resolve(x, "ACCEPTED", " The receiver keeps it. ")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var resolved contract.Exception
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &resolved))
	require.Equal(t, contract.ExceptionStateRESOLVED, resolved.State)
	require.Equal(t, "The receiver keeps it.", resolved.Comment.MustGet())
	require.NotEmpty(t, resolved.ResolvedBy.MustGet())
	require.Equal(t, fmt.Sprintf("6 %d f", nora.driver), status(id))
	require.Equal(t, int64(1), d.ID(`select count(*) from completion_proofs
		where org_id = $1 and order_id = $2 and counts`, id))
	require.Equal(t, http.StatusOK, d.resolve(x, "ACCEPTED", "").Code, "again is no harm")
	require.Equal(t, http.StatusConflict, d.resolve(x, "DISMISSED", "").Code)
	require.Equal(t, int64(1), d.ID(`select count(*) from events
		where org_id = $1 and kind = 'exception.resolved' and subject_id = $2`, id))

	id, pickup, delivery := nora.give("MOVED")
	require.Equal(t, http.StatusOK, d.move(id, 2, jens.driver).Code)
	d.exec("update events set position = id where org_id = $1 and position is null")
	nora.says(nora.did("PICK_UP", pickup, 10*minute))
	jens.says(jens.did("DELIVER", delivery, 5*minute))
	require.Equal(t, http.StatusOK, d.resolve(d.exceptions("state=OPEN").Items[0].ID, "ACCEPTED", "").Code)
	require.Equal(t, fmt.Sprintf("6 %d f", jens.driver), status(id))

	_, _, delivery = nora.give("LATE")
	d.ID(`insert into exceptions (org_id, kind, day, driver_id, order_id, stop, at)
		select $1, 'LATE_STOP', current_date, $2, order_id, 'delivery', now() from order_stops where org_id = $1 and id = $3
		returning id`, nora.driver, delivery)
	late := d.exceptions("state=OPEN").Items[0]
	w = d.resolve(late.ID, "ACCEPTED", "")
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "DISMISSED")
	require.Equal(t, http.StatusOK, d.resolve(late.ID, "DISMISSED", "").Code)
	d.ID(`insert into exceptions (org_id, kind, day, driver_id, order_id, rule, at)
		select $1, 'RULE_MISSED', current_date, $2, order_id, 'SKILL_MISSING', now()
		from order_stops where org_id = $1 and id = $3
		returning id`, nora.driver, delivery)
	missed := d.exceptions("state=OPEN&kind=RULE_MISSED").Items[0]
	require.Equal(t, contract.ExceptionRuleSKILLMISSING, missed.Rule.MustGet())
	require.Contains(t, missed.Text, "LATE, which needs a skill that the driver and the vehicle lack")
	require.Equal(t, http.StatusOK, d.resolve(missed.ID, "DISMISSED", "").Code)
	require.Equal(t, http.StatusNotFound, d.resolve(late.ID+1000, "DISMISSED", "").Code)
	theirs := d.Send(http.MethodGet, "/v1/exceptions", "", "Authorization", d.AsRole(d.Other, caller.Admin))
	require.Contains(t, theirs.Body.String(), `"items":[]`)
	key := "apikey " + d.Keys.Add(t, func(a *edge.APIKey) { a.OrgID = d.Org })
	for _, who := range []string{key, d.AsRole(d.Org, caller.Driver)} {
		require.Equal(t, http.StatusForbidden, d.Send(http.MethodGet, "/v1/exceptions", "", "Authorization", who).Code)
	}
	require.NotEmpty(t, apitest.Status(t, w.Body.Bytes()).Details)
}
