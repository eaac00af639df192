package planning_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// TestMeasureCommits says how long a commit locks the plan of a large day, beside how long
// it takes to read the whole day. It runs only when it is asked for:
//
//	WAYBILL_MEASURE=1 bin/devstack test -- go test ./operations -run TestMeasureCommits -v
func TestMeasureCommits(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("WAYBILL_MEASURE is not set")
	}
	const orders, drivers, changes = 2000, 100, 20
	d := operationstest.NewDispatch(t)
	hire(d, "M", drivers)
	entry := ordersAround()
	importMany(d, entry, orders)
	for len(commits(d).Why) > 0 {
		continue
	}
	var locked, took, read []time.Duration
	for n := range changes {
		d.Imported(d.Org, entry(fmt.Sprintf("M-%d", n)))
		began := time.Now()
		done := commits(d)
		took, locked = append(took, time.Since(began)), append(locked, done.Locked)
		began = time.Now()
		_, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
		require.NoError(t, err)
		read = append(read, time.Since(began))
	}
	var looked []time.Duration
	for range changes {
		move, seen := anyMove(d), operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
		began := time.Now()
		_, err := d.Planning.MoveOrders(t.Context(), caller.Service(d.Org, "measure"), planningops.PlanMoves{
			Area: operationstest.Area, Seen: seen, Moves: []planning.Move{move}, DryRun: true, Reason: "Because.",
		})
		if fault := (*fault.Error)(nil); !errors.As(err, &fault) { // that there is no room is an answer, too
			require.NoError(t, err)
		}
		looked = append(looked, time.Since(began))
	}
	t.Logf("a dry run of a move takes %v", median(looked))
	t.Logf("%d orders, %d drivers: a slice takes %v, a commit locks for %v, the whole day is read in %v", orders, drivers,
		median(took), median(locked), median(read))
}

// hire has so many more drivers with vans begin at the terminal, from six to ten in the evening.
func hire(d *operationstest.Dispatch, letter string, drivers int) {
	d.Do(`insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3, home_location_id)
		select $1, $3 || '-' || n, t.id, 20000, 200, l.id from vehicle_types t, locations l, generate_series(1, $2::int) n
		where t.org_id = $1 and t.name = 'Van' and l.org_id = $1 and l.external_id = 'T'`, d.Org, drivers, letter)
	d.Do("insert into drivers (org_id, name, vehicle_id) select org_id, registration, id from vehicles where org_id = $1 and registration like $2 || '-%'", d.Org, letter)
	d.Do(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
		select org_id, id, 1, 'FREQ=DAILY', 360, 1320 from drivers where org_id = $1 and name like $2 || '-%'`, d.Org, letter)
}

// ordersAround makes orders from the terminal to places around it.
func ordersAround() func(number string) order.Request {
	rng := rand.New(rand.NewPCG(1, 2))
	return func(number string) order.Request {
		e := operationstest.HeavyOrder(number)
		lat, lon := 59.88+rng.Float64()/10, 10.68+rng.Float64()/5
		e.Pickup = &order.LocationRequest{ExternalID: "T"}
		e.Delivery = &order.LocationRequest{Name: "Somebody", Address: &order.Address{
			Address1: "Storgata 1", PostalCode: "0155", City: "Oslo", Country: "NO", Latitude: &lat, Longitude: &lon,
		}}
		return e
	}
}

// importMany imports so many orders.
func importMany(d *operationstest.Dispatch, entry func(number string) order.Request, orders int) {
	var entries []order.Request
	for n := range orders {
		entries = append(entries, entry(operationstest.Numbered(n)))
	}
	for some := range slices.Chunk(entries, 500) {
		d.Imported(d.Org, some...)
	}
}

// TestMeasureLargeDay says how long it takes to plan 10,000 orders of 400 drivers in districts, and one more order. It runs
// only when it is asked for, as TestMeasureCommits is.
func TestMeasureLargeDay(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("WAYBILL_MEASURE is not set")
	}
	const orders, drivers, changes = 10_000, 400, 10
	d := operationstest.NewDispatch(t)
	hire(d, "M", drivers)
	entry := ordersAround()
	began := time.Now()
	importMany(d, entry, orders)
	t.Logf("imported in %v", time.Since(began))
	began = time.Now()
	done := commits(d)
	t.Logf("%d of %d orders have one of %d drivers after %v: %v", done.Planned, orders, done.Drivers, time.Since(began), done.Why)
	for n := range 2 {
		began = time.Now()
		done = commits(d)
		t.Logf("slice %d: %d planned in %v, %d fresh", n, done.Planned, time.Since(began), done.Fresh)
	}
	var took []time.Duration
	for n := range changes {
		d.Imported(d.Org, entry(fmt.Sprintf("M-%d", n)))
		began = time.Now()
		done = commits(d)
		took = append(took, time.Since(began))
	}
	t.Logf("one more order takes %v", median(took))
	began = time.Now()
	better, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"),
		planningops.PlanningSlice{Area: operationstest.Area, Length: 20 * time.Second})
	require.NoError(t, err)
	t.Logf("a better plan in %v: gain %.4f, %d drivers", time.Since(began), better.Gain, better.Drivers)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%d MiB in use, %d MiB of the system", memory.HeapInuse>>20, memory.Sys>>20)
}

// anyMove is that of an order to a driver who has others.
func anyMove(d *operationstest.Dispatch) (m planning.Move) {
	d.T.Helper()
	err := d.Owner.QueryRow(d.T.Context(), `select p.order_id, r.driver_id from plan_stops p
		join plan_routes r on r.org_id = p.org_id and r.plan_id = p.plan_id and r.driver_id <> p.driver_id
		where p.org_id = $1 order by random() limit 1`, d.Org).Scan(&m.OrderID, &m.DriverID)
	require.NoError(d.T, err)
	return m
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2].Round(time.Millisecond)
}
