package orders_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/store/storetest"
)

// TestADraftKeepsEveryNumber imports and completes drafts with numbers at the
// edge of what Postgres takes, and beyond it.
func TestADraftKeepsEveryNumber(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	for _, number := range []string{
		"1e400", "1e-400", "1e-16383", "1e-16384", "1e-999999", "0e-16384", "0e99999999999", "5e-324", "0e400",
		"0." + strings.Repeat("0", 16_382) + "1", "0." + strings.Repeat("0", 16_383) + "1",
	} {
		entry := operationstest.HeavyOrder("A-1")
		entry.CustomFields = []order.CustomFieldValue{{ExternalID: "unknown", Value: []byte(`{"a":` + number + `}`)}}
		plan := o.Imported(org, entry)
		require.Equal(t, order.DraftCreated, plan.Results[0].Kind)
		kept, err := o.Orders.CompleteDraft(t.Context(), operationstest.Clerk(org), plan.Results[0].Draft.ID, entry)
		require.NoError(t, err, "%.40s", number)
		require.Equal(t, order.DraftIncomplete, kept.State)
	}
}
