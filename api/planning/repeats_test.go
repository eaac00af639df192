package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// twice sends a request with a key, and once more as a console that got no answer does. Both answers are the same.
func (o *office) twice(key, path, body string) (answer string) {
	o.t.Helper()
	send := func() (string, bool) {
		w := o.Send(http.MethodPost, monday+path, body, "Authorization", o.dispatcher, "Content-Type", "application/json",
			"Idempotency-Key", key)
		require.Equal(o.t, http.StatusOK, w.Code, w.Body.String())
		return w.Body.String(), w.Header().Get("Idempotent-Replayed") == "true"
	}
	first, isReplayed := send()
	require.False(o.t, isReplayed)
	version := o.version()
	again, isReplayed := send()
	require.True(o.t, isReplayed, path)
	require.Equal(o.t, first, again)
	require.Equal(o.t, version, o.version(), "%s is carried out once", path)
	return first
}

// TestRepeatedRequestsChangeAPlanOnce repeats what people do with routes: a swap that is carried out twice swaps back,
// and a second undo takes back another move.
func TestRepeatedRequestsChangeAPlanOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was := o.driverOf(first)
	to := o.nora + o.ola - was
	require.Equal(t, was, o.driverOf(second))
	in := fmt.Sprintf(`"departmentId":%d`, o.oslo)

	o.twice("move-1", "/moves", o.moves(o.version(), first, to, ""))
	o.twice("move-2", "/moves", o.moves(o.version(), second, to, ""))
	o.twice("undo", "/undo", "{"+in+"}")
	require.Equal(t, []int64{to, was}, []int64{o.driverOf(first), o.driverOf(second)}, "only the last move is undone")

	o.twice("swap", "/swaps", fmt.Sprintf(`{"version":%d,%s,"driverIds":[%d,%d]}`, o.version(), in, was, to))
	require.Equal(t, []int64{was, to}, []int64{o.driverOf(first), o.driverOf(second)})

	o.twice("handover", "/handovers",
		fmt.Sprintf(`{"version":%d,%s,"fromDriverId":%d,"toDriverId":%d}`, o.version(), in, was, to))
	require.Equal(t, []int64{to, to}, []int64{o.driverOf(first), o.driverOf(second)})

	o.twice("spread", "/spreads", fmt.Sprintf(`{"version":%d,%s,"fromDriverId":%d}`, o.version(), in, to))
	require.Equal(t, []int64{was, was}, []int64{o.driverOf(first), o.driverOf(second)})
	o.twice("undo-spread", "/undo", "{"+in+"}")

	o.twice("hold", "/holds", fmt.Sprintf(`{"version":%d,%s,"driverId":%d}`, o.version(), in, to))
	require.False(t, read[contract.PlanPage](o, monday).Routes[0].Hold.IsNull())

	o.twice("release", "/release", "{"+in+"}")
	require.Equal(t, int64(1), o.id("select count(*) from events where org_id = $1 and kind = 'plan.released'"))
}
