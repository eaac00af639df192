package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// TestKeyReadsOnlyPermittedPersonalData makes keys that are kept from personal data.
func TestKeyReadsOnlyPermittedPersonalData(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.as("admin@acme.example")
	made := func(body string) (key, reads string) {
		w := o.Send(http.MethodPost, "/v1/api-keys", body, "Cookie", admin.cookie)
		require.Equal(t, http.StatusCreated, w.Code, w.Body)
		var k struct {
			Key          string   `json:"key"`
			PersonalData []string `json:"personal_data"`
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &k))
		return "apikey " + k.Key, strings.Join(k.PersonalData, " ")
	}
	status := func(key, path string) int {
		w := o.Send(http.MethodGet, path, "", "Authorization", key)
		if w.Code == http.StatusForbidden {
			require.Contains(t, w.Body.String(), "AUTH_KEY_WITHOUT_DATA")
		}
		return w.Code
	}
	whole, reads := made(`{"name": "erp"}`)
	require.Equal(t, "CONTACTS PROOFS POSITIONS", reads)
	none, reads := made(`{"name": "screen", "personal_data": []}`)
	require.Empty(t, reads)
	proofs, _ := made(`{"name": "claims", "personal_data": ["PROOFS", "PROOFS"]}`)
	for path, kind := range map[string]string{
		"/v2/orders/summary/orderstatusfeed": "", "/v1/orders/today": "", "/v1/orders/today?loads=OrderLocations": "",
		"/v1/customers": "CONTACTS", "/v1/drivers": "CONTACTS", "/v1/orders/export": "CONTACTS",
		"/v1/orders/today?loads=OrderLocations.OrderLocationContacts": "CONTACTS",
		"/v1/orders/today?loads=Documentations":                       "PROOFS", "/v2/plans/2026-03-02": "POSITIONS",
	} {
		require.NotEqual(t, http.StatusForbidden, status(whole, path), path)
		require.Equal(t, kind != "", status(none, path) == http.StatusForbidden, path)
		require.Equal(t, kind != "" && kind != "PROOFS", status(proofs, path) == http.StatusForbidden, path)
	}
	w := o.Send(http.MethodPost, "/v1/api-keys", `{"name": "x", "personal_data": ["PROOFS", "SECRETS"]}`,
		"Cookie", admin.cookie)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "personal_data[1] KEY_BAD_PERSONAL_DATA", apitest.Refusal(t, w))

	// A key that replaces another may read the same, unless the request says
	// otherwise.
	list := o.Send(http.MethodGet, "/v1/api-keys", "", "Cookie", admin.cookie).Body.String()
	require.Contains(t, list, `"personal_data":["PROOFS"]`)
	var all struct{ Items []struct{ ID int64 } }
	require.NoError(t, json.Unmarshal([]byte(list), &all))
	rotate := func(body string) string {
		w := o.Send(http.MethodPost, fmt.Sprintf("/v1/api-keys/%d/rotate", all.Items[len(all.Items)-1].ID), body,
			"Cookie", admin.cookie)
		require.Equal(t, http.StatusCreated, w.Code, w.Body)
		return w.Body.String()
	}
	require.Contains(t, rotate(`{}`), `"personal_data":["PROOFS"]`)
	require.Contains(t, rotate(`{"personal_data": ["CONTACTS"]}`), `"personal_data":["CONTACTS"]`)
}
