package masterdata_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
)

// TestOnlyAdministratorsSeeAndSetHowDriversDiffer reads and writes the factors of a driver as several people.
func TestOnlyAdministratorsSeeAndSetHowDriversDiffer(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.ask(http.MethodPost, "/v1/drivers", `{"name": "Nora", "driving_factor": 1.15, "visit_factor": 1}`)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"driving_factor":1.15`)
	nora := d.ID("select id from drivers where org_id = $1 and name = 'Nora'")
	path := fmt.Sprintf("/v1/drivers/%d", nora)
	factors := func() string {
		return d.Text("select concat_ws(' ', driving_factor, visit_factor) from drivers where org_id = $1 and name = 'Nora'")
	}
	require.Equal(t, "1.15", factors(), "a factor of 1 is none")

	for body, want := range map[string]string{
		`{"driving_factor": 0.45}`:                     "driving_factor DRIVER_BAD_FACTOR",
		`{"driving_factor": 0}`:                        "driving_factor DRIVER_BAD_FACTOR",
		`{"visit_factor": 1.234}`:                      "visit_factor DRIVER_BAD_FACTOR",
		`{"visit_factor": 3.05, "driving_factor": 2}`:  "visit_factor DRIVER_BAD_FACTOR",
		`{"name": "Nora Berg", "driving_factor": 300}`: "driving_factor DRIVER_BAD_FACTOR",
	} {
		w := d.ask(http.MethodPut, path, body)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
		require.Equal(t, want, apitest.Refusal(t, w))
	}
	require.Equal(t, "1.15", factors())

	key := "apikey " + d.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = d.Org })
	dispatcher := []string{"Authorization", d.AsRole(d.Org, caller.Dispatcher)}
	for _, who := range [][]string{dispatcher, {"Authorization", key}} {
		for _, read := range []string{path, "/v1/drivers"} {
			w = d.Send(http.MethodGet, read, "", who...)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			require.Contains(t, w.Body.String(), `"driving_factor":null`)
			require.NotContains(t, w.Body.String(), "1.15")
		}
		w = d.Send(http.MethodPut, path, `{"driving_factor": 1}`, who...)
		require.Equal(t, "driving_factor DRIVER_ONLY_ADMIN", apitest.Refusal(t, w))
		w = d.Send(http.MethodPost, "/v1/drivers", `{"name": "Jens", "visit_factor": 2}`, who...)
		require.Equal(t, "visit_factor DRIVER_ONLY_ADMIN", apitest.Refusal(t, w))
		w = d.Send(http.MethodPut, path, `{"phone_number": "+47 900 12 345"}`, who...)
		require.Equal(t, http.StatusOK, w.Code, "others change the rest: %s", w.Body)
	}
	require.Equal(t, "1.15", factors(), "which leaves the factors as they are")

	w = d.ask(http.MethodPut, path, `{"driving_factor": null, "visit_factor": 0.8}`)
	require.Contains(t, w.Body.String(), `"driving_factor":1,`)
	require.Equal(t, "0.8", factors())
	require.Contains(t, d.log("driver"), `driver.updated ["drivingFactor", "visitFactor"]`)
}
