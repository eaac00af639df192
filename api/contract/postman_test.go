package contract_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// Every operation for keys is in the collection, with the example of its body.
func TestThePostmanCollectionIsWhatTheContractIs(t *testing.T) {
	t.Parallel()
	text, err := contract.Postman()
	require.NoError(t, err)
	var collection struct {
		Item []struct {
			Name string
			Item []struct {
				Name    string
				Request struct {
					Method string
					URL    struct {
						Raw      string
						Variable []struct{ Key string }
					}
					Body struct{ Raw string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &collection))
	bodies := map[string]string{}
	for _, folder := range collection.Item {
		require.NotEmpty(t, folder.Item, folder.Name)
		for _, item := range folder.Item {
			require.NotEmpty(t, item.Name)
			bodies[item.Request.Method+" "+item.Request.URL.Raw] = item.Request.Body.Raw
			require.Equal(t, strings.Count(item.Request.URL.Raw, ":"), len(item.Request.URL.Variable), item.Request.URL.Raw)
		}
	}
	wanted := 0
	eachOperation(t, func(method, path string, op *openapi3.Operation) {
		if !slices.Contains(op.Extensions["x-callers"].([]any), any("key")) {
			return
		}
		wanted++
		name := method + " {{baseUrl}}" + strings.NewReplacer("{", ":", "}", "").Replace(path)
		body, there := bodies[name]
		require.True(t, there, name)
		if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil {
			require.True(t, json.Valid([]byte(body)), "%s: %s", name, body)
		}
	})
	require.Len(t, bodies, wanted)
	require.Contains(t, bodies["POST {{baseUrl}}/v3/orders/import"], "SO-2026-10482")
}
