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

// TestPlansArePreviewed splits the orders of a driver by hand, has a better plan found and
// accepts it, and asks what a scenario would bring.
func TestPlansArePreviewed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, _ := o.planned()
	was := o.driverOf(first)
	o.moved(o.dispatcher, o.moves(o.version(), first, o.nora+o.ola-was, ""))
	o.exec("delete from order_driver_locks where org_id = $1")
	preview := func(more string) *contract.PlanPreview {
		t.Helper()
		w := o.as(o.dispatcher, http.MethodPost, monday+"/previews",
			fmt.Sprintf(`{"departmentId":%d,"seconds":1%s}`, o.oslo, more))
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		out := decoded[contract.PlanPreview](t, w)
		return &out
	}
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, monday+"/previews", "{}").Code)
		require.Equal(t, http.StatusForbidden, o.as(who, http.MethodPost, monday+"/previews/1/accept", "").Code)
	}
	seen := o.version()
	found := preview(`,"fromScratch":true`)
	require.Equal(t, int32(2), found.Before.Drivers)
	require.Equal(t, int32(1), found.After.Drivers, "one is enough")
	require.Len(t, found.Routes, 2)
	require.Equal(t, seen, o.version(), "nothing was changed")

	off := preview(fmt.Sprintf(`,"scenario":{"off":[%d,%d]}`, o.nora, o.ola))
	require.True(t, off.PreviewID.IsNull())
	require.Equal(t, int32(2), off.After.Unplanned)
	more := preview(fmt.Sprintf(`,"scenario":{"off":[%d],"extra":[{"likeDriverId":%d}],
		"hours":[{"driverId":%d,"starts":"07:00","ends":"07:10"}]}`, o.nora, o.ola, o.ola))
	require.Zero(t, more.After.Unplanned, "the additional driver has them")
	wrong := o.as(o.dispatcher, http.MethodPost, monday+"/previews",
		fmt.Sprintf(`{"departmentId":%d,"scenario":{"off":[1099511627776]}}`, o.oslo))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code, wrong.Body.String())
	wrong = o.as(o.dispatcher, http.MethodPost, monday+"/previews",
		fmt.Sprintf(`{"departmentId":%d,"scenario":{"hours":[{"driverId":%d,"starts":"25","ends":"07:10"}]}}`, o.oslo, o.ola))
	require.Contains(t, wrong.Body.String(), "scenario.hours[0].starts")
	o.mustTryVehicles(preview)
	require.Equal(t, seen, o.version())

	accept := fmt.Sprintf("%s/previews/%d/accept?departmentId=%d", monday, found.PreviewID.MustGet(), o.oslo)
	w := o.as(o.dispatcher, http.MethodPost, accept, "")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	accepted := decoded[contract.AcceptedPreview](t, w)
	require.Equal(t, o.version(), accepted.Version)
	require.Equal(t, int32(-1), accepted.Cost.Drivers)
	require.Equal(t, 1, int(o.id("select count(*) from plan_routes where org_id = $1")))
	require.Equal(t, http.StatusNotFound, o.as(o.dispatcher, http.MethodPost, accept, "").Code, "once")

	// A preview of routes that are others by now is stale.
	o.moved(o.dispatcher, o.moves(o.version(), first, o.nora+o.ola-o.driverOf(first), ""))
	o.exec("delete from order_driver_locks where org_id = $1")
	found = preview(`,"fromScratch":true`)
	o.moved(o.dispatcher, o.moves(o.version(), first, o.nora+o.ola-o.driverOf(first), ""))
	accept = fmt.Sprintf("%s/previews/%d/accept?departmentId=%d", monday, found.PreviewID.MustGet(), o.oslo)
	require.Equal(t, "PLAN_STALE", apitest.Refusal(t, o.as(o.dispatcher, http.MethodPost, accept, "")))
}

// mustTryVehicles tries vehicles of a type that serves no order, and of one that serves what the others do.
func (o *office) mustTryVehicles(preview func(more string) *contract.PlanPreview) {
	o.t.Helper()
	o.exec(`insert into vehicle_types (org_id, id, name) values ($1, 9001, 'Barge'), ($1, 9002, 'Lorry')`)
	o.exec(`insert into vehicle_type_also_serves (org_id, vehicle_type_id, served_type_id)
		select $1, 9002, id from vehicle_types where org_id = $1 and id < 9000`)
	others := func(vehicleType int) string {
		of := func(driver int64) string {
			return fmt.Sprintf(`{"driverId":%d,"vehicleTypeId":%d}`, driver, vehicleType)
		}
		return "[" + of(o.nora) + "," + of(o.ola) + "]"
	}
	barges := preview(`,"scenario":{"vehicles":` + others(9001) + `}`)
	lorries := preview(`,"scenario":{"vehicles":` + others(9002) + `}`)
	require.Equal(o.t, int32(2), barges.After.Unplanned, "barges serve no order")
	require.Zero(o.t, lorries.After.Unplanned, "lorries serve all")
	extra := fmt.Sprintf(`,"extra":[{"likeDriverId":%d,"vehicleTypeId":9002}]}`, o.ola)
	with := preview(`,"scenario":{"vehicles":` + others(9001) + extra)
	require.Zero(o.t, with.After.Unplanned, "the additional driver has a lorry")
	require.Equal(o.t, int32(1), with.After.Drivers)
	wrong := o.as(o.dispatcher, http.MethodPost, monday+"/previews",
		fmt.Sprintf(`{"departmentId":%d,"scenario":{"vehicles":%s}}`, o.oslo, others(1_099_511_627_776)))
	require.Equal(o.t, http.StatusUnprocessableEntity, wrong.Code, wrong.Body.String())
	require.Contains(o.t, wrong.Body.String(), "There is no vehicle type 1099511627776.")
}
