package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

// TestColleaguesSeeWhatChanged reads what others did to a day since a time, as the office may and
// nobody else.
func TestColleaguesSeeWhatChanged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was := o.driverOf(first)
	to := o.nora + o.ola - was
	now := func() string {
		return o.text(`select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
			from organizations where id = $1`)
	}
	before := now()
	path := monday + "/changes?since="
	for _, who := range []string{o.key, o.person(caller.Driver)} {
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodGet, path+before, "").Code)
	}
	kari := o.kari()
	changes := func(who, since string) []contract.PlanChange {
		w := o.as(who, http.MethodGet, path+since, "")
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		found := decoded[contract.PlanChanges](t, w)
		require.True(t, found.IsWhole)
		return found.Changes
	}
	require.Empty(t, changes(kari, before))

	o.moved(o.dispatcher, o.moves(o.version(), first, to, ""))
	found := changes(kari, before)
	require.Len(t, found, 1)
	moved := found[0]
	require.Equal(t, contract.PlanChangeKindMOVED, moved.Kind)
	require.Equal(t, "user:12", moved.Actor)
	require.Equal(t, first, moved.OrderID.MustGet())
	require.Equal(t, was, moved.FromDriverID.MustGet())
	require.Equal(t, to, moved.DriverID.MustGet())
	require.Equal(t, o.text("select name from drivers where org_id = $1 and id = $2", to), moved.DriverName.MustGet())
	require.False(t, moved.FromTime.IsNull())
	require.False(t, moved.Time.IsNull())
	o.exec(`insert into events (org_id, kind, subject_type, subject_id, order_id, driver_id, data, actor, cause)
		select org_id, kind, subject_type, subject_id, order_id, driver_id, data, 'system', 'test' from events
		where org_id = $1 and kind = 'order.planned' and subject_id = $2 order by id desc limit 1`, first)
	again := changes(kari, before)
	require.Len(t, again, 1)
	require.Equal(t, "user:12", again[0].Actor, "planning moved only its times after that")
	require.Empty(t, changes(o.dispatcher, before), "who did it knows it")
	between := now()
	require.Empty(t, changes(kari, between))

	// What came back in between is no change; a hold, an exception and a cancelled order are.
	o.moved(o.dispatcher, o.moves(o.version(), first, was, ""))
	for _, change := range changes(kari, before) {
		require.NotEqual(t, contract.PlanChangeKindMOVED, change.Kind)
	}
	hold := fmt.Sprintf(`{"version":%d,"departmentId":%d,"driverId":%d}`, o.version(), o.oslo, o.driverOf(second))
	require.Equal(t, http.StatusOK, o.as(o.dispatcher, http.MethodPost, monday+"/holds", hold).Code)
	o.exec(`insert into exceptions (org_id, kind, day, driver_id, order_id, stop, at)
		values ($1, 'LATE_STOP', date '2026-03-02', $2, $3, 'delivery', now())`, was, second)
	o.exec(`insert into events (org_id, kind, subject_type, subject_id, order_id, actor, cause)
		values ($1, 'order.cancelled', 'order', $2, $2, 'key:3', 'test')`, second)
	for _, told := range []string{
		`[{"what": "WEIGHT", "from": "5", "to": "7.5"}, {"what": "DELIVERY_PLACE"},
			{"what": "DATE", "from": "2026-03-02", "to": "2026-03-03"}]`,
		`[{"what": "WEIGHT", "from": "7.5", "to": "9"}, {"what": "DATE", "from": "2026-03-03", "to": "2026-03-02"}]`,
	} {
		o.exec(`insert into events (org_id, kind, subject_type, subject_id, order_id, data, actor, cause)
			values ($1, 'order.updated', 'order', $2, $2, jsonb_build_object('differences', $3::jsonb), 'key:3', 'test')`,
			first, told)
	}
	kinds := map[contract.PlanChangeKind]contract.PlanChange{}
	for _, change := range changes(kari, between) {
		kinds[change.Kind] = change
	}
	said := kinds[contract.PlanChangeKindCHANGED].Differences
	require.Len(t, said, 2, "the day is again as it was")
	require.Equal(t, contract.OrderDifferenceWhat("WEIGHT"), said[0].What)
	require.Equal(t, "5", said[0].From.MustGet())
	require.Equal(t, "9", said[0].To.MustGet())
	require.Equal(t, contract.OrderDifferenceWhat("DELIVERY_PLACE"), said[1].What)
	require.True(t, said[1].From.IsNull())
	require.Empty(t, kinds[contract.PlanChangeKindHELD].Differences)
	require.Equal(t, o.driverOf(second), kinds[contract.PlanChangeKindHELD].DriverID.MustGet())
	require.Equal(t, "LATE_STOP", kinds[contract.PlanChangeKindEXCEPTION].Exception.MustGet())
	require.Equal(t, second, kinds[contract.PlanChangeKindCANCELLED].OrderID.MustGet())

	w := o.as(kari, http.MethodGet, path+"2020-01-01T00:00:00Z", "")
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "since PLAN_SINCE_TOO_OLD", apitest.Refusal(t, w))
	require.Equal(t, http.StatusBadRequest, o.as(kari, http.MethodGet, monday+"/changes", "").Code)
}
