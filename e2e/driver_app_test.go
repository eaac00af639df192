package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// roadsToday are the orders of each driver in TestTheDriversAppInABrowser: each is a
// route of today, with one pickup at the terminal and then the doors.
var roadsToday = map[string][]string{
	"Nora Berg":   {"DAY-1", "DAY-2", "DAY-3"},
	"Jens Lie":    {"LOST-1", "LOST-2"},
	"Kari Moe":    {"DEAD-1", "DEAD-2"},
	"Ola Vik":     {"GONE-1", "GONE-2"},
	"Astrid Dahl": {"LOOK-1", "LOOK-2"},
}

// TestTheDriversAppInABrowser runs the tests of web/tests/driver, which use the app as
// drivers do, on routes of today. Where there is no Node, no browser or no app it is
// skipped; CI has all of them.
func TestTheDriversAppInABrowser(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node on this machine, so the drivers' app is not used with a browser")
	}
	browser := chromium(t)
	for _, built := range []string{"../web/driver/dist/index.html", "../web/node_modules/playwright-core"} {
		if _, err := os.Stat(built); err != nil {
			t.Skip("the drivers' app is not built, so it is not used with a browser: run make web")
		}
	}
	o := install(t, "serve", "work").organization(t)
	drivers := o.onTheRoad(t)

	encoded, err := json.Marshal(drivers)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	use := exec.CommandContext(ctx, node, "--test", "--test-concurrency=1", "tests/driver/app.test.mjs")
	use.Dir = "../web"
	use.Env = append(os.Environ(), "WAYBILL_URL=http://"+o.address, "WAYBILL_ORGANIZATION="+o.slug, "WAYBILL_KEY="+o.key,
		"WAYBILL_DISPATCHER="+o.dispatcherSession(t), "WAYBILL_DRIVERS="+string(encoded), "CHROMIUM="+browser)
	use.Stdout, use.Stderr = t.Output(), t.Output()
	require.NoError(t, use.Run())
	o.requireDriven(t)
}

// onTheRoad gives each driver a route of today, and returns the drivers by their names.
// The day is put there as it stands, and nobody is left who would plan it anew.
func (o *organization) onTheRoad(t *testing.T) map[string]int64 {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	today := time.Now().In(zone).Format(time.DateOnly)
	door := func(number string) object {
		return newOrder(number, object{
			"date":   today,
			"pickup": object{"externalId": "T-OSL", "earliest": today + "T05:00:00Z", "latest": today + "T07:00:00Z"},
			"delivery": object{
				"name": "Door " + number, "earliest": today + "T08:00:00Z", "latest": today + "T14:00:00Z",
				"address":  object{"address1": "Storgata 1", "postalCode": "0155", "city": "Oslo", "country": "NO"},
				"contacts": []object{{"firstName": "Kari", "lastName": "Nordmann", "phoneNumber": "+4740000001"}},
			},
			"products":     []object{product(number+"-P", object{"name": "Chair of " + number, "quantity": 1})},
			"customFields": []object{{"externalId": "gate_code", "value": "4711"}},
		})
	}
	var entries []object
	for _, numbers := range roadsToday {
		for _, number := range numbers {
			entries = append(entries, door(number))
		}
	}
	o.importOrders(t, orders(entries...))
	o.kill("work")
	drivers := map[string]int64{}
	for name, numbers := range roadsToday {
		drivers[name] = o.route(t, name, today, numbers)
	}
	return drivers
}

