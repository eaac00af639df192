package planning_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

// office is a server with a database, an organization and its people.
type office struct {
	*apitest.Bundle
	t     *testing.T
	db    *storetest.Database
	store *store.Store
	owner *pgxpool.Pool
	org   int64
	// key, dispatcher and outsider are their Authorization headers.
	key, dispatcher, support, outsider string
	oslo, nora, ola, van, truck        int64
}

func newOffice(t *testing.T) *office {
	t.Helper()
	db := storetest.New(t)
	o := &office{t: t, db: db, store: store.New(db.Pool), org: storetest.Organization(t, db, "plans")}
	other := storetest.Organization(t, db, "others")
	o.Bundle = apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
		d.Store, d.Operations = o.store, operations.New(o.store, d.Now, operations.Settings{})
	})
	var err error
	o.owner, err = pgxpool.New(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(o.owner.Close)
	o.key = "apikey " + o.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = o.org })
	o.outsider = "apikey " + o.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = other })
	o.dispatcher, o.support = o.person(caller.Dispatcher), o.person(caller.Support)
	o.oslo = o.id("select id from departments where org_id = $1 and name = 'Oslo'")
	o.truck = o.id("select id from vehicle_types where org_id = $1 and name = 'Truck'")
	o.van = o.id(`insert into vehicles (org_id, registration, vehicle_type_id)
		select org_id, 'EB10001', id from vehicle_types where org_id = $1 and name = 'Van' returning id`)
	o.nora = o.id("insert into drivers (org_id, name, department_id) values ($1, 'Nora Berg', $2) returning id", o.oslo)
	o.ola = o.id("insert into drivers (org_id, name, department_id) values ($1, 'Ola Nordmann', $2) returning id", o.oslo)
	return o
}

// person is a signed-in user with a role.
func (o *office) person(role caller.Role) string {
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(o.t, err)
	return o.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: o.org, Kind: caller.Person, ID: 12, Roles: []caller.Role{role}},
		Zone:   zone, Language: "en",
	})
}

// id runs a statement for the organization, and returns its result.
func (o *office) id(sql string, args ...any) (id int64) {
	o.t.Helper()
	require.NoError(o.t, o.owner.QueryRow(o.t.Context(), sql, append([]any{o.org}, args...)...).Scan(&id))
	return id
}

func (o *office) text(sql string, args ...any) (text string) {
	o.t.Helper()
	require.NoError(o.t, o.owner.QueryRow(o.t.Context(), sql, append([]any{o.org}, args...)...).Scan(&text))
	return text
}

func (o *office) exec(sql string, args ...any) {
	o.t.Helper()
	_, err := o.owner.Exec(o.t.Context(), sql, append([]any{o.org}, args...)...)
	require.NoError(o.t, err)
}

// order makes an order of 2 March 2026, with both stops.
func (o *office) order(number string) int64 {
	o.t.Helper()
	id := o.id(`insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id,
			department_id)
		select c.org_id, $2, (select count(*) + 1 from orders where org_id = $1), date '2026-03-02', min(c.id), min(t.id),
			min(v.id), $3
		from customers c join order_types t using (org_id) join vehicle_types v using (org_id)
		where c.org_id = $1 group by c.org_id returning id`, number, o.oslo)
	o.exec(`insert into order_stops (org_id, order_id, kind, location_id, name, city, earliest, latest, window_source,
			estimated_time_on_location)
		select l.org_id, $2, k.kind, l.id, l.name, 'Oslo', timestamptz '2026-03-02 07:00Z', timestamptz '2026-03-02 15:00Z',
			'request', 10
		from locations l, unnest(array['pickup', 'delivery']) k (kind) where l.org_id = $1 and l.external_id = 'L-1'`, id)
	return id
}

// plan makes the plan of Oslo on 2 March 2026, in version 3.
func (o *office) plan() int64 {
	o.t.Helper()
	return o.id(`insert into plans (org_id, department_id, day, version, searched_ms)
		values ($1, $2, date '2026-03-02', 3, 1500) returning id`, o.oslo)
}

// route assigns orders to a driver, picked up one after the other from eight
// o'clock on and delivered in the same sequence.
func (o *office) route(plan, driver int64, orders ...int64) {
	o.t.Helper()
	o.exec(`insert into plan_routes (org_id, plan_id, driver_id, vehicle_id, starts_at, ends_at, driving_seconds,
			waiting_seconds, meters, weight_kg, volume_m3)
		values ($1, $2, $3, $4, '2026-03-02 06:30Z', '2026-03-02 14:00Z', 3600, 60, 42000, 64.1, 0.3)`, plan, driver, o.van)
	for i, id := range orders {
		for n, kind := range []string{"pickup", "delivery"} {
			seq := n*len(orders) + i + 1
			o.exec(`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
					slack_seconds, eta, driving_seconds, meters, latitude, longitude)
				select $1, $2, $3, $4, $5, $6, x.t, x.t, x.t + interval '10 min', 900, x.t - interval '2 min', 600, 7000, 59.9, 10.8
				from (select timestamptz '2026-03-02 07:00Z' + $6::int * interval '20 min' as t) x`, id, kind, plan, driver, seq)
		}
		o.exec(`update orders set driver_id = $3, status_id = 2, planned_seconds = 2400
			where org_id = $1 and id = $2`, id, driver)
	}
}

// leftOver records that a plan has no driver for an order.
func (o *office) leftOver(plan, order int64, state, reasons, counterfactuals string) {
	o.t.Helper()
	o.exec(`insert into plan_unplanned (org_id, order_id, plan_id, state, certainty, searched_ms, reasons, counterfactuals)
		values ($1, $2, $3, $4, 'NOT_FOUND', 1500, $5, nullif($6, '')::jsonb)`, order, plan, state, reasons, counterfactuals)
}

// get sends a GET with a key.
func (o *office) get(path string, headers ...string) *httptest.ResponseRecorder {
	return o.Send(http.MethodGet, path, "", append([]string{"Authorization", o.key}, headers...)...)
}

// read sends a GET that succeeds.
func read[T any](o *office, path string, headers ...string) (out T) {
	o.t.Helper()
	w := o.get(path, headers...)
	require.Equal(o.t, http.StatusOK, w.Code, w.Body.String())
	return decoded[T](o.t, w)
}

func decoded[T any](t *testing.T, w *httptest.ResponseRecorder) (out T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
	return out
}

// as sends a request as a caller.
func (o *office) as(who, method, path, body string) *httptest.ResponseRecorder {
	return o.Send(method, path, body, "Authorization", who, "Content-Type", "application/json")
}
