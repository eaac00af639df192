package planning_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// released counts the rows that tell of the release of the plan: those that keep it, its events and the changes since.
func released(d *operationstest.Dispatch) (kept, events, changes int) {
	d.T.Helper()
	kept = operationstest.One[int](d.Office, "select count(*) from plan_released_stops where org_id = $1", d.Org)
	events = operationstest.One[int](d.Office, "select count(*) from events where org_id = $1 and kind = 'plan.released'", d.Org)
	changes = operationstest.One[int](d.Office, "select released_changes from plans where org_id = $1", d.Org)
	return kept, events, changes
}

// inDepartment moves all that there is to a department, and returns the area of its plan.
func inDepartment(d *operationstest.Dispatch) planning.Area {
	d.T.Helper()
	id := operationstest.One[int64](d.Office, "insert into departments (org_id, name) values ($1, 'Oslo') returning id", d.Org)
	for _, table := range []string{"customers", "drivers", "orders", "plans"} {
		d.Do("update "+table+" set department_id = $2 where org_id = $1", d.Org, id)
	}
	return planning.Area{Date: operationstest.PlannedOn, DepartmentID: id}
}

// releaseAt has the plans of all departments released at a minute, so many days before.
func releaseAt(d *operationstest.Dispatch, minute, daysBefore int) {
	d.T.Helper()
	d.Do("update departments set release_minute = $2, release_days_before = $3 where org_id = $1", d.Org, minute, daysBefore)
}

// setThreshold has changes of released plans save so many minutes at least.
func setThreshold(d *operationstest.Dispatch, minutes int) {
	d.T.Helper()
	d.Do("update departments set release_threshold_minutes = $2 where org_id = $1", d.Org, minutes)
}

// work works on the plan of an area: for a second, or for no longer than what is new needs.
func work(d *operationstest.Dispatch, area planning.Area, length time.Duration) planningops.PlannedDay {
	d.T.Helper()
	done, err := d.Planning.PlanDay(d.T.Context(), caller.Service(d.Org, "plan/test"),
		planningops.PlanningSlice{Area: area, Length: length})
	require.NoError(d.T, err)
	return done
}

// detour has the driver of five orders make the last one first, which is a longer way, and returns that sequence.
func detour(t *testing.T) (d *operationstest.Dispatch, area planning.Area, driver string, worse []string) {
	t.Helper()
	d, driver = fiveOrders(t)
	best := sequence(d, driver)
	last := best[len(best)-1][:len("A-0")]
	h := hold(d, driver, last+" pickup", last+" delivery")
	_, err := d.Planning.HoldRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	worse = sequence(d, driver)
	require.NotEqual(t, best, worse)
	_, err = d.Planning.ReleaseRoute(t.Context(), person(d), operationstest.Area, h.DriverID)
	require.NoError(t, err)
	return d, inDepartment(d), driver, worse
}

func TestAReleasedPlanChangesOnlyWhereItPays(t *testing.T) {
	t.Parallel()
	d, area, driver, worse := detour(t)
	version, err := d.Planning.ReleasePlan(t.Context(), person(d), area)
	require.NoError(t, err)
	again, err := d.Planning.ReleasePlan(t.Context(), person(d), area)
	require.NoError(t, err)
	require.Equal(t, version, again, "a plan is released once")
	kept, events, changes := released(d)
	require.Equal(t, []int{10, 1, 0}, []int{kept, events, changes})

	setThreshold(d, 24*60)
	work(d, area, time.Second)
	require.Equal(t, worse, sequence(d, driver), "the better sequence saves too little")

	setThreshold(d, 0)
	work(d, area, time.Second)
	require.NotEqual(t, worse, sequence(d, driver), "any saving is enough")
	kept, events, changes = released(d)
	require.Equal(t, []int{10, 1, 1}, []int{kept, events, changes}, "the released plan is kept, and the change counted")
	require.Equal(t, driverID(d, driver), operationstest.One[int64](d.Office,
		"select (data ->> 'driver_id')::bigint from events where org_id = $1 and kind = 'plan.route_changed'", d.Org))
}

