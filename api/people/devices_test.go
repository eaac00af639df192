package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations/people"
)

// TestPhoneOfDeactivatedDriverIsRefused deactivates a driver and takes them back.
func TestPhoneOfDeactivatedDriverIsRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "dispatcher")
	kari := o.as("kari@acme.example")
	driver := fmt.Sprintf("/v1/drivers/%d",
		kari.ask(http.StatusCreated, http.MethodPost, "/v1/drivers", `{"name": "Nora"}`))
	enrolment := func() string {
		w := o.Send(http.MethodPost, driver+"/enrolments", "", "Cookie", kari.cookie)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var e struct{ Code string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e))
		return fmt.Sprintf(`{"code": %q, "name": "Pixel 11"}`, e.Code)
	}
	w := o.Send(http.MethodPost, "/v1/driver/enrolment", enrolment(), "Content-Type", "application/json")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	device := "__Host-waybill=" + cookieOf(t, w).Value
	open := enrolment()
	kari.ask(http.StatusOK, http.MethodPost, driver+"/deactivate", "")
	kari.ask(http.StatusOK, http.MethodPost, driver+"/reactivate", "")
	o.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", device).Code)
	require.NotContains(t, o.Send(http.MethodGet, driver+"/devices", "", "Cookie", kari.cookie).Body.String(), "Pixel")
	w = o.Send(http.MethodPost, "/v1/driver/enrolment", open, "Content-Type", "application/json")
	require.Equal(t, http.StatusNotFound, w.Code, "an open code ends too")
}

// TestLastingAccessRequiresRecentSignIn connects phones and makes endpoints with a
// sign-in that is old, and with a token.
func TestLastingAccessRequiresRecentSignIn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.as("admin@acme.example")
	driver := fmt.Sprintf("/v1/drivers/%d", admin.ask(http.StatusCreated, http.MethodPost, "/v1/drivers",
		`{"name": "Nora", "phone_number": "+4790000000"}`))
	o.Clock.Forward(11 * time.Minute)
	for _, path := range []string{
		driver + "/enrolments", driver + "/enrolments/send", "/v2/webhook-endpoints", "/v2/webhook-endpoints/1/rotate-secret",
		"/v1/privacy/erasures", "/v1/privacy/exports",
	} {
		admin.refused(http.StatusForbidden, "REAUTHENTICATION_NEEDED", http.MethodPost, path, "{}")
	}
	key, err := o.ops.People.MakeAPIKey(t.Context(), caller.Service(o.org, "test"), people.AskedKey{Name: "erp"})
	require.NoError(t, err)
	w := o.Send(http.MethodPost, "/v2/webhook-endpoints", "{}", "Authorization", "apikey "+key.Key.Reveal())
	require.NotEqual(t, http.StatusForbidden, w.Code, "nobody signs in with a key")
}
