package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store"
)

// TestAnAdministratorErasesAPerson finds a person, reads their data, and leaves
// an order out.
func TestAnAdministratorErasesAPerson(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	user := o.add(o.org, "admin@acme.example", "admin")
	o.add(o.org, "clerk@acme.example", "dispatcher")
	for _, number := range []string{"SO-1", "SO-2"} {
		o.orderFor(number, order.Contact{FirstName: "Kari", LastName: "Nordmann", EmailAddress: "kari@example.com"})
	}
	admin := o.as("admin@acme.example")
	send := func(method, path, body string) *httptest.ResponseRecorder {
		return admin.Send(method, path, body, "Cookie", admin.cookie)
	}
	read := func(body []byte, into any) { require.NoError(t, json.Unmarshal(body, into)) }
	kari := `{"email": "Kari@Example.com"}`
	var preview contract.ErasurePreview
	read(send(http.MethodPost, "/v1/privacy/previews", kari).Body.Bytes(), &preview)
	require.EqualValues(t, 2, preview.Orders)
	require.Equal(t, "Kari Nordmann", preview.Contacts[0].Name)

	var export contract.PersonExport
	read(send(http.MethodPost, "/v1/privacy/exports", kari).Body.Bytes(), &export)
	require.Equal(t, "stop_contacts", export.Places[0].Table)
	require.Equal(t, "kari@example.com", export.Places[0].Rows[0]["email_address"])

	w := send(http.MethodPost, "/v1/privacy/erasures",
		fmt.Sprintf(`{"email": "kari@example.com", "objects": true, "exceptOrders": [%d]}`, preview.Contacts[0].OrderID))
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	var receipt contract.Erasure
	read(w.Body.Bytes(), &receipt)
	require.Equal(t, fmt.Sprintf("/v1/privacy/erasures/%d", receipt.ID), w.Header().Get("Location"))
	require.Equal(t, fmt.Sprintf("user:%d", user), receipt.Actor)
	require.EqualValues(t, 1, receipt.Orders)
	require.True(t, receipt.IsFound && receipt.Objects)
	require.NotEmpty(t, receipt.Remains)
	require.NotContains(t, w.Body.String(), "kari@")
	read(send(http.MethodPost, "/v1/privacy/previews", kari).Body.Bytes(), &preview)
	require.EqualValues(t, 1, preview.Orders, "the order that was left out")

	var page contract.ErasurePage
	read(send(http.MethodGet, "/v1/privacy/erasures", "").Body.Bytes(), &page)
	require.Equal(t, []contract.Erasure{receipt}, page.Items)
	read(send(http.MethodGet, "/v1/privacy/erasures?before=1", "").Body.Bytes(), &page)
	require.Empty(t, page.Items)
	admin.ask(http.StatusNotFound, http.MethodGet, "/v1/privacy/erasures/99", "")
	admin.ask(http.StatusBadRequest, http.MethodPost, "/v1/privacy/erasures", `{"email": "nobody"}`)
	admin.ask(http.StatusBadRequest, http.MethodPost, "/v1/privacy/erasures", `{}`)
	o.as("clerk@acme.example").ask(http.StatusForbidden, http.MethodPost, "/v1/privacy/previews", kari)
}

// orderFor imports an order with a contact.
func (o *office) orderFor(number string, contact order.Contact) {
	o.T.Helper()
	weight := 150.0
	entries := []order.Request{{
		ExternalID: number, Date: "2026-03-02", Customer: &order.Ref{ExternalID: "C-100"},
		VehicleType: &order.Ref{Name: "Van"}, OrderType: &order.Ref{Name: "Standard"},
		Pickup: &order.LocationRequest{ExternalID: "L-1"},
		Delivery: &order.LocationRequest{
			Name: "Kari Nordmann", Contacts: []order.Contact{contact},
			Address: &order.Address{Address1: "Lia 17", PostalCode: "0150", City: "Oslo", Country: "NO"},
		},
		Products: []order.ProductRequest{{Name: "Sofa", ExternalID: "P", Weight: &weight}},
	}}
	by := caller.Caller{OrgID: o.org, Kind: caller.Key, ID: 1, Cause: "test"}
	require.NoError(o.T, o.store.InTx(o.T.Context(), by, func(t *store.Tx) error {
		s, err := t.Snapshot(o.T.Context(), store.Scope{Entries: entries, Lock: true})
		if err != nil {
			return err
		}
		return t.Save(o.T.Context(), order.Decide(s, order.Defaults{}, entries), order.Defaults{})
	}))
}
