package masterdata_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// crews are drivers at a desk: two and a third of one department, and one of another.
type crews struct {
	desk

	nora, ola, ida, per int64
}

func newCrews(t *testing.T) crews {
	t.Helper()
	c := crews{desk: newDesk(t)}
	there := c.ID("insert into departments (org_id, name) values ($1, 'There') returning id")
	c.nora = c.ID("insert into drivers (org_id, name) values ($1, 'Nora') returning id")
	c.ola = c.ID("insert into drivers (org_id, name) values ($1, 'Ola') returning id")
	c.ida = c.ID("insert into drivers (org_id, name) values ($1, 'Ida') returning id")
	c.per = c.ID("insert into drivers (org_id, name, department_id) values ($1, 'Per', $2) returning id", there)
	return c
}

// works sets the only workday of a driver, far ahead, with more members; no members at all is a day off.
func (c crews) works(driver int64, more string, off ...bool) *httptest.ResponseRecorder {
	day := `{"date": "2099-03-02", "starts": "07:00", "ends": "15:00"` + more + `}`
	if len(off) > 0 {
		day = ""
	}
	return c.ask(http.MethodPut, fmt.Sprintf("/v1/drivers/%d/workdays", driver),
		`{"start_date": "2099-03-02", "end_date": "2099-03-02", "workdays": [`+day+`]}`)
}

func (c crews) with(driver int64) string { return fmt.Sprintf(`, "co_driver_id": %d`, driver) }

// shows is the workday of a driver as it is read.
func (c crews) shows(driver int64) string {
	c.T.Helper()
	path := fmt.Sprintf("/v1/drivers/%d/workdays?start_date=2099-03-02&end_date=2099-03-02", driver)
	w := c.ask(http.MethodGet, path, "")
	require.Equal(c.T, http.StatusOK, w.Code, w.Body)
	return w.Body.String()
}

func (c crews) refuses(want string, w *httptest.ResponseRecorder) {
	c.T.Helper()
	require.Equal(c.T, http.StatusUnprocessableEntity, w.Code, w.Body)
	require.Equal(c.T, "workdays[0]."+want, apitest.Refusal(c.T, w))
}

func TestAWorkdayNamesACoDriver(t *testing.T) {
	t.Parallel()
	c := newCrews(t)
	for _, shares := range []bool{true, false} {
		more := c.with(c.ola) + fmt.Sprintf(`, "shares_driving": %t`, shares)
		w := c.works(c.nora, more)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.JSONEq(t, fmt.Sprintf(`{"driver_id": %d, "start_date": "2099-03-02", "end_date": "2099-03-02", "workdays": [{
			"date": "2099-03-02", "starts": "07:00", "ends": "15:00"%s}]}`, c.nora, more), c.shows(c.nora))
		require.Equal(t, http.StatusOK, c.works(c.nora, more).Code)
	}
	scheduled := "select count(*)::text from events where org_id = $1 and kind = 'driver.scheduled'"
	require.Equal(t, "2", c.Text(scheduled), "the same again is no change")
}

func TestCrewsAreRefusedInClearWords(t *testing.T) {
	t.Parallel()
	c := newCrews(t)
	c.refuses("co_driver_id DRIVER_RIDES_WITH_ONESELF", c.works(c.nora, c.with(c.nora)))
	c.refuses("co_driver_id DRIVER_CO_DRIVER_UNKNOWN", c.works(c.nora, c.with(987654)))
	c.refuses("co_driver_id DRIVER_CO_DRIVER_OF_DEPARTMENT", c.works(c.nora, c.with(c.per)))
	c.refuses("shares_driving DRIVER_NOBODY_SHARES", c.works(c.nora, `, "shares_driving": true`))

	require.Equal(t, http.StatusOK, c.works(c.ola, "").Code, "their own workday first")
	require.Equal(t, http.StatusOK, c.works(c.nora, c.with(c.ola)).Code)
	require.Equal(t, http.StatusOK, c.works(c.ola, `, "max_stops": 3`).Code, "and again afterwards")
	c.refuses("co_driver_id DRIVER_CO_DRIVER_TAKEN", c.works(c.ida, c.with(c.ola)))
	c.refuses("co_driver_id DRIVER_CO_DRIVER_HAS_ONE", c.works(c.ida, c.with(c.nora)))
	c.refuses("co_driver_id DRIVER_IS_CO_DRIVER", c.works(c.ola, c.with(c.ida)))

	require.Equal(t, http.StatusOK, c.works(c.nora, "", true).Code, "a driver who is off has no co-driver")
	require.Equal(t, http.StatusOK, c.works(c.ida, c.with(c.ola)).Code)
}

// TestCrewsWithoutSomebody takes a driver off the crews who is deactivated, on either side.
func TestCrewsWithoutSomebody(t *testing.T) {
	t.Parallel()
	c := newCrews(t)
	deactivate := func(driver int64) {
		w := c.ask(http.MethodPost, fmt.Sprintf("/v1/drivers/%d/deactivate", driver), "")
		require.Equal(t, http.StatusOK, w.Code, w.Body)
	}
	require.Equal(t, http.StatusOK, c.works(c.nora, c.with(c.ola)+`, "shares_driving": true`).Code)
	deactivate(c.ola)
	require.NotContains(t, c.shows(c.nora), "driver_id\":"+fmt.Sprint(c.ola))
	require.NotContains(t, c.shows(c.nora), "shares_driving")
	require.Equal(t, "2", c.Text(`select count(*)::text from events
		where org_id = $1 and kind = 'driver.scheduled' and subject_id = $2`, c.nora), "planning is told that she is alone")
	c.refuses("co_driver_id DRIVER_INACTIVE", c.works(c.nora, c.with(c.ola)))

	require.Equal(t, http.StatusOK, c.works(c.nora, c.with(c.ida)).Code)
	deactivate(c.nora)
	require.Equal(t, http.StatusOK, c.works(c.ida, "").Code)
	require.Equal(t, "0", c.Text("select count(co_driver_id)::text from driver_workdays where org_id = $1"))
}
