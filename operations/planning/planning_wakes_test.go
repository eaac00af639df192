package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/operations/operationstest"
	"waybill/store"
)

// news writes an event about something and returns it as the log has it.
func news(d *operationstest.Dispatch, kind, subject, of, data string) store.Event {
	d.T.Helper()
	id := operationstest.One[int64](d.Office, "insert into events (org_id, kind, subject_type, subject_id, external_id, driver_id, data, actor, cause) values ($1, $2, $3, "+of+
		", '2026-03-02', case $3 when 'driver' then "+of+" end, nullif($4, '')::jsonb, 'test', 'test') returning id", d.Org, kind, subject, data)
	at := operationstest.One[time.Time](d.Office, "select recorded_at from events where org_id = $1 and id = $2", d.Org, id)
	return store.Event{OrgID: d.Org, ID: id, RecordedAt: at}
}

func TestPlansAreSignaledByTheirInput(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-1")
	d.Load("A-1", "D-2")
	d.Plan()
	driver := operationstest.One[string](d.Office, `select x.name from plan_routes r join drivers x on x.org_id = r.org_id and x.id = r.driver_id
		where r.org_id = $1 limit 1`, d.Org)
	idle := operationstest.One[string](d.Office, `select name from drivers x where org_id = $1 and not exists (select from plan_routes r
		where r.org_id = x.org_id and r.driver_id = x.id) limit 1`, d.Org)
	who := func(name string) string {
		return "(select id from drivers where org_id = $1 and name = '" + name + "')"
	}
	where := func(id string) string {
		return "(select id from locations where org_id = $1 and external_id = '" + id + "')"
	}
	woken := []planning.Area{operationstest.Area}
	for text, c := range map[string]struct {
		event store.Event
		want  []planning.Area
	}{
		"a phone number":           {news(d, "driver.updated", "driver", who(driver), `{"changed": ["name", "phoneNumber"]}`), nil},
		"a vehicle":                {news(d, "driver.updated", "driver", who(driver), `{"changed": ["phoneNumber", "vehicleId"]}`), woken},
		"anything":                 {news(d, "driver.updated", "driver", who(idle), ""), woken},
		"an address of orders":     {news(d, "location.updated", "location", where("D-1"), ""), woken},
		"another address":          {news(d, "location.updated", "location", where("D-3"), ""), nil},
		"a home of vehicles":       {news(d, "location.updated", "location", where("T"), ""), woken},
		"a calendar of a customer": {news(d, "customer.updated", "customer", "(select min(id) from customers where org_id = $1)", `{"changed": ["calendar_id"]}`), woken},
		"a name of a customer":     {news(d, "customer.updated", "customer", "(select min(id) from customers where org_id = $1)", `{"changed": ["business_name"]}`), nil},
		"somebody who is late":     {news(d, "exception.opened", "driver", who(driver), ""), woken},
		"somebody at home":         {news(d, "exception.opened", "driver", who(idle), ""), nil},
	} {
		found, err := d.Store.PlansOfChanges(t.Context(), d.Org, []store.Event{c.event}, operationstest.PlannedOn, operationstest.PlannedOn.AddDate(0, 0, 3))
		require.NoError(t, err, text)
		require.ElementsMatch(t, c.want, found, text)
	}
}
