package people_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestASecretStaysWithItsProvider changes where the secret of a provider is sent.
func TestASecretStaysWithItsProvider(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.as("admin@acme.example")
	id := admin.ask(http.StatusCreated, http.MethodPost, "/v1/identity-providers", `{"slug": "idp", "name": "Directory",
		"issuer": "https://idp.example", "client_id": "waybill", "client_secret": "hush"}`)
	path := fmt.Sprintf("/v1/identity-providers/%d", id)
	for _, body := range []string{`{"issuer": "https://other.example"}`, `{"client_id": "other"}`} {
		admin.ask(http.StatusBadRequest, http.MethodPut, path, body)
	}
	admin.ask(http.StatusOK, http.MethodPut, path, `{"issuer": "https://idp.example", "name": "The same"}`)
	admin.ask(http.StatusOK, http.MethodPut, path, `{"issuer": "https://other.example", "client_secret": "other"}`)
	admin.ask(http.StatusOK, http.MethodPut, path, `{"issuer": "https://third.example", "client_secret": ""}`)
	admin.ask(http.StatusOK, http.MethodPut, path, `{"client_id": "third"}`)
}
