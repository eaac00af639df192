package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// Bodies whose schema allows no other fields are read by that rule.
func TestBodiesThatAllowNoOtherFields(t *testing.T) {
	t.Parallel()
	strict := map[string]json.Unmarshaler{
		"CreateWebhookEndpointRequest": &contract.CreateWebhookEndpointRequest{},
		"UpdateWebhookEndpointRequest": &contract.UpdateWebhookEndpointRequest{},
		"RotateWebhookSecretRequest":   &contract.RotateWebhookSecretRequest{},
		"TestWebhookEndpointRequest":   &contract.TestWebhookEndpointRequest{},
		"ReplayWebhooksRequest":        &contract.ReplayWebhooksRequest{},
		"ResendingRequest":             &contract.ResendingRequest{},
	}
	for name, schema := range apitest.Document(t).Components.Schemas {
		closed := schema.Value.AdditionalProperties.Has
		if closed == nil || *closed || !strings.HasSuffix(name, "Request") {
			continue
		}
		require.Contains(t, strict, name)
		var unknown *contract.UnknownFieldError
		require.ErrorAs(t, strict[name].UnmarshalJSON([]byte(`{"nobody": 1}`)), &unknown, name)
		delete(strict, name)
	}
	require.Empty(t, strict, "their schemas say so")
}
