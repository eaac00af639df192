package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/workflows"
)

// Namespaces keep registered attributes: these stay, with their types.
func TestSearchAttributesKeepTheirTypes(t *testing.T) {
	t.Parallel()
	got := map[string]enums.IndexedValueType{}
	for _, key := range workflows.SearchAttributes() {
		got[key.GetName()] = key.GetValueType()
	}
	integers := []string{"WaybillOrg", "WaybillOrderId", "WaybillTemplateId"}
	for _, name := range append(integers, "WaybillExternalId", "WaybillState", "WaybillChannel", "WaybillReason") {
		require.Contains(t, got, name)
	}
	for name, kind := range got {
		want := enums.INDEXED_VALUE_TYPE_KEYWORD
		for _, integer := range integers {
			if name == integer {
				want = enums.INDEXED_VALUE_TYPE_INT
			}
		}
		require.Equal(t, want, kind, "%s: SQL visibility has room for three integers only", name)
	}
}
