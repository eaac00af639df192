package order_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// TestOrderValuesKeepTheirStoredForm reads and writes values as the
// numbers of orders keep them.
func TestOrderValuesKeepTheirStoredForm(t *testing.T) {
	t.Parallel()
	values := map[int64]order.FieldValue{
		1: {JSON: `"pickup:x"`}, 2: {JSON: `{"a":1}`, Stop: order.Delivery}, 3: {JSON: "null", Stop: order.Pickup},
	}
	kept, err := json.Marshal(values)
	require.NoError(t, err)
	require.JSONEq(t, `{"1": "\"pickup:x\"", "2": "delivery:{\"a\":1}", "3": "pickup:null"}`, string(kept))
	var again map[int64]order.FieldValue
	require.NoError(t, json.Unmarshal(kept, &again))
	require.Equal(t, values, again)
}
