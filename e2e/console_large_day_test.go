package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMeasureALargeDayInTheConsole says how long a day of 10,000 orders and 400 drivers takes to be planned, and to be shown
// in the console. It runs only when it is asked for, with WAYBILL_MEASURE.
func TestMeasureALargeDayInTheConsole(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("set WAYBILL_MEASURE to measure")
	}
	const size, drivers, chunk = 10_000, 400, 1_000
	tests := newNodeTests(t, "console")
	o, day := install(t, "serve", "work").organization(t), tomorrow()
	o.hires(t, drivers)
	o.planADay(t, size, chunk, day)
	tests.run(t, []string{
		"WAYBILL_URL=http://" + o.address, "WAYBILL_ORGANIZATION=" + o.slug, "WAYBILL_PEOPLE=" + o.people(t),
		"WAYBILL_DAY=" + day, "WAYBILL_WEEKDAY=" + weekdayAhead(1),
	}, 1, "tests/large-day.measure.mjs")
}

// hires gives the customer's department so many more drivers with vans, who begin at the terminal.
func (o *organization) hires(t *testing.T, drivers int) {
	t.Helper()
	for _, statement := range []string{
		`insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3, home_location_id)
			select $1, 'M-' || n, t.id, 20000, 200, l.id from vehicle_types t, locations l, generate_series(1, $2::int) n
			where t.org_id = $1 and t.name = 'Van' and l.org_id = $1 and l.external_id = 'T-OSL'`,
		`insert into drivers (org_id, name, vehicle_id, department_id)
			select v.org_id, 'Driver ' || v.registration, v.id, c.department_id from vehicles v
			join customers c on c.org_id = v.org_id and c.external_id = 'C-100'
			where v.org_id = $1 and v.registration like 'M-%' limit $2::int`,
		`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
			select org_id, id, 1, 'FREQ=DAILY', 360, 1320 from drivers where org_id = $1 and name like 'Driver M-%' limit $2::int`,
	} {
		_, err := o.admin.Exec(t.Context(), statement, o.id, drivers)
		require.NoError(t, err)
	}
}

// planADay imports so many orders around Oslo, chunk by chunk, waits until all are planned, and says how long that took.
func (o *organization) planADay(t *testing.T, size, chunk int, day string) {
	t.Helper()
	rng, began := rand.New(rand.NewPCG(1, 2)), time.Now()
	for from := 0; from < size; from += chunk {
		entries := make([]object, chunk)
		for n := range entries {
			entries[n] = toPlan(from+n, object{"delivery": object{
				"name": fmt.Sprintf("Door %d", from+n), "earliest": day + "T06:00:00Z", "latest": day + "T18:00:00Z",
				"address": object{"latitude": 59.85 + rng.Float64()/6, "longitude": 10.6 + rng.Float64()/3},
			}})
		}
		o.importOrders(t, orders(entries...))
	}
	t.Log("imported after", time.Since(began))
	for planned := 0; planned < size; time.Sleep(time.Second) {
		planned = one[int](t, o.installation, "select count(*) from orders where org_id = $1 and status_id = 2", o.id)
	}
	t.Log("planned after", time.Since(began))
}

// TestMeasureTheSpeedOfTheConsole measures how fast the day answers to a hand, and how long previews of whole routes take
// on a planned day of 500 orders and 40 drivers. It runs only when it is asked for, with WAYBILL_MEASURE.
func TestMeasureTheSpeedOfTheConsole(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("set WAYBILL_MEASURE to measure")
	}
	tests := newNodeTests(t, "console")
	o := install(t, "serve", "work").organization(t)
	o.hires(t, 40)
	o.planADay(t, 500, 500, tomorrow())
	tests.run(t, []string{
		"WAYBILL_URL=http://" + o.address, "WAYBILL_ORGANIZATION=" + o.slug, "WAYBILL_PEOPLE=" + o.people(t),
		"WAYBILL_DAY=" + tomorrow(), "WAYBILL_WEEKDAY=" + weekdayAhead(1),
	}, 1, "tests/speed.measure.mjs")
}
