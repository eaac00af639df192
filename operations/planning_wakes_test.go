package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/store"
)

// news writes an event about something and returns it as the log has it.
func (d *dispatch) news(kind, subject, of, data string) store.Event {
	d.t.Helper()
	id := one[int64](d.office, "insert into events (org_id, kind, subject_type, subject_id, external_id, driver_id, data, actor, cause) values ($1, $2, $3, "+of+
		", '2026-03-02', case $3 when 'driver' then "+of+" end, nullif($4, '')::jsonb, 'test', 'test') returning id", d.org, kind, subject, data)
	at := one[time.Time](d.office, "select recorded_at from events where org_id = $1 and id = $2", d.org, id)
	return store.Event{OrgID: d.org, ID: id, RecordedAt: at}
}

func TestPlansAreWokenByWhatTheyRead(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	d.load("A-0", "D-1")
	d.load("A-1", "D-2")
	d.plan()
	driver := one[string](d.office, `select x.name from plan_routes r join drivers x on x.org_id = r.org_id and x.id = r.driver_id
		where r.org_id = $1 limit 1`, d.org)
	idle := one[string](d.office, `select name from drivers x where org_id = $1 and not exists (select from plan_routes r
		where r.org_id = x.org_id and r.driver_id = x.id) limit 1`, d.org)
	who := func(name string) string {
		return "(select id from drivers where org_id = $1 and name = '" + name + "')"
	}
	where := func(id string) string {
		return "(select id from locations where org_id = $1 and external_id = '" + id + "')"
	}
	woken := []planning.Area{area}
	for text, c := range map[string]struct {
		event store.Event
		want  []planning.Area
	}{
		"a phone number":       {d.news("driver.updated", "driver", who(driver), `{"changed": ["name", "phoneNumber"]}`), nil},
		"a vehicle":            {d.news("driver.updated", "driver", who(driver), `{"changed": ["phoneNumber", "vehicleId"]}`), woken},
		"anything":             {d.news("driver.updated", "driver", who(idle), ""), woken},
		"an address of orders": {d.news("location.updated", "location", where("D-1"), ""), woken},
		"another address":      {d.news("location.updated", "location", where("D-3"), ""), nil},
		"a home of vehicles":   {d.news("location.updated", "location", where("T"), ""), woken},
		"somebody who is late": {d.news("exception.opened", "driver", who(driver), ""), woken},
		"somebody at home":     {d.news("exception.opened", "driver", who(idle), ""), nil},
	} {
		found, err := d.store.PlansOfChanges(t.Context(), d.org, []store.Event{c.event}, plannedOn, plannedOn.AddDate(0, 0, 3))
		require.NoError(t, err, text)
		require.ElementsMatch(t, c.want, found, text)
	}
}
