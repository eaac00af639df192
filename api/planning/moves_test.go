package planning_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/operations"
	planningops "waybill/operations/planning"
)

// planned makes a day on which Nora and Ola, with a van each, serve two orders
// in the afternoon, and returns the orders.
func (o *office) planned() (first, second int64) {
	o.t.Helper()
	first, second = o.order("A-1"), o.order("A-2")
	o.exec("update locations set latitude = 59.92, longitude = 10.84 where org_id = $1 and external_id = 'L-1'")
	o.exec("update order_stops set earliest = '2026-03-02 11:00Z' where org_id = $1")
	o.exec("update orders set vehicle_type_id = (select vehicle_type_id from vehicles where org_id = $1 and id = "+
		"$2) where org_id = $1", o.van)
	other := o.id(`insert into vehicles (org_id, registration, vehicle_type_id)
		select org_id, 'EB10002', vehicle_type_id from vehicles where org_id = $1 and id = $2 returning id`, o.van)
	o.exec(
		"update drivers set vehicle_id = case id when $2 then $3 else $4::bigint end where org_id = $1", o.nora, o.van,
		other,
	)
	o.exec(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
		select org_id, id, 1, 'FREQ=DAILY', 420, 1080 from drivers where org_id = $1`)
	require.Equal(o.t, 2, o.plans().Planned)
	return first, second
}

// plans has planning look at the day.
func (o *office) plans() planningops.PlannedDay {
	o.t.Helper()
	planners := operations.New(o.store, o.Clock.Now, operations.Settings{})
	done, err := planners.Planning.PlanDay(o.t.Context(), caller.Service(o.org, "plan/test"), planningops.PlanningSlice{
		Area: planning.Area{
			DepartmentID: o.oslo, Date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
		}, Length: 50 * time.Millisecond,
	})
	require.NoError(o.t, err)
	return done
}

// kari is a dispatcher with a known name.
func (o *office) kari() string {
	o.t.Helper()
	id := o.id(`insert into users (org_id, id, email, name, source) values ($1, 13, 'kari@example.no', 'Kari Berg', 'api')
		returning id`)
	return o.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: o.org, Kind: caller.Person, ID: id, Roles: []caller.Role{caller.Dispatcher}},
		Zone:   time.UTC, Language: "en",
	})
}

// move requests a move as a caller.
func (o *office) move(who, body string, status int) *httptest.ResponseRecorder {
	o.t.Helper()
	w := o.as(who, http.MethodPost, monday+"/moves", body)
	require.Equal(o.t, status, w.Code, w.Body.String())
	return w
}

// moved requests a move that succeeds.
func (o *office) moved(who, body string) contract.MovedOrders {
	o.t.Helper()
	return decoded[contract.MovedOrders](o.t, o.move(who, body, http.StatusOK))
}

// version is that of the only plan.
func (o *office) version() int64 { return o.id("select version from plans where org_id = $1") }

// driverOf returns an order's driver.
func (o *office) driverOf(order int64) int64 {
	return o.id("select driver_id from orders where org_id = $1 and id = $2", order)
}

// moves is the request to move an order to a driver, with the version that the
// user saw.
func (o *office) moves(version, order, driver int64, more string) string {
	return fmt.Sprintf(`{"version":%d,"departmentId":%d,"moves":[{"orderId":%d,"driverId":%d}]%s}`,
		version, o.oslo, order, driver, more)
}

// TestDispatchersMoveOrders requests a move as each kind of caller. A
// dispatcher previews one and carries it out, with a reason if it violates a
// rule.
func TestDispatchersMoveOrders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was, seen := o.driverOf(first), o.version()
	to := o.nora + o.ola - was
	ask := func(who, body string, status int) contract.MovedOrders {
		t.Helper()
		w := o.as(who, http.MethodPost, monday+"/moves", body)
		require.Equal(t, status, w.Code, w.Body.String())
		return decoded[contract.MovedOrders](t, w)
	}
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		ask(who, o.moves(seen, first, to, ""), http.StatusForbidden)
		ask(who, o.moves(seen, first, to, `,"dryRun":true`), http.StatusForbidden)
	}
	require.Equal(t, was, o.driverOf(first))

	looked := ask(o.dispatcher, o.moves(seen, first, to, `,"dryRun":true`), http.StatusOK)
	require.False(t, looked.Applied)
	require.Equal(t, seen, looked.Version)
	require.Equal(t, int32(1), looked.Cost.Drivers, "one had been enough")
	require.Equal(t, seen, o.version(), "nothing was done")

	moved := ask(o.dispatcher, o.moves(seen, first, to, ""), http.StatusOK)
	require.True(t, moved.Applied)
	require.Empty(t, moved.Breaks)
	require.Equal(t, looked.Cost, moved.Cost)
	require.Equal(t, o.version(), moved.Version)
	require.Equal(t, to, o.driverOf(first))
	require.Equal(t, fmt.Sprint(
		to,
	), o.text("select driver_id::text from order_driver_locks where org_id = $1 and order_id = $2", first))

	stale := o.as(o.dispatcher, http.MethodPost, monday+"/moves", o.moves(seen, first, was, ""))
	require.Equal(t, http.StatusConflict, stale.Code, "the plan is another one by now")
	require.Equal(t, "PLAN_ORDER_MOVED", apitest.Refusal(t, stale))

	o.exec("insert into order_prohibited_drivers (org_id, order_id, driver_id) values ($1, $2, $3)", second, to)
	broken := o.as(o.dispatcher, http.MethodPost, monday+"/moves", o.moves(moved.Version, second, to, ""))
	require.Equal(t, http.StatusConflict, broken.Code)
	require.Equal(t, "PLAN_BREAKS", apitest.Refusal(t, broken))
	require.Equal(t, was, o.driverOf(second))
	accepted := ask(o.dispatcher, o.moves(moved.Version, second, to, `,"reason":"They have made up."`), http.StatusOK)
	require.True(t, accepted.Applied)
	require.Equal(t, "PROHIBITED_DRIVER", accepted.Breaks[0].Code)
	require.NotEmpty(t, accepted.Breaks[0].Text)
	require.Equal(t, to, o.driverOf(second))
	require.Equal(
		t, "They have made up.", o.text("select reason from order_driver_locks where org_id = $1 and order_id = $2", second),
	)
}

// TestMoveIsRefusedAfterAnothersMove has two dispatchers move
// the same order from the same version of the plan. The second is told who was
// first, and can still move it after reading the plan again. Changes of other
// orders don't matter.
func TestMoveIsRefusedAfterAnothersMove(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was, kari := o.driverOf(first), o.kari()
	to := o.nora + o.ola - was
	looked := o.moved(o.dispatcher, o.moves(o.version(), first, to, `,"dryRun":true`))
	o.moved(kari, o.moves(o.version(), second, to, ""))
	o.moved(kari, o.moves(o.version(), first, to, ""))

	for _, more := range []string{"", `,"dryRun":true`} {
		refused := o.move(o.dispatcher, o.moves(looked.Version, first, was, more), http.StatusConflict)
		require.Equal(t, "PLAN_ORDER_MOVED", apitest.Refusal(t, refused))
		driver := o.text("select name from drivers where org_id = $1 and id = $2", to)
		require.Regexp(
			t,
			`^Kari Berg moved A-1 to `+driver+` \d+ (s|min) ago\.$`,
			apitest.Status(t, refused.Body.Bytes()).Message,
		)
	}
	require.Equal(t, to, o.driverOf(first))

	now := o.moved(o.dispatcher, o.moves(o.version(), first, was, `,"dryRun":true`))
	o.moved(kari, o.moves(o.version(), second, was, ""))
	o.moved(o.dispatcher, o.moves(now.Version, first, was, ""))
	require.Equal(t, was, o.driverOf(first), "all the same, whatever became of the other order")
	o.plans()
	require.Equal(t, was, o.driverOf(first), "it has a driver after two moves")
}

// TestUnlockRequiresTheExpectedDriver has a user undo the move of
// an unassigned order after another user has moved it again.
func TestUnlockRequiresTheExpectedDriver(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, _ := o.planned()
	was := o.driverOf(first)
	to, kari := o.nora+o.ola-was, o.kari()
	o.moved(o.dispatcher, o.moves(o.version(), first, to, ""))
	o.moved(kari, o.moves(o.version(), first, was, ""))
	path := fmt.Sprintf("/v1/orders/%d/driver-lock", first)
	unlock := func(from int64) *httptest.ResponseRecorder {
		return o.as(o.dispatcher, http.MethodPut, path, fmt.Sprintf(`{"driver_id":null,"locked_to":%d}`, from))
	}
	refused := unlock(to)
	require.Equal(t, http.StatusConflict, refused.Code, refused.Body.String())
	require.Equal(t, "PLAN_ORDER_MOVED", apitest.Refusal(t, refused))
	require.Contains(t, refused.Body.String(), "Kari Berg moved A-1 to ")
	require.Equal(t, int64(1), o.id("select count(*) from order_driver_locks where org_id = $1 and order_id = $2", first))
	require.Equal(t, http.StatusOK, unlock(was).Code)
	require.Equal(t, http.StatusOK, unlock(to).Code, "it is unlocked already")
	require.Zero(t, o.id("select count(*) from order_driver_locks where org_id = $1 and order_id = $2", first))
}

// TestMoveChecksOnlyTheNewDriver moves an order for a truck to a van and on to another
// van: the second breaks the same rule, whatever was accepted of the first.
func TestMoveChecksOnlyTheNewDriver(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, _ := o.planned()
	o.exec("update orders set vehicle_type_id = $2 where org_id = $1 and id = $3", o.truck, first)
	o.plans()
	o.moved(o.dispatcher, o.moves(o.version(), first, o.nora, `,"reason":"The customer has agreed."`))
	require.Equal(t, o.nora, o.driverOf(first))

	looked := o.moved(o.dispatcher, o.moves(o.version(), first, o.ola, `,"dryRun":true`))
	require.Len(t, looked.Breaks, 1)
	require.Equal(t, "VEHICLE_TYPE", looked.Breaks[0].Code)
	refused := o.move(o.dispatcher, o.moves(o.version(), first, o.ola, ""), http.StatusConflict)
	require.Equal(t, "PLAN_BREAKS", apitest.Refusal(t, refused))
	require.Equal(t, o.nora, o.driverOf(first))

	o.moved(o.dispatcher, o.moves(o.version(), first, o.ola, `,"reason":"Agreed with Ola, too."`))
	for n := range 2 {
		require.Equal(t, o.ola, o.driverOf(first))
		o.order(fmt.Sprint("B-", n))
		o.plans()
	}
	require.Equal(t, o.ola, o.driverOf(first), "it stays through later plans")
}

// TestLockShowsActorAndReason reads the lock of a move where plans, orders and their
// stories show it, with the reason and the driver's name.
func TestLockShowsActorAndReason(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, _ := o.planned()
	to, kari := o.nora+o.ola-o.driverOf(first), o.kari()
	name := o.text("select name from drivers where org_id = $1 and id = $2", to)
	o.moved(kari, o.moves(o.version(), first, to, `,"reason":"The customer has agreed."`))
	says := func(lock contract.PlanLock) {
		t.Helper()
		require.Equal(t, to, lock.DriverID)
		require.Equal(t, name, lock.DriverName)
		require.Equal(t, "user:13", lock.LockedBy.MustGet())
		require.Equal(t, "Kari Berg", lock.LockedByName.MustGet())
		require.Equal(t, "The customer has agreed.", lock.Reason.MustGet())
	}
	page := read[contract.PlanPage](o, monday)
	for _, route := range page.Routes {
		for _, stop := range route.Stops {
			require.Equal(t, stop.Locked, !stop.Lock.IsNull())
			if stop.OrderID == first {
				says(stop.Lock.MustGet())
			}
		}
	}
	says(read[contract.OrderPlanning](o, fmt.Sprintf("/v2/orders/%d/planning", first)).Lock.MustGet())

	w := o.as(kari, http.MethodGet, fmt.Sprintf("/v1/orders/%d/story", first), "")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	var locked contract.StoryItem
	for _, item := range decoded[contract.Story](t, w).Items {
		if item.Kind == "order.locked" {
			locked = item
		}
	}
	require.Equal(t, name, locked.DriverName.MustGet())
	require.Equal(t, "The customer has agreed.", locked.Comment.MustGet())

	o.exec("update drivers set is_active = false where org_id = $1 and id = $2", to)
	o.plans()
	left := read[contract.PlanPage](o, monday).Unplanned
	require.Len(t, left, 1)
	says(left[0].Lock.MustGet())
}

// TestRefusedMovesNameTheDriverAndTheOrder requests a move that no reason can
// justify.
func TestRefusedMovesNameTheDriverAndTheOrder(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, _ := o.planned()
	to := o.nora + o.ola - o.driverOf(first)
	name := o.text("update drivers set is_active = false where org_id = $1 and id = $2 returning name", to)
	refused := o.move(o.dispatcher, o.moves(o.version(), first, to, `,"reason":"All the same."`), http.StatusConflict)
	require.Equal(t, name+" does not work in this plan, so you cannot move order A-1 to them.",
		apitest.Status(t, refused.Body.Bytes()).Message)
}

// TestDispatchersSpreadRoutes requests a spread as each kind of caller, of which one order may go to nobody else.
func TestDispatchersSpreadRoutes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was, seen := o.driverOf(first), o.version()
	to := o.nora + o.ola - was
	body := func(more string) string {
		return fmt.Sprintf(`{"version":%d,"departmentId":%d,"fromDriverId":%d%s}`, seen, o.oslo, was, more)
	}
	ask := func(who, body string, status int) contract.SpreadRoute {
		t.Helper()
		w := o.as(who, http.MethodPost, monday+"/spreads", body)
		require.Equal(t, status, w.Code, w.Body.String())
		return decoded[contract.SpreadRoute](t, w)
	}
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		ask(who, body(""), http.StatusForbidden)
	}
	ask(o.dispatcher, body(`,"orderIds":[]`), http.StatusBadRequest)

	o.exec("insert into order_prohibited_drivers (org_id, order_id, driver_id) values ($1, $2, $3)", second, to)
	looked := ask(o.dispatcher, body(`,"dryRun":true`), http.StatusOK)
	require.False(t, looked.Applied)
	require.Equal(t, seen, o.version(), "nothing was done")
	name := o.text("select name from drivers where org_id = $1 and id = $2", to)
	require.Equal(t, []contract.RouteShare{{DriverID: to, DriverName: name, OrderIds: []int64{first}}}, looked.Shares)
	require.Equal(t, []contract.HandoverLeft{{
		OrderID: second, ExternalID: "A-2", Code: "PROHIBITED_DRIVER", Text: name + " is not allowed to drive the order.",
	}}, looked.Left)

	done := ask(o.dispatcher, body(`,"reason":"Ill."`), http.StatusOK)
	require.True(t, done.Applied)
	require.Equal(t, looked.Cost, done.Cost)
	require.Equal(t, o.version(), done.Version)
	require.Equal(t, []int64{to, was}, []int64{o.driverOf(first), o.driverOf(second)})
}

// TestDispatchersHandOverRoutes requests a handover as each kind of caller. A
// dispatcher previews one, carries it out and returns one order.
func TestDispatchersHandOverRoutes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was, seen := o.driverOf(first), o.version()
	to := o.nora + o.ola - was
	require.Equal(t, was, o.driverOf(second), "one driver is enough")
	body := func(version, from, to int64, more string) string {
		return fmt.Sprintf(
			`{"version":%d,"departmentId":%d,"fromDriverId":%d,"toDriverId":%d%s}`, version, o.oslo, from, to, more,
		)
	}
	ask := func(who, body string, status int) contract.HandedOverRoute {
		t.Helper()
		w := o.as(who, http.MethodPost, monday+"/handovers", body)
		require.Equal(t, status, w.Code, w.Body.String())
		return decoded[contract.HandedOverRoute](t, w)
	}
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		ask(who, body(seen, was, to, ""), http.StatusForbidden)
	}
	ask(o.dispatcher, body(seen, was, was, ""), http.StatusBadRequest)
	ask(o.dispatcher, body(seen, was, to, `,"orderIds":[]`), http.StatusBadRequest)

	o.exec("insert into order_prohibited_drivers (org_id, order_id, driver_id) values ($1, $2, $3)", second, to)
	looked := ask(o.dispatcher, body(seen, was, to, `,"dryRun":true`), http.StatusOK)
	require.False(t, looked.Applied)
	require.Equal(t, []int64{first}, looked.OrderIds)
	require.Equal(t, seen, o.version(), "nothing was done")
	require.Len(t, looked.Left, 1)
	require.Equal(t, contract.HandoverLeft{
		OrderID: second, ExternalID: "A-2", Code: "PROHIBITED_DRIVER",
		Text: o.text("select name from drivers where org_id = $1 and id = $2", to) + " is not allowed to drive the order.",
	}, looked.Left[0])

	handed := ask(o.dispatcher, body(seen, was, to, `,"reason":"Ill."`), http.StatusOK)
	require.True(t, handed.Applied)
	require.Equal(t, looked.Cost, handed.Cost)
	require.Equal(t, o.version(), handed.Version)
	require.Equal(t, to, o.driverOf(first))
	require.Equal(t, was, o.driverOf(second))
	stale := o.as(o.dispatcher, http.MethodPost, monday+"/handovers", body(seen, to, was, ""))
	require.Equal(t, http.StatusConflict, stale.Code)
	back := ask(o.dispatcher, body(handed.Version, to, was, fmt.Sprintf(`,"orderIds":[%d]`, first)), http.StatusOK)
	require.True(t, back.Applied)
	require.Equal(t, was, o.driverOf(first))
}
