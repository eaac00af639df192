package contract_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// Examples of responses are written as responses are; what responses say is checked whenever a test reads one.
func TestTimestampsOfExamplesHaveMilliseconds(t *testing.T) {
	t.Parallel()
	read := 0
	eachOperation(t, func(_, _ string, op *openapi3.Operation) {
		for status, answer := range op.Responses.Map() {
			media := answer.Value.Content.Get("application/json")
			if media == nil {
				continue
			}
			for name, example := range media.Examples {
				read++
				require.Empty(t, apitest.WrongInstants(media.Schema, example.Value.Value), "%s %s %s", op.OperationID, status, name)
			}
		}
	})
	require.Greater(t, read, 300)
	at := &openapi3.SchemaRef{Value: &openapi3.Schema{Format: "date-time"}}
	require.Len(t, apitest.WrongInstants(at, "2026-03-02T07:30:00Z"), 1)
	require.Len(t, apitest.WrongInstants(at, "2026-03-02T07:30:00.123456Z"), 1)
	require.Len(t, apitest.WrongInstants(at, "2026-03-02T08:30:00.123+01:00"), 1)
}