// route makes a driver with a route of a day, and returns the driver.
func (o *organization) route(t *testing.T, name, day string, numbers []string) (driver int64) {
	t.Helper()
	driver = one[int64](t, o.installation, "insert into drivers (org_id, name) values ($1, $2) returning id", o.id, name)
	for _, do := range []string{
		`delete from plan_stops where org_id = $1 and order_id in (
			select id from orders where org_id = $1 and number = any ($4)) and $2 > 0 and $3::date is not null`,
		`insert into plans (org_id, day, version)
			select $1, $3::date, 1 where $2 > 0 and $4::text[] is not null on conflict do nothing`,
		`insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters,
				weight_kg, volume_m3)
			select org_id, id, $2, now(), now() + interval '4 hours', 600, 0, 5000, 0, 0 from plans
			where org_id = $1 and day = $3::date and department_id is null and $4::text[] is not null`,
		`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
				slack_seconds, eta, driving_seconds, meters, latitude, longitude)
			select s.org_id, s.order_id, s.kind, p.id, $2, row_number() over (order by s.kind desc, o.number), now(), now(),
				now(), 0, now() + interval '1 hour', 300, 2500, 59.9 + (s.kind = 'delivery')::int * 0.01, 10.7
			from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			join plans p on p.org_id = s.org_id and p.day = $3::date and p.department_id is null
			where s.org_id = $1 and o.number = any ($4)`,
		"update orders set driver_id = $2, status_id = 2 where org_id = $1 and number = any ($4) and $3::date is not null",
	} {
		_, err := o.admin.Exec(t.Context(), do, o.id, driver, day, numbers)
		require.NoError(t, err, do)
	}
	return driver
}

// dispatcherSession is the session of somebody who may connect telephones.
func (o *organization) dispatcherSession(t *testing.T) string {
	t.Helper()
	link, err := o.command(t.Context(), "users", "invite", "--org", o.slug, "--email", "dispatch@drivers.example",
		"--name", "Liv Moe", "--role", "dispatcher")
	require.NoError(t, err)
	b := &browsing{o, t, ""}
	b.say(http.StatusNoContent, http.MethodPut, "/v1/invitations",
		object{"code": codeInLink.FindStringSubmatch(link)[1], "passphrase": "violin case under steinkjer"})
	b.say(http.StatusOK, http.MethodPost, "/v1/session", object{
		"organization": o.slug, "email": "dispatch@drivers.example", "passphrase": "violin case under steinkjer",
	})
	return b.cookie
}

// requireDriven looks at what the service has of all that the drivers did.
func (o *organization) requireDriven(t *testing.T) {
	t.Helper()
	require.Equal(t, strings.Join([]string{
		"DAY-1 6 IN_PERSON Kari Nordmann", "DAY-2 6 CONTACTLESS", "DAY-3 7 Closed, or nobody at home",
		"DEAD-1 6 IN_PERSON Per", "DEAD-2 6 IN_PERSON Per", "GONE-1 8", "GONE-2 6 IN_PERSON Per",
		"LOOK-1 2", "LOOK-2 2", "LOST-1 6 IN_PERSON Per", "LOST-2 6 IN_PERSON Per",
	}, "\n"), o.endings(t))
	require.Equal(t, "0", one[string](t, o.installation, `select count(*)::text from (
			select 1 from driver_actions where org_id = $1 and type in ('PICK_UP', 'DELIVER', 'START_ROUTE', 'END_ROUTE')
				and outcome = 'APPLIED'
			group by driver_id, type, stop_id having count(*) > 1) twice`, o.id), "nothing is done twice")
	require.Equal(t, "GONE-1 ACTED_THOUGH_CANCELLED, GONE-1 DELIVERED_THOUGH_CANCELLED", one[string](t, o.installation,
		`select string_agg(distinct o.number || ' ' || x.kind, ', ') from exceptions x
			join orders o on o.org_id = x.org_id and o.id = x.order_id where x.org_id = $1`, o.id))
	require.Zero(t, one[int](t, o.installation, `select count(*) from driver_actions
		where org_id = $1 and abs(extract(epoch from received_at - occurred_at)) > 600`, o.id), "a clock that is wrong is corrected")
	for _, number := range []string{"DAY-1", "DAY-2"} {
		require.Positive(t, one[int](t, o.installation, `select count(*) from completion_proofs p
				join orders o on o.org_id = p.org_id and o.id = p.order_id
				where p.org_id = $1 and o.number = $2 and p.counts`, o.id, number), number)
	}
	pictures := one[int](t, o.installation, "select count(*) from proof_pictures where org_id = $1", o.id)
	require.Equal(t, 2, pictures, "a signature and a photo")
	printed, err := o.command(t.Context(), "proofs", "verify", "--org", o.slug)
	require.NoError(t, err, printed)
}
