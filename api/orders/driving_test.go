package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
)

// desk is an office with a dispatcher at work.
type desk struct {
	*apitest.Office

	dispatcher string // the dispatcher's Authorization header
}

func newDesk(t *testing.T) desk {
	t.Helper()
	o := apitest.NewOffice(t)
	return desk{Office: o, dispatcher: o.AsRole(o.Org, caller.Dispatcher)}
}

// ask sends a request of the dispatcher, with headers in pairs.
func (d desk) ask(method, path string, body any, headers ...string) *httptest.ResponseRecorder {
	d.T.Helper()
	text, err := json.Marshal(body)
	require.NoError(d.T, err)
	return d.Send(method, path, string(text), append([]string{"Authorization", d.dispatcher}, headers...)...)
}

// log are the events of an order by people, oldest first.
func (d desk) log(order int64) string {
	return d.Text(`select coalesce(string_agg(
			concat_ws(' ', kind, order_status_id, 'driver='||driver_id, stop), ', ' order by id), '')
		from events
		where org_id = $1 and subject_type = 'order' and subject_id = $2 and actor = 'user:12' and cause <> ''`, order)
}

func (d desk) driver(name string) int64 {
	return d.ID("insert into drivers (org_id, name) values ($1, $2) returning id", name)
}

// of returns a column of an order's row.
func (d desk) of(order int64, column string) string {
	return d.Text("select ("+column+")::text from orders where org_id = $1 and id = $2", order)
}

// move brings an order to a status, with a driver.
func (d desk) move(order int64, status int, driver int64) *httptest.ResponseRecorder {
	return d.ask(http.MethodPut, ofOrder(order, "/status"), object{"order_status_id": status, "driver_id": driver})
}

func ofOrder(id int64, what string) string { return fmt.Sprintf("/v1/orders/%d%s", id, what) }

type object = map[string]any

func TestADispatcherMovesAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, nora := d.Import("A-1"), d.driver("Nora")
	edited := d.of(id, "edited_at")
	to := func(status int, more object) *httptest.ResponseRecorder {
		body := object{"order_status_id": status}
		for name, value := range more {
			body[name] = value
		}
		return d.ask(http.MethodPut, ofOrder(id, "/status"), body)
	}
	planned := to(2, object{"driver_id": nora})
	require.Equal(t, http.StatusOK, planned.Code, planned.Body)
	var order contract.Order
	require.NoError(t, json.Unmarshal(planned.Body.Bytes(), &order))
	require.Equal(t, contract.OrderStatusID(2), order.OrderStatusID)
	require.Equal(t, nora, order.DriverID.MustGet())

	occurred := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	require.Equal(t, http.StatusOK, to(7, object{
		"occurred_at": occurred, "failure_reason": "Nobody at home", "comment": "Rang twice",
	}).Code)
	require.Equal(t, fmt.Sprintf("order.planned 2 driver=%d, order.failed 7 driver=%d pickup", nora, nora), d.log(id))
	require.Equal(t, occurred.Format(time.RFC3339), d.Text(
		`select to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
			from events where org_id = $1 and kind = 'order.failed'`))
	require.Equal(t, "comment: Rang twice, failure: Nobody at home", d.Text(
		`select string_agg(n.type || ': ' || n.comment, ', ' order by n.type) from order_documentations n
			join order_stops s on s.org_id = n.org_id and s.id = n.stop_id and s.kind = 'pickup'
			where n.org_id = $1 and n.order_id = $2`, id))
	require.Equal(t, edited, d.of(id, "edited_at"), "moving is no edit")

	log := d.log(id)
	require.Equal(t, http.StatusOK, to(7, nil).Code, "the same again")
	require.Equal(t, log, d.log(id))
}

func TestInvalidMovesAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	asleep := d.ID("insert into drivers (org_id, name, is_active) values ($1, 'Asleep', false) returning id")
	path := ofOrder(id, "/status")
	for _, c := range []struct {
		body   object
		status int
		reason string
	}{
		{object{}, 400, "order_status_id REQUEST_NOT_ONE_OF"},
		{object{"order_status_id": 9}, 400, "order_status_id REQUEST_NOT_ONE_OF"},
		{object{"order_status_id": "2"}, 400, "order_status_id REQUEST_WRONG_TYPE_INTEGER"},
		{object{"order_status_id": 7}, 409, "ILLEGAL_TRANSITION"},
		{object{"order_status_id": 8}, 409, "ILLEGAL_TRANSITION"},
		{object{"order_status_id": 2}, 422, "driver_id DRIVING_DRIVER_MISSING"},
		{object{"order_status_id": 2, "driver_id": 999999}, 422, "driver_id DRIVING_DRIVER_UNKNOWN"},
		{object{"order_status_id": 2, "driver_id": 0}, 422, "driver_id DRIVING_DRIVER_UNKNOWN"},
		{object{"order_status_id": 2, "driver_id": asleep}, 422, "driver_id DRIVING_DRIVER_UNKNOWN"},
		{object{"order_status_id": 6, "stop": "pickup"}, 422, "stop DRIVING_WRONG_STOP"},
		{object{"order_status_id": 6, "stop": "roof"}, 400, "stop REQUEST_NOT_ONE_OF"},
		{object{"order_status_id": 6, "failure_reason": "x"}, 422, "failure_reason DRIVING_NO_FAILURE"},
		{object{"order_status_id": 6, "comment": "\x00"}, 400, "comment REQUEST_NOT_TEXT"},
		{object{"order_status_id": 6, "occurred_at": time.Now().Add(time.Hour)}, 422, "occurred_at DRIVING_NOT_YET"},
		{object{"order_status_id": 6, "occurred_at": time.Now().AddDate(0, 0, -32)}, 422, "occurred_at DRIVING_TOO_LONG_AGO"},
		{object{"order_status_id": 6, "force": true}, 403, "DRIVING_ONLY_ADMIN"},
	} {
		w := d.ask(http.MethodPut, path, c.body)
		require.Equal(t, c.status, w.Code, "%v: %s", c.body, w.Body)
		require.Equal(t, c.reason, apitest.Refusal(t, w), "%v", c.body)
	}
	illegal := apitest.Status(t, d.ask(http.MethodPut, path, object{"order_status_id": 7}).Body.Bytes())
	info, err := illegal.Details[len(illegal.Details)-1].AsErrorInfoDetail()
	require.NoError(t, err)
	require.Equal(t, "2, 3, 4, 5, 6", (*info.Metadata)["allowed"])
	require.Empty(t, d.log(id))

	admin := d.AsRole(d.Org, caller.Admin)
	w := d.Send(http.MethodPut, path, `{"order_status_id": 7, "force": true}`, "Authorization", admin)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, "order.corrected 7 pickup", d.log(id))
}

// TestOnlyOfficePeopleChangeWhoDrives tries as every other caller.
func TestOnlyOfficePeopleChangeWhoDrives(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	key := "apikey " + d.Keys.Add(t, nil)
	for what, body := range map[string]string{
		"/status": `{"order_status_id": 6}`, "/prohibited-drivers": `{"drivers": []}`, "/driver-lock": `{"driver_id": null}`,
	} {
		for who, want := range map[string]int{
			"": 401, key: 403, d.AsRole(d.Org, caller.Support): 403, d.AsRole(d.Org, caller.Driver): 403,
			d.AsRole(d.Other, caller.Dispatcher): 404, d.AsRole(d.Other, caller.Admin): 404,
		} {
			w := d.Send(http.MethodPut, ofOrder(id, what), body, "Authorization", who)
			require.Equal(t, want, w.Code, "%s as %q: %s", what, who, w.Body)
		}
	}
	require.Equal(t, "1", d.of(id, "status_id"))
	for who, want := range map[string]int{
		d.AsRole(d.Org, caller.Support): 200, d.AsRole(d.Org, caller.Driver): 403, d.AsRole(d.Other, caller.Admin): 404,
	} {
		w := d.Send(http.MethodGet, ofOrder(id, "/prohibited-drivers"), "", "Authorization", who)
		require.Equal(t, want, w.Code)
	}
}

func TestProhibitedDriversOfAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, nora, jens := d.Import("A-1"), d.driver("Nora"), d.driver("Jens")
	path := ofOrder(id, "/prohibited-drivers")
	set := func(drivers ...object) *httptest.ResponseRecorder {
		return d.ask(http.MethodPut, path, object{"drivers": append([]object{}, drivers...)})
	}
	require.Equal(t, http.StatusOK, d.move(id, 2, nora).Code)

	w := set(object{"driver_id": nora, "reason": " Dog "}, object{"driver_id": jens})
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	kept := fmt.Sprintf(`{"order_id": %d, "drivers": [
		{"id": %d, "name": "Nora", "reason": "Dog"}, {"id": %d, "name": "Jens", "reason": null}]}`, id, nora, jens)
	require.JSONEq(t, kept, w.Body.String())
	read := d.Send(http.MethodGet, path, "", "Authorization", d.dispatcher)
	require.JSONEq(t, kept, read.Body.String())
	require.Equal(t, w.Header().Get("ETag"), read.Header().Get("ETag"))
	require.Equal(t, fmt.Sprintf("order.planned 2 driver=%d, ", nora)+
		"order.prohibited_drivers_changed, order.unplanned 1", d.log(id), "who has it planned loses it")
	require.Equal(t, "1 nobody", d.of(id, "status_id || ' ' || coalesce(driver_id::text, 'nobody')"))

	log := d.log(id)
	require.Equal(t, http.StatusOK, set(object{"driver_id": jens}, object{"driver_id": nora, "reason": "Dog"}).Code)
	require.Equal(t, log, d.log(id), "the same again")
	for _, c := range []struct {
		drivers []object
		status  int
		reason  string
	}{
		{[]object{{"driver_id": nora}, {"driver_id": 999999}}, 422, "drivers[1].driver_id DRIVER_NOT_FOUND"},
		{[]object{{"driver_id": nora}, {"driver_id": nora}}, 422, "drivers[1].driver_id DRIVING_DRIVER_TWICE"},
		{make([]object, 101), 400, "drivers DRIVING_TOO_MANY"},
	} {
		w := set(c.drivers...)
		require.Equal(t, c.status, w.Code, w.Body)
		require.Equal(t, c.reason, apitest.Refusal(t, w))
	}
	require.Equal(t, "drivers PARAM_REQUIRED", apitest.Refusal(t, d.ask(http.MethodPut, path, object{})))
	require.Equal(t, "DRIVING_PROHIBITED", apitest.Refusal(t, d.move(id, 3, nora)))
	require.JSONEq(t, fmt.Sprintf(`{"order_id": %d, "drivers": []}`, id), set().Body.String())
}

func TestDriverLockOfAnOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, nora, jens := d.Import("A-1"), d.driver("Nora"), d.driver("Jens")
	lock := func(driver any) *httptest.ResponseRecorder {
		return d.ask(http.MethodPut, ofOrder(id, "/driver-lock"), object{"driver_id": driver})
	}
	w := lock(nora)
	require.JSONEq(t, fmt.Sprintf(
		`{"order_id": %d, "driver_lock": {"driver_id": %d, "driver_name": "Nora"}}`, id, nora), w.Body.String())
	require.Equal(t, http.StatusOK, lock(nora).Code)
	require.Equal(t, "DRIVING_LOCKED", apitest.Refusal(t, d.move(id, 2, jens)))
	prohibit := object{"drivers": []object{{"driver_id": nora}}}
	locked := d.ask(http.MethodPut, ofOrder(id, "/prohibited-drivers"), prohibit)
	require.Equal(t, "DRIVING_LOCKED", apitest.Refusal(t, locked))
	require.JSONEq(t, fmt.Sprintf(`{"order_id": %d, "driver_lock": null}`, id), lock(nil).Body.String())
	require.Equal(t, fmt.Sprintf("order.locked driver=%d, order.unlocked", nora), d.log(id))

	d.ID(`insert into customer_prohibited_drivers (org_id, customer_id, driver_id)
		select org_id, customer_id, $3 from orders where org_id = $1 and id = $2 returning 1`, id, jens)
	refused := lock(jens)
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Equal(t, "DRIVING_PROHIBITED", apitest.Refusal(t, refused), "who may not serve its customer")
	require.Equal(t, "driver_id DRIVING_DRIVER_UNKNOWN", apitest.Refusal(t, lock(999999)))
	nobody := d.ask(http.MethodPut, ofOrder(id, "/driver-lock"), object{})
	require.Equal(t, "driver_id PARAM_REQUIRED", apitest.Refusal(t, nobody))
}

// TestOneOfManyChangesIsTheFirst has many change an order that all of them read.
func TestOneOfManyChangesIsTheFirst(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	tag := d.Send(http.MethodGet, ofOrder(id, ""), "", "Authorization", "apikey "+d.keyOf()).Header().Get("ETag")
	require.NotEmpty(t, tag)
	drivers := make([]int64, 8)
	for i := range drivers {
		drivers[i] = d.driver(fmt.Sprint("Driver ", i))
	}
	answers := make([]int, len(drivers))
	var all sync.WaitGroup
	for i, driver := range drivers {
		all.Go(func() {
			answers[i] = d.ask(http.MethodPut, ofOrder(id, "/driver-lock"), object{"driver_id": driver}, "If-Match", tag).Code
		})
	}
	all.Wait()
	counted := map[int]int{}
	for _, code := range answers {
		counted[code]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusPreconditionFailed: 7}, counted)

	late := d.ask(http.MethodPut, ofOrder(id, "/status"), object{"order_status_id": 6}, "If-Match", tag)
	require.Equal(t, http.StatusPreconditionFailed, late.Code)
	require.Equal(t, "CHANGED_MEANWHILE", apitest.Refusal(t, late))
	bad := d.ask(http.MethodPut, ofOrder(id, "/status"), object{"order_status_id": 6}, "If-Match", "W/"+tag)
	require.Equal(t, "If-Match CHANGED_BAD_TAG", apitest.Refusal(t, bad))
	moved := d.ask(http.MethodPut, ofOrder(id, "/status"), object{"order_status_id": 6}, "If-Match", tag+", *")
	require.Equal(t, http.StatusOK, moved.Code, moved.Body)
	require.NotEqual(t, tag, moved.Header().Get("ETag"))
}

// keyOf makes a key of the organization.
func (d desk) keyOf() string { return d.Keys.Add(d.T, func(k *edge.APIKey) { k.OrgID = d.Org }) }
