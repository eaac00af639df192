package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/version"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// person is somebody who has signed in.
func person(d *operationstest.Dispatch) caller.Caller {
	return caller.Caller{OrgID: d.Org, Kind: caller.Person, ID: 12, Roles: []caller.Role{caller.Dispatcher}, Cause: "request-1"}
}

// moves are those of orders to a driver, in the plan as it is.
func moves(d *operationstest.Dispatch, driver string, numbers ...string) planningops.PlanMoves {
	d.T.Helper()
	m := planningops.PlanMoves{Area: operationstest.Area, Seen: operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)}
	for _, number := range numbers {
		m.Moves = append(m.Moves, planning.Move{
			OrderID:  operationstest.One[int64](d.Office, "select id from orders where org_id = $1 and number = $2", d.Org, number),
			DriverID: operationstest.One[int64](d.Office, "select id from drivers where org_id = $1 and name = $2", d.Org, driver),
		})
	}
	return m
}

// otherVan is the driver of the van that does not have an order.
func otherVan(d *operationstest.Dispatch, number string) string {
	if d.DriverOf(number) == "Nora" {
		return "Jens"
	}
	return "Nora"
}

func TestAMoveIsCarriedOutAndKept(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 5 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Plan()
	to := otherVan(d, "A-0")
	m := moves(d, to, "A-0", "A-1")
	m.DryRun = true
	rows := d.EveryRow()
	looked, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, m.Seen, looked.Version)
	require.NotZero(t, looked.Driving)
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")

	m.DryRun = false
	was := operationstest.One[int](d.Office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.Org)
	moved, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	require.True(t, moved.Applied)
	require.Empty(t, moved.Breaks)
	require.Equal(t, looked.Driving, moved.Driving)
	require.InDelta(t, was+int(moved.Driving.Seconds()),
		operationstest.One[int](d.Office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.Org), 2, "it costs what was said")
	require.Equal(t, moved.Version, operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org))
	require.Equal(t, to, d.DriverOf("A-0"))
	require.Equal(t, to, d.DriverOf("A-1"))
	d.Holds()
	require.Contains(t, operationstest.One[[]string](d.Office, `select array_agg(concat_ws(' ', kind, actor) order by id) from events
		where org_id = $1 and external_id = 'A-0'`, d.Org), "order.locked user:12")
	require.Contains(t, d.Told(), "A-0 order.planned 2 "+to)

	d.Plan()
	require.Equal(t, to, d.DriverOf("A-0"), "planning leaves it there")
	d.Load("A-9", "D-3")
	d.Plan()
	require.Equal(t, to, d.DriverOf("A-1"), "for ever")

	_, err = d.Planning.MoveOrders(t.Context(), person(d), m)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "the plan is another one by now")
}

func TestMoveWithViolationsNeedsAReason(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t, "vehicle: V-2, workdays: *day",
		`vehicle: V-2, workdays: [{rrule: FREQ=DAILY, starts: "10:00", ends: "16:00"}]`)
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Load("A-1", "D-2", func(e *order.Request) {
		e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"
	})
	d.Load("A-2", "D-3")
	d.Plan()
	require.Equal(t, "Nora", d.DriverOf("A-0"))
	m := moves(d, "Jens", "A-0", "A-1", "A-2")
	_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	require.ErrorContains(t, err, "plan.breaks")
	require.Zero(t, operationstest.One[int](d.Office, "select count(*) from order_driver_locks where org_id = $1", d.Org))

	m.Reason = "Nora is ill."
	moved, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	require.Len(t, moved.Breaks, 2)
	require.Equal(t, planning.SkillMissing, moved.Breaks[0].Code)
	require.Equal(t, planning.Late, moved.Breaks[1].Code)
	require.InDelta(t, 3600+240, moved.Breaks[1].By, 60, "work begins at ten, setting up takes four minutes, the window closes at nine")
	for n := range 2 { // and planning leaves them there, and the plan holds with what was accepted
		d.Holds()
		for _, number := range []string{"A-0", "A-1", "A-2"} {
			require.Equal(t, "Jens", d.DriverOf(number), number)
		}
		d.Load(operationstest.Numbered(8+n), "D-1")
		d.Plan()
	}
	require.Equal(t, "Nora is ill.", operationstest.One[string](d.Office, `select l.reason from order_driver_locks l
		join orders o on o.org_id = l.org_id and o.id = l.order_id where o.org_id = $1 and o.number = 'A-1'`, d.Org))

	id := m.Moves[0].OrderID
	_, err = d.Planning.LockDriver(t.Context(), person(d), id, planningops.DriverLock{}, version.Expected{})
	require.NoError(t, err)
	d.Plan()
	require.Equal(t, "Nora", d.DriverOf("A-0"), "what was accepted goes with the lock")
}

func TestMoveWithUnacceptableViolationsIsRefused(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	tons := 1500.0
	d.Load("A-0", "D-1", func(e *order.Request) {
		e.Products[0].Weight, e.VehicleType = &tons, &order.Ref{Name: "Truck"}
	})
	d.Load("A-1", "D-1")
	d.Load("A-2", "D-4")
	d.Load("A-3", "D-1")
	d.Plan()
	d.Do("update drivers set is_active = false where org_id = $1 and name = 'Nora'", d.Org)
	d.Do("update orders set status_id = 4 where org_id = $1 and number = 'A-3'", d.Org)
	other := otherVan(d, "A-3")
	if other == "Nora" {
		other = "Amir"
	}
	for _, c := range []struct{ driver, number, text string }{
		{"Jens", "A-0", "plan.no_room"},
		{"Nora", "A-1", "plan.driver_off"},
		{"Jens", "A-2", "plan.impossible"},
		{other, "A-3", "plan.begun"},
	} {
		m := moves(d, c.driver, c.number)
		m.Reason = "All the same."
		_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
		require.ErrorContains(t, err, c.text, c.number)
		require.Equal(t, fault.IllegalState, fault.KindOf(err))
	}
	m := moves(d, "Jens", "A-1")
	m.Moves[0].OrderID = 999_999
	_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.ErrorContains(t, err, "plan.order_elsewhere")
	m = moves(d, "Jens", "A-1")
	m.Area.Date = m.Area.Date.AddDate(0, 0, 1)
	_, err = d.Planning.MoveOrders(t.Context(), person(d), m)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
