package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestWarningsAreInTheResults of new and of known orders, separate from what
// was not applied, and the order is as it was sent.
func TestWarningsAreInTheResults(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	odd := o.reachable("ODD", "olaug", "")
	odd["delivery"].(object)["address"].(object)["country"] = "no"
	created := o.importOrders(t, orders(odd, newOrder("EVEN")))
	require.Nil(t, created[1].OrderCreated.Warnings)
	require.Nil(t, created[0].OrderCreated.NotApplied)
	want := []contract.ImportWarning{{
		Field: "delivery.contacts[0].emailAddress", Reason: "CONTACT_UNREACHABLE",
		Message: "This does not look like an email address, so messages cannot be delivered to it.",
	}}
	require.Equal(t, want, *created[0].OrderCreated.Warnings)
	require.Equal(t, want, *o.importOrders(t, orders(odd))[0].OrderUpdated.Warnings)
	stops := *read[contract.Order](t, o.get(t, "/v1/orders/internal/ODD?loads=OrderLocations.Address")).OrderLocations
	require.Equal(t, "NO", stops[1].Address.MustGet().Country.MustGet())
}
