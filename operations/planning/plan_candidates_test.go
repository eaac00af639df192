package planning_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// idOf is an order by its number.
func idOf(d *operationstest.Dispatch, number string) int64 {
	d.T.Helper()
	return operationstest.One[int64](d.Office, "select id from orders where org_id = $1 and number = $2", d.Org, number)
}

// driverID is a driver by name.
func driverID(d *operationstest.Dispatch, name string) int64 {
	d.T.Helper()
	return operationstest.One[int64](d.Office, "select id from drivers where org_id = $1 and name = $2", d.Org, name)
}

func TestCandidatesCostWhatAMoveCosts(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Load("A-6", "D-2", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Load("A-7", "D-1", func(e *order.Request) {
		e.VehicleType = &order.Ref{Name: "Truck"}
		heavy := 1500.0
		e.Products[0].Weight = &heavy
	})
	d.Plan()
	d.Rest()
	rows := d.EveryRow()
	for _, number := range []string{"A-0", "A-4", "A-6", "A-7"} {
		found, err := d.Planning.RankDrivers(t.Context(), person(d), operationstest.Area, idOf(d, number))
		require.NoError(t, err)
		require.Len(t, found.Drivers, 3)
		fits := 0
		for _, c := range found.Drivers {
			m := planningops.PlanMoves{
				Area: operationstest.Area, Seen: found.Version, DryRun: true,
				Moves: []planning.Move{{OrderID: idOf(d, number), DriverID: c.DriverID}},
			}
			switch {
			case c.Present:
				require.Equal(t, driverID(d, d.DriverOf(number)), c.DriverID)
				require.Zero(t, c.Driving)
				require.Zero(t, c.Meters)
				continue
			case c.Refused != nil:
				_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
				require.Equal(t, fault.IllegalState, fault.KindOf(err), number)
				continue
			}
			looked, err := d.Planning.MoveOrders(t.Context(), person(d), m)
			require.NoError(t, err)
			require.Equal(t, looked.Driving, c.Driving, "%s with %d", number, c.DriverID)
			require.Equal(t, looked.Meters, c.Meters)
			require.Equal(t, looked.Breaks, c.Breaks)
			if len(c.Breaks) == 0 {
				fits++
			}
		}
		require.True(t, slices.IsSortedFunc(found.Drivers, func(a, b planning.Candidate) int { return rankOf(a) - rankOf(b) }))
		if number == "A-7" {
			require.Zero(t, fits, "no other vehicle holds it")
			require.Equal(t, planning.TooHeavy, found.Drivers[2].Refused.Code)
		}
		if number == "A-6" {
			require.Equal(t, planning.SkillMissing, found.Drivers[2].Breaks[0].Code)
		}
	}
	require.Equal(t, rows, d.EveryRow(), "asking changes nothing")
	_, err := d.Planning.RankDrivers(t.Context(), person(d), operationstest.Area, 1<<40)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}

// rankOf is 0 for who fits, 1 for who breaks something and 2 for who cannot.
func rankOf(c planning.Candidate) int {
	switch {
	case c.Refused != nil:
		return 2
	case len(c.Breaks) > 0:
		return 1
	}
	return 0
}

// TestMeasureCandidates says how long it takes to rank 50 drivers for an order of a day with
// 500 orders. It runs only when it is asked for:
//
//	WAYBILL_MEASURE=1 bin/devstack test -- go test ./operations/planning -run TestMeasureCandidates -v
func TestMeasureCandidates(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("WAYBILL_MEASURE is not set")
	}
	const orders, drivers, asked = 500, 50, 100
	d := operationstest.NewDispatch(t)
	d.Do(`insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3, home_location_id)
		select $1, 'M-' || n, t.id, 20000, 200, l.id from vehicle_types t, locations l, generate_series(1, $2::int) n
		where t.org_id = $1 and t.name = 'Van' and l.org_id = $1 and l.external_id = 'T'`, d.Org, drivers)
	d.Do("update drivers set is_active = false where org_id = $1", d.Org)
	d.Do("insert into drivers (org_id, name, vehicle_id) select org_id, registration, id from vehicles where org_id = $1 and registration like 'M-%'", d.Org)
	d.Do(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends, break_minutes, break_earliest, break_latest)
		select org_id, id, 1, 'FREQ=DAILY', 390, 900, 30, 630, 780 from drivers where org_id = $1 and name like 'M-%'`, d.Org)
	rng := rand.New(rand.NewPCG(1, 2))
	var entries []order.Request
	for n := range orders {
		e := operationstest.HeavyOrder(operationstest.Numbered(n))
		lat, lon := 59.88+rng.Float64()/10, 10.68+rng.Float64()/5
		e.Pickup = &order.LocationRequest{ExternalID: "T"}
		e.Delivery = &order.LocationRequest{Name: "Somebody", Address: &order.Address{
			Address1: "Storgata 1", PostalCode: "0155", City: "Oslo", Country: "NO", Latitude: &lat, Longitude: &lon,
		}}
		entries = append(entries, e)
	}
	d.Imported(d.Org, entries...)
	for range 5 {
		commits(d)
	}
	var took, used []time.Duration
	for n := range asked {
		began, busy := time.Now(), processor(t)
		found, err := d.Planning.RankDrivers(t.Context(), person(d), operationstest.Area, idOf(d, operationstest.Numbered(n*orders/asked)))
		require.NoError(t, err)
		require.Len(t, found.Drivers, drivers)
		took, used = append(took, time.Since(began)), append(used, processor(t)-busy)
	}
	slices.Sort(took)
	slices.Sort(used)
	t.Logf("%d orders on %d routes, %d drivers: median %v, p95 %v; on the processor %v, p95 %v", orders,
		operationstest.One[int](d.Office, "select count(*) from plan_routes where org_id = $1", d.Org), drivers,
		median(took), took[asked*95/100], median(used), used[asked*95/100])
}

// processor is how long this process has used processors.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestDriversForSeveralOrdersCostWhatMovingThemCosts compares the ranking of drivers for orders
// together with the preview of moving them.
func TestDriversForSeveralOrdersCostWhatMovingThemCosts(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Load("A-6", "D-2", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Load("A-7", "D-1", func(e *order.Request) {
		e.VehicleType = &order.Ref{Name: "Truck"}
		heavy := 1500.0
		e.Products[0].Weight = &heavy
	})
	d.Plan()
	d.Rest()
	ids := []int64{idOf(d, "A-0"), idOf(d, "A-4"), idOf(d, "A-6"), idOf(d, "A-7")}
	rows := d.EveryRow()
	version, found, err := d.Planning.RankDriversForOrders(t.Context(), person(d), operationstest.Area, ids)
	require.NoError(t, err)
	require.NotEmpty(t, found)
	left := 0
	for n, f := range found {
		require.ElementsMatch(t, ids, slices.Concat(f.Takes, f.Left))
		require.NotEmpty(t, f.Takes)
		left += len(f.Left)
		if n > 0 {
			require.LessOrEqual(t, len(f.Takes), len(found[n-1].Takes), "those who take most come first")
		}
		m := planningops.PlanMoves{Area: operationstest.Area, Seen: version, DryRun: true, Partly: true}
		for _, id := range ids {
			m.Moves = append(m.Moves, planning.Move{OrderID: id, DriverID: f.DriverID})
		}
		looked, err := d.Planning.MoveOrders(t.Context(), person(d), m)
		require.NoError(t, err)
		require.Equal(t, looked.Driving, f.Driving)
		require.Equal(t, looked.Meters, f.Meters)
		require.Equal(t, looked.Breaks, f.Breaks)
		require.Len(t, looked.Refused, len(f.Left))
	}
	require.Positive(t, left, "the heavy order does not fit into a van")
	require.Equal(t, rows, d.EveryRow(), "nothing is changed")

	_, _, err = d.Planning.RankDriversForOrders(t.Context(), person(d), operationstest.Area, []int64{1 << 40})
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
