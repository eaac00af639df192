package stack_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/testing/stack"
)

func TestTemporalServerRunsWorkflowsOnPostgres(t *testing.T) {
	t.Parallel()
	pg := startPostgres(t, stack.PostgresOptions{})
	server, err := stack.NewTemporalServer(pg)
	if errors.Is(err, stack.ErrNoTemporalServer) {
		t.Skip("only benchmarks need the full server: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	require.NoError(t, server.Start(t.Context()))
	c := dial(t, server.Address())
	requireGreeting(t, c)

	require.NoError(t, server.Restart(t.Context()))
	requireGreeting(t, c)
}
