package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// works sets a driver's hours on a day, from seven to three.
func (o *office) works(driver int64, day string) {
	o.t.Helper()
	o.exec(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends, vehicle_id)
		values ($1, $2, $3::date, true, 420, 900, $4)`, driver, day, o.van)
}

func (o *office) workers(path string) (day contract.DriversOfDay) {
	o.t.Helper()
	w := o.as(o.dispatcher, http.MethodGet, path, "")
	require.Equal(o.t, http.StatusOK, w.Code, w.Body.String())
	return decoded[contract.DriversOfDay](o.t, w)
}

func TestPlanShowsDriversOnDuty(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.works(o.nora, "2026-03-02")
	o.works(o.ola, "2026-03-03")
	o.exec("update drivers set department_id = null where org_id = $1 and id = $2", o.ola)

	day := o.workers(monday + "/drivers")
	require.Len(t, day.Items, 1)
	nora := day.Items[0]
	require.Equal(t, "Nora Berg EB10001 Van 06:00 14:00", fmt.Sprint(
		nora.DriverName, " ", nora.Registration.MustGet(), " ", nora.VehicleTypeName.MustGet(), " ",
		nora.StartsAt.Format("15:04"), " ", nora.EndsAt.Format("15:04")))
	require.Equal(t, o.oslo, nora.DepartmentID.MustGet())
	require.False(t, day.HasMore)

	tuesday := o.workers("/v2/plans/2026-03-03/drivers")
	require.Len(t, tuesday.Items, 1)
	require.Equal(t, o.ola, tuesday.Items[0].DriverID)
	require.True(t, tuesday.Items[0].DepartmentID.IsNull())
}

// Rules apply on days without an entry, and inactive drivers never work.
func TestRulesSayWhoWorks(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, driver := range []int64{o.nora, o.ola} {
		o.exec(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
			values ($1, $2, 1, 'FREQ=WEEKLY;BYDAY=MO', 420, 900)`, driver)
	}
	o.exec(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends)
		values ($1, $2, date '2026-03-09', false, 0, 0)`, o.ola)
	require.Len(t, o.workers(monday+"/drivers").Items, 2)
	require.Empty(t, o.workers("/v2/plans/2026-03-03/drivers").Items)
	require.Len(t, o.workers("/v2/plans/2026-03-09/drivers").Items, 1, "one of them has that Monday off")
	o.exec("update drivers set is_active = false where org_id = $1 and id = $2", o.nora)
	require.Len(t, o.workers(monday+"/drivers").Items, 1)
}

func TestDriversOfADayArePaged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.works(o.nora, "2026-03-02")
	o.works(o.ola, "2026-03-02")
	first := o.workers(monday + "/drivers?pageSize=1")
	require.True(t, first.HasMore)
	second := o.workers(monday + "/drivers?pageSize=1&token=" + first.NextToken)
	require.False(t, second.HasMore)
	require.Equal(t, []int64{o.nora, o.ola}, []int64{first.Items[0].DriverID, second.Items[0].DriverID})
	for _, wrong := range []string{"x", "r.1.2", "d.", "u.1"} {
		require.Equal(t, http.StatusBadRequest, o.as(o.dispatcher, http.MethodGet, monday+"/drivers?token="+wrong, "").Code)
	}
}

func TestDutyAndMapRequireAPerson(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, path := range []string{monday + "/drivers", "/v1/map"} {
		require.Equal(t, http.StatusForbidden, o.get(path).Code, path)
		require.Equal(t, http.StatusOK, o.as(o.support, http.MethodGet, path, "").Code, path)
	}
}

func TestMapsAreSchematicByDefault(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	w := o.as(o.dispatcher, http.MethodGet, "/v1/map", "")
	require.JSONEq(t, `{"kind": "SCHEMATIC", "url": null, "attribution": null, "regions": null}`, w.Body.String())
}
