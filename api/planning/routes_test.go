package planning_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

// TestDispatchersWorkOnRoutes ranks drivers, moves, undoes, holds, releases and swaps, as
// dispatchers may and nobody else.
func TestDispatchersWorkOnRoutes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was := o.driverOf(first)
	to := o.nora + o.ola - was
	rank := fmt.Sprintf("%s/candidates?departmentId=%d&orderId=%d", monday, o.oslo, first)
	swap := func() string {
		return fmt.Sprintf(`{"version":%d,"departmentId":%d,"driverIds":[%d,%d]}`, o.version(), o.oslo, was, to)
	}
	undo := fmt.Sprintf(`{"departmentId":%d}`, o.oslo)
	hold := func(more string) string {
		return fmt.Sprintf(`{"version":%d,"departmentId":%d,"driverId":%d%s}`, o.version(), o.oslo, was, more)
	}
	release := fmt.Sprintf("%s/holds/%d?departmentId=%d", monday, was, o.oslo)
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodGet, rank, "").Code)
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, monday+"/swaps", swap()).Code)
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, monday+"/undo", undo).Code)
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, monday+"/holds", hold("")).Code)
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodDelete, release, "").Code)
	}

	w := o.as(o.dispatcher, http.MethodGet, rank, "")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	found := decoded[contract.DriverCandidates](t, w)
	require.Equal(t, o.version(), found.Version)
	require.Len(t, found.Candidates, 2)
	require.Equal(t, was, found.Candidates[0].DriverID, "the driver who has it costs nothing")
	require.True(t, found.Candidates[0].IsCurrent)
	require.True(t, found.Candidates[1].Fits)
	missing := o.as(o.dispatcher, http.MethodGet,
		fmt.Sprintf("%s/candidates?departmentId=%d&orderId=%d", monday, o.oslo, 1<<40), "")
	require.Equal(t, http.StatusNotFound, missing.Code)

	moved := o.moved(o.dispatcher, o.moves(o.version(), first, to, ""))
	cost := found.Candidates[1].Cost.MustGet()
	require.Equal(t, cost.DrivingSeconds, moved.Cost.DrivingSeconds, "it costs what was said")
	require.Len(t, moved.Routes, 2)
	require.Empty(t, moved.Refused)

	w = o.as(o.kari(), http.MethodPost, monday+"/undo", undo)
	require.Equal(t, "PLAN_NOTHING_TO_UNDO", apitest.Refusal(t, w), "it was somebody else's")
	w = o.as(o.dispatcher, http.MethodPost, monday+"/undo", undo)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	undone := decoded[contract.UndoneMoves](t, w)
	require.True(t, undone.Applied)
	require.Equal(t, was, undone.Orders[0].DriverID.MustGet())
	require.Equal(t, was, o.driverOf(first))

	stops := fmt.Sprintf(`,"stops":[{"orderId":%[1]d,"type":"pickup"},{"orderId":%[1]d,"type":"delivery"}]`, second)
	w = o.as(o.dispatcher, http.MethodPost, monday+"/holds", hold(stops))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.True(t, decoded[contract.HeldRoute](t, w).Applied)
	route := read[contract.PlanPage](o, monday).Routes[0]
	held := route.Hold.MustGet()
	require.Len(t, held.Stops, 2)
	require.False(t, held.Closed)
	require.NotEmpty(t, held.HeldBy)
	require.Equal(t, second, route.Stops[0].OrderID)
	wrong := o.as(o.dispatcher, http.MethodPost, monday+"/holds",
		hold(fmt.Sprintf(`,"stops":[{"orderId":%[1]d,"type":"delivery"},{"orderId":%[1]d,"type":"pickup"}]`, first)))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code, wrong.Body.String())
	require.Contains(t, wrong.Body.String(), "stops[0].orderId")
	w = o.as(o.dispatcher, http.MethodDelete, release, "")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.True(t, read[contract.PlanPage](o, monday).Routes[0].Hold.IsNull())

	w = o.as(o.dispatcher, http.MethodPost, monday+"/swaps", swap())
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.True(t, decoded[contract.SwappedRoutes](t, w).Applied)
	require.Equal(t, to, o.driverOf(first))
	require.Equal(t, to, o.driverOf(second))
}

// TestDriversAreRankedForSeveralOrders ranks drivers for orders together, at the cost of
// moving them, and rejects bad lists of orders.
func TestDriversAreRankedForSeveralOrders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	rank := func(rest string) string {
		return fmt.Sprintf("%s/candidates/together?departmentId=%d&%s", monday, o.oslo, rest)
	}
	both := rank(fmt.Sprintf("orderIds=%d,%d", first, second))
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodGet, both, "").Code)
	}
	w := o.as(o.dispatcher, http.MethodGet, both, "")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	found := decoded[contract.DriversForOrders](t, w)
	require.Equal(t, o.version(), found.Version)
	require.Len(t, found.Drivers, 2)
	for _, driver := range found.Drivers {
		require.ElementsMatch(t, []int64{first, second}, driver.Takes)
		require.Empty(t, driver.Left)
		require.Zero(t, driver.LateOrders)
		require.NotEmpty(t, driver.DriverName)
	}
	w = o.as(o.dispatcher, http.MethodGet, both+"&limit=1", "")
	require.Equal(t, found.Drivers[:1], decoded[contract.DriversForOrders](t, w).Drivers)

	many := strings.TrimSuffix(strings.Repeat("1,", 60), ",")
	for n := range 51 {
		many += fmt.Sprintf(",%d", n+1)
	}
	require.Equal(t, http.StatusBadRequest, o.as(o.dispatcher, http.MethodGet, rank("orderIds="+many), "").Code)
	for _, limit := range []string{"0", "9"} {
		require.Equal(t, http.StatusBadRequest, o.as(o.dispatcher, http.MethodGet, both+"&limit="+limit, "").Code)
	}
	unknown := o.as(o.dispatcher, http.MethodGet, rank(fmt.Sprintf("orderIds=%d", 1<<40)), "")
	require.Equal(t, http.StatusNotFound, unknown.Code)
}
