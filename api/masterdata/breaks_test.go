package masterdata_test

import (
	"fmt"
	"net/http"
	"strings"
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

// TestAWorkdayHasABreakAtALocation names where the driver has a break, and refuses a location that is unknown or
// has no position.
func TestAWorkdayHasABreakAtALocation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	nora := d.ID("insert into drivers (org_id, name) values ($1, 'Nora') returning id")
	at := func(name, latitude string) int64 {
		return d.ID(`
			insert into locations (org_id, name, address1, postal_code, city, country, match_key, latitude, longitude)
			values ($1, $2::text, 'Storgata 1', '0155', 'Oslo', 'NO', sha256($2::text::bytea),
				nullif($3, '')::float8, nullif($3, '')::float8 - 49)
			returning id`, name, latitude)
	}
	canteen, nowhere := at("Canteen", "59.9"), at("Nowhere", "")
	path := fmt.Sprintf("/v1/drivers/%d/workdays", nora)
	day := func(first, second int64) string {
		return fmt.Sprintf(`{"start_date": "2026-03-02", "end_date": "2026-03-02", "workdays": [
			{"date": "2026-03-02", "starts": "07:00", "ends": "19:00",
			"break": {"minutes": 15, "earliest": "09:00", "latest": "10:00"},
			"more_breaks": [{"minutes": 30, "earliest": "12:00", "latest": "13:30", "location_id": %d},
				{"minutes": 30, "earliest": "14:00", "latest": "15:30", "location_id": %d}]}]}`, first, second)
	}
	w := d.ask(http.MethodPut, path, day(canteen, canteen))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	read := d.ask(http.MethodGet, path+"?start_date=2026-03-02&end_date=2026-03-02", "")
	require.JSONEq(t, w.Body.String(), read.Body.String())
	require.Contains(t, read.Body.String(), fmt.Sprintf(`"location_id":%d`, canteen))
	require.Equal(t, fmt.Sprintf("{0,%d,%d}", canteen, canteen),
		d.Text("select break_location_ids::text from driver_workdays where org_id = $1"))

	w = d.ask(http.MethodPut, path, day(canteen, 999_999))
	require.Equal(t, "workdays[0].more_breaks[1].location_id DRIVER_UNKNOWN_LOCATION", apitest.Refusal(t, w))
	w = d.ask(http.MethodPut, path, day(nowhere, canteen))
	require.Equal(t, "workdays[0].more_breaks[0].location_id DRIVER_UNKNOWN_PLACE", apitest.Refusal(t, w))
	d.Text("update locations set deleted_at = now() where org_id = $1 and id = $2 returning id::text", canteen)
	w = d.ask(http.MethodPut, path, strings.Replace(day(canteen, canteen), "09:00", "08:45", 1))
	require.Equal(t, "workdays[0].more_breaks[0].location_id DRIVER_UNKNOWN_LOCATION, "+
		"workdays[0].more_breaks[1].location_id DRIVER_UNKNOWN_LOCATION", apitest.Refusal(t, w), "it is deleted")
}
