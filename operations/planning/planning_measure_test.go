package planning_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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
	d.Do(`insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3, home_location_id)
		select $1, 'M-' || n, t.id, 20000, 200, l.id from vehicle_types t, locations l, generate_series(1, $2::int) n
		where t.org_id = $1 and t.name = 'Van' and l.org_id = $1 and l.external_id = 'T'`, d.Org, drivers)
	d.Do("insert into drivers (org_id, name, vehicle_id) select org_id, registration, id from vehicles where org_id = $1 and registration like 'M-%'", d.Org)
	d.Do(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
		select org_id, id, 1, 'FREQ=DAILY', 360, 1320 from drivers where org_id = $1 and name like 'M-%'`, d.Org)
	rng := rand.New(rand.NewPCG(1, 2))
	entry := func(number string) order.Request {
		e := operationstest.HeavyOrder(number)
		lat, lon := 59.88+rng.Float64()/10, 10.68+rng.Float64()/5
		e.Pickup = &order.LocationRequest{ExternalID: "T"}
		e.Delivery = &order.LocationRequest{Name: "Somebody", Address: &order.Address{
			Address1: "Storgata 1", PostalCode: "0155", City: "Oslo", Country: "NO", Latitude: &lat, Longitude: &lon,
		}}
		return e
	}
	var entries []order.Request
	for n := range orders {
		entries = append(entries, entry(operationstest.Numbered(n)))
	}
	for some := range slices.Chunk(entries, 500) {
		d.Imported(d.Org, some...)
	}
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