func TestAPlanThatIsNotReleasedMoves(t *testing.T) {
	t.Parallel()
	d, area, driver, worse := detour(t)
	setThreshold(d, 24*60)
	work(d, area, time.Second)
	require.NotEqual(t, worse, sequence(d, driver))
	kept, events, changes := released(d)
	require.Equal(t, []int{0, 0, 0}, []int{kept, events, changes})
	require.Zero(t, operationstest.One[int](d.Office, "select count(*) from events where org_id = $1 and kind = 'plan.route_changed'", d.Org))
}

func TestNewOrdersGetAPlaceInAReleasedPlan(t *testing.T) {
	t.Parallel()
	d, area, driver, worse := detour(t)
	_, err := d.Planning.ReleasePlan(t.Context(), person(d), area)
	require.NoError(t, err)
	setThreshold(d, 24*60)
	d.Load("A-8", "D-2")
	work(d, area, 0)
	work(d, area, time.Second)
	require.Equal(t, driver, d.DriverOf("A-8"), "it needs no other driver")
	rest := slices.DeleteFunc(sequence(d, driver), func(stop string) bool { return stop[:3] == "A-8" })
	require.Equal(t, worse, rest, "the others stay in their sequence")
	_, _, changes := released(d)
	require.Equal(t, 1, changes)
}

func TestOrdersOfASickDriverLeaveAReleasedPlan(t *testing.T) {
	t.Parallel()
	d, area, driver, _ := detour(t)
	_, err := d.Planning.ReleasePlan(t.Context(), person(d), area)
	require.NoError(t, err)
	setThreshold(d, 24*60)
	d.Do("update drivers set is_active = false where org_id = $1 and id = $2", d.Org, driverID(d, driver))
	work(d, area, 0)
	for n := range 5 {
		got := d.DriverOf(operationstest.Numbered(n))
		require.NotEmpty(t, got)
		require.NotEqual(t, driver, got)
	}
	require.Equal(t, 10, operationstest.One[int](d.Office,
		"select count(*) from plan_released_stops where org_id = $1 and driver_id = $2", d.Org, driverID(d, driver)))
}

func TestAFreshStartIgnoresTheReleasedPlan(t *testing.T) {
	t.Parallel()
	d, area, driver, worse := detour(t)
	version, err := d.Planning.ReleasePlan(t.Context(), person(d), area)
	require.NoError(t, err)
	setThreshold(d, 24*60)
	_, err = d.Planning.StartPlanAfresh(t.Context(), person(d), area, version)
	require.NoError(t, err)
	work(d, area, 0)
	work(d, area, time.Second)
	require.NotEqual(t, worse, sequence(d, driver))
}

func TestAPlanIsReleasedAtItsTime(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	area := inDepartment(d)
	d.Load("A-0", "D-1")
	at := operationstest.PlannedOn.Add(5 * time.Hour) // 06:00 in Oslo
	releaseAt(d, 6*60, 0)
	require.Equal(t, at, work(d, area, 0).Wake, "it is looked at again then")
	releaseAt(d, 7*60, 0)
	d.Now = at
	require.Equal(t, at.Add(time.Hour), work(d, area, 0).Wake, "the setting has changed")
	_, events, _ := released(d)
	require.Zero(t, events)

	d.Now = at.Add(time.Hour)
	work(d, area, 0)
	kept, events, _ := released(d)
	require.Equal(t, []int{2, 1}, []int{kept, events})
	require.Equal(t, "system", operationstest.One[string](d.Office, "select released_by from plans where org_id = $1", d.Org))
	releaseAt(d, 8*60, 0)
	rows := d.EveryRow()
	work(d, area, 0)
	require.True(t, rows == d.EveryRow(), "what was released stays so")

	releaseAt(d, 6*60, 14)
	d.Load("A-1", "D-1")
	work(d, area, 0)
	kept, events, _ = released(d)
	require.Equal(t, []int{2, 1}, []int{kept, events})
}

// TestAPlanIsReleasedWithItsFirstOrders has the first order of a day come after its time.
func TestAPlanIsReleasedWithItsFirstOrders(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	area := inDepartment(d)
	releaseAt(d, 17*60, 1)
	require.Equal(t, planning.DayEmpty, work(d, area, 0).State)
	d.Load("A-0", "D-1")
	work(d, area, 0)
	kept, events, _ := released(d)
	require.Equal(t, []int{2, 1}, []int{kept, events})
}
