package apitest

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"waybill/testing/stack"
	"waybill/workflows"
)

// OwnTemporal starts a server for one test, because workflow IDs name
// organizations, which every database numbers from 1.
func OwnTemporal(t *testing.T) client.Client {
	t.Helper()
	server, err := stack.NewTemporal(stack.TemporalOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	require.NoError(t, server.Start(t.Context()))
	c, err := client.Dial(client.Options{
		HostPort: server.Address(), Namespace: server.Namespace(),
		Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	attributes := map[string]enums.IndexedValueType{}
	for _, key := range workflows.SearchAttributes() {
		attributes[key.GetName()] = key.GetValueType()
	}
	_, err = c.OperatorService().AddSearchAttributes(t.Context(), &operatorservice.AddSearchAttributesRequest{
		Namespace: server.Namespace(), SearchAttributes: attributes,
	})
	require.NoError(t, err)
	return c
}
