package masterdata_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestALocationIsCurbsideIfItSaysSo creates locations, and changes them.
func TestALocationIsCurbsideIfItSaysSo(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	send := func(status int, method, path, body string) (id int64, curbside bool) {
		w := d.ask(method, path, body)
		require.Equal(t, status, w.Code, w.Body)
		var read struct {
			ID       int64 `json:"location_id"`
			Curbside *bool `json:"curbside"`
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &read))
		require.NotNil(t, read.Curbside, w.Body)
		return read.ID, *read.Curbside
	}
	create := func(more string) (path string, curbside bool) {
		id, curbside := send(http.StatusCreated, http.MethodPost, "/v1/locations",
			fmt.Sprintf(`{"name": "Ramp %d", "address": {"latitude": 59.9, "longitude": 10.7}%s}`, len(more), more))
		return fmt.Sprintf("/v1/locations/%d", id), curbside
	}
	_, curbside := create("")
	require.False(t, curbside)
	path, curbside := create(`, "curbside": true`)
	require.True(t, curbside)
	for _, step := range []struct {
		change string
		want   bool
	}{
		{`{"name": "Door"}`, true},
		{`{"curbside": false}`, false},
		{`{"name": "Gate"}`, false},
		{`{"curbside": true}`, true},
	} {
		_, curbside := send(http.StatusOK, http.MethodPut, path, step.change)
		require.Equal(t, step.want, curbside, step.change)
		_, curbside = send(http.StatusOK, http.MethodGet, path, "")
		require.Equal(t, step.want, curbside, step.change)
	}
	events := "select count(*)::text from events where org_id = $1 and kind = 'location.updated'"
	require.Equal(t, "4", d.Text(events))
	send(http.StatusOK, http.MethodPut, path, `{"curbside": true}`)
	require.Equal(t, "4", d.Text(events), "the same again is no change")
}
