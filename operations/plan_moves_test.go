package operations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/version"
	planningops "waybill/operations/planning"
)

// person is somebody who has signed in.
func (d *dispatch) person() caller.Caller {
	return caller.Caller{OrgID: d.org, Kind: caller.Person, ID: 12, Roles: []caller.Role{caller.Dispatcher}, Cause: "request-1"}
}

// moves are those of orders to a driver, in the plan as it is.
func (d *dispatch) moves(driver string, numbers ...string) planningops.PlanMoves {
	d.t.Helper()
	m := planningops.PlanMoves{Area: area, Seen: one[int64](d.office, "select version from plans where org_id = $1", d.org)}
	for _, number := range numbers {
		m.Moves = append(m.Moves, planning.Move{
			OrderID:  one[int64](d.office, "select id from orders where org_id = $1 and number = $2", d.org, number),
			DriverID: one[int64](d.office, "select id from drivers where org_id = $1 and name = $2", d.org, driver),
		})
	}
	return m
}

// otherVan is the driver of the van that does not have an order.
func (d *dispatch) otherVan(number string) string {
	if d.driverOf(number) == "Nora" {
		return "Jens"
	}
	return "Nora"
}

func TestAMoveIsCarriedOutAndKept(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	for n := range 5 {
		d.load(numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.plan()
	to := d.otherVan("A-0")
	m := d.moves(to, "A-0", "A-1")
	m.DryRun = true
	rows := d.everyRow()
	looked, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, m.Seen, looked.Version)
	require.NotZero(t, looked.Driving)
	require.Equal(t, rows, d.everyRow(), "a dry run writes nothing")

	m.DryRun = false
	was := one[int](d.office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.org)
	moved, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.NoError(t, err)
	require.True(t, moved.Applied)
	require.Empty(t, moved.Breaks)
	require.Equal(t, looked.Driving, moved.Driving)
	require.InDelta(t, was+int(moved.Driving.Seconds()),
		one[int](d.office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.org), 2, "it costs what was said")
	require.Equal(t, moved.Version, one[int64](d.office, "select version from plans where org_id = $1", d.org))
	require.Equal(t, to, d.driverOf("A-0"))
	require.Equal(t, to, d.driverOf("A-1"))
	d.holds()
	require.Contains(t, one[[]string](d.office, `select array_agg(concat_ws(' ', kind, actor) order by id) from events
		where org_id = $1 and external_id = 'A-0'`, d.org), "order.locked user:12")
	require.Contains(t, d.told(), "A-0 order.planned 2 "+to)

	d.plan()
	require.Equal(t, to, d.driverOf("A-0"), "planning leaves it there")
	d.load("A-9", "D-3")
	d.plan()
	require.Equal(t, to, d.driverOf("A-1"), "for ever")

	_, err = d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "the plan is another one by now")
}

func TestAMoveThatBreaksSomethingNeedsAReason(t *testing.T) {
	t.Parallel()
	d := newDispatch(t, "vehicle: V-2, workdays: *day",
		`vehicle: V-2, workdays: [{rrule: FREQ=DAILY, starts: "10:00", ends: "16:00"}]`)
	d.load("A-0", "D-1", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.load("A-1", "D-2", func(e *order.Request) {
		e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"
	})
	d.load("A-2", "D-3")
	d.plan()
	require.Equal(t, "Nora", d.driverOf("A-0"))
	m := d.moves("Jens", "A-0", "A-1", "A-2")
	_, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	require.ErrorContains(t, err, "plan.breaks")
	require.Zero(t, one[int](d.office, "select count(*) from order_driver_locks where org_id = $1", d.org))

	m.Reason = "Nora is ill."
	moved, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.NoError(t, err)
	require.Len(t, moved.Breaks, 2)
	require.Equal(t, planning.SkillMissing, moved.Breaks[0].Code)
	require.Equal(t, planning.Late, moved.Breaks[1].Code)
	require.InDelta(t, 3600, moved.Breaks[1].By, 60, "work begins at ten, the window closes at nine")
	for n := range 2 { // and planning leaves them there, and the plan holds with what was accepted
		d.holds()
		for _, number := range []string{"A-0", "A-1", "A-2"} {
			require.Equal(t, "Jens", d.driverOf(number), number)
		}
		d.load(numbered(8+n), "D-1")
		d.plan()
	}
	require.Equal(t, "Nora is ill.", one[string](d.office, `select l.reason from order_driver_locks l
		join orders o on o.org_id = l.org_id and o.id = l.order_id where o.org_id = $1 and o.number = 'A-1'`, d.org))

	id := m.Moves[0].OrderID
	_, err = d.Planning.LockDriver(t.Context(), d.person(), id, planningops.DriverLock{}, version.Expected{})
	require.NoError(t, err)
	d.plan()
	require.Equal(t, "Nora", d.driverOf("A-0"), "what was accepted goes with the lock")
}

func TestAMoveThatNobodyCanAcceptIsRefused(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	tons := 1500.0
	d.load("A-0", "D-1", func(e *order.Request) {
		e.Products[0].Weight, e.VehicleType = &tons, &order.Ref{Name: "Truck"}
	})
	d.load("A-1", "D-1")
	d.load("A-2", "D-4")
	d.load("A-3", "D-1")
	d.plan()
	d.do("update drivers set is_active = false where org_id = $1 and name = 'Nora'", d.org)
	d.do("update orders set status_id = 4 where org_id = $1 and number = 'A-3'", d.org)
	other := d.otherVan("A-3")
	if other == "Nora" {
		other = "Amir"
	}
	for _, c := range []struct{ driver, number, text string }{
		{"Jens", "A-0", "plan.no_room"},
		{"Nora", "A-1", "plan.driver_off"},
		{"Jens", "A-2", "plan.impossible"},
		{other, "A-3", "plan.begun"},
	} {
		m := d.moves(c.driver, c.number)
		m.Reason = "All the same."
		_, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
		require.ErrorContains(t, err, c.text, c.number)
		require.Equal(t, fault.IllegalState, fault.KindOf(err))
	}
	m := d.moves("Jens", "A-1")
	m.Moves[0].OrderID = 999_999
	_, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.ErrorContains(t, err, "plan.order_elsewhere")
	m = d.moves("Jens", "A-1")
	m.Area.Date = m.Area.Date.AddDate(0, 0, 1)
	_, err = d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
