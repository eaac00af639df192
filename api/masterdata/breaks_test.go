package masterdata_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// TestAWorkdayHasSeveralBreaks sets three breaks of a day, and reads them again.
func TestAWorkdayHasSeveralBreaks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	nora := d.ID("insert into drivers (org_id, name) values ($1, 'Nora') returning id")
	path := fmt.Sprintf("/v1/drivers/%d/workdays", nora)
	day := func(breaks string) string {
		return `{"start_date": "2026-03-02", "end_date": "2026-03-02", "workdays": [
			{"date": "2026-03-02", "starts": "07:00", "ends": "19:00",
			"break": {"minutes": 15, "earliest": "09:00", "latest": "10:00"}` + breaks + `}]}`
	}
	more := `, "more_breaks": [{"minutes": 30, "earliest": "12:00", "latest": "13:30"},
		{"minutes": 15, "earliest": "15:00", "latest": "16:00"}]`
	w := d.ask(http.MethodPut, path, day(more))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	read := d.ask(http.MethodGet, path+"?start_date=2026-03-02&end_date=2026-03-02", "")
	require.JSONEq(t, fmt.Sprintf(`{"driver_id": %d, "start_date": "2026-03-02", "end_date": "2026-03-02", "workdays": [{
		"date": "2026-03-02", "starts": "07:00", "ends": "19:00",
		"break": {"minutes": 15, "earliest": "09:00", "latest": "10:00"}%s}]}`, nora, more), read.Body.String())
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, path, day(more)).Code)
	require.Equal(t, "1", d.Text("select count(*)::text from events where org_id = $1 and kind = 'driver.scheduled'"),
		"the same again is no change")
	for second, want := range map[string]string{
		`{"minutes": 30, "earliest": "09:59", "latest": "13:30"}`: "earliest DRIVER_BREAKS_OVERLAP",
		`{"minutes": 30, "earliest": "noon", "latest": "13:30"}`:  "earliest DRIVER_BAD_CLOCK",
		`{"minutes": 0, "earliest": "12:00", "latest": "13:30"}`:  "minutes DRIVER_BAD_BREAK",
	} {
		w := d.ask(http.MethodPut, path, day(`, "more_breaks": [`+second+`]`))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, w.Code, w.Body)
		require.Equal(t, "workdays[0].more_breaks[0]."+want, apitest.Refusal(t, w))
	}
}
