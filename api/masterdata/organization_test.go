package masterdata_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// TestTheOrganizationChangesItsNameZoneAndLanguage changes all three, one, and
// nothing, and each to something wrong.
func TestTheOrganizationChangesItsNameZoneAndLanguage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const path = "/v1/organization"
	stands := func() string {
		return d.Text("select concat_ws(' ', name, timezone, language) from organizations where id = $1")
	}
	before := stands()
	for body, want := range map[string]string{
		`{"name": "  "}`: "name MASTER_DATA_MISSING",
		`{"name": "` + strings.Repeat("a", 256) + `"}`:            "name FIELD_TOO_LONG",
		`{"name": "Two\nlines"}`:                                  "name REQUEST_NOT_TEXT",
		`{"timezone": "Oslo"}`:                                    "timezone ORGANIZATION_NO_ZONE",
		`{"timezone": ""}`:                                        "timezone ORGANIZATION_NO_ZONE",
		`{"timezone": "Local"}`:                                   "timezone ORGANIZATION_NO_ZONE",
		`{"timezone": "../Europe/Oslo"}`:                          "timezone ORGANIZATION_NO_ZONE",
		`{"language": "sv"}`:                                      "language REQUEST_NOT_ONE_OF",
		`{"name": "", "timezone": "Mars/Base", "language": "en"}`: "name MASTER_DATA_MISSING, timezone ORGANIZATION_NO_ZONE",
	} {
		w := d.ask(http.MethodPut, path, body)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
		require.Equal(t, want, apitest.Refusal(t, w), body)
	}
	require.Equal(t, before, stands())
	require.Empty(t, d.log("organization"), "what is wrong changes nothing")

	tag := d.ask(http.MethodGet, path, "").Header().Get("ETag")
	all := `{"name": " Fjell AS ", "timezone": "Europe/London", "language": "da"}`
	w := d.ask(http.MethodPut, path, all, "If-Match", tag)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, "Fjell AS Europe/London da", stands())
	late := d.ask(http.MethodPut, path, `{"name": "Vidde AS"}`, "If-Match", tag)
	require.Equal(t, http.StatusPreconditionFailed, late.Code)
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, path, `{"timezone": "Europe/London", "language": "da"}`).Code)
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, path, `{"name": "Vidde AS"}`).Code)
	require.Equal(t, "Vidde AS Europe/London da", stands())
	require.Equal(t, `organization.updated ["name", "timezone", "language"], organization.timezone_changed, `+
		`organization.updated ["name"]`, d.log("organization"), "only another zone moves the days")
	require.Equal(t, `{"to": "Europe/London", "from": "Europe/Oslo"}`, d.Text(
		"select data::text from events where org_id = $1 and kind = 'organization.timezone_changed'"))
}

// TestTheDatabaseKnowsTheZone refuses a zone that only the program knows: no
// day of the organization could be computed.
func TestTheDatabaseKnowsTheZone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.Owner.Exec(t.Context(), `create or replace function knows_time_zone(zone text) returns boolean
		language sql stable as $$ select zone <> 'Europe/Paris' $$`)
	require.NoError(t, err)
	w := d.ask(http.MethodPut, "/v1/organization", `{"timezone": "Europe/Paris"}`)
	require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
	require.Equal(t, "timezone ORGANIZATION_NO_ZONE", apitest.Refusal(t, w))
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, "/v1/organization", `{"timezone": "Europe/Rome"}`).Code)
}
