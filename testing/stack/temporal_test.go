package stack_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/testing/stack"
)

// greet sleeps for a moment, so that it needs the server's timers.
func greet(ctx workflow.Context, name string) (string, error) {
	return "hello " + name, workflow.Sleep(ctx, 50*time.Millisecond)
}

// dial returns a client whose worker has greet.
func dial(t *testing.T, address string) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{
		HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	w := worker.New(c, "greetings", worker.Options{})
	w.RegisterWorkflow(greet)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return c
}

// requireGreeting runs a workflow and looks at its answer.
func requireGreeting(t *testing.T, c client.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{TaskQueue: "greetings"}, greet, "world")
	require.NoError(t, err)
	var answer string
	require.NoError(t, run.Get(ctx, &answer))
	require.Equal(t, "hello world", answer)
}

func TestTemporalRunsWorkflowsAndComesBackAfterACrash(t *testing.T) {
	t.Parallel()
	temporal, err := stack.NewTemporal(stack.TemporalOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, temporal.Close()) })
	require.NoError(t, temporal.Start(t.Context()))
	c := dial(t, temporal.Address())
	requireGreeting(t, c)
	run, err := c.ExecuteWorkflow(
		t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "greetings"}, greet, "you",
	)
	require.NoError(t, err)

	temporal.Kill()
	require.NoError(t, temporal.Start(t.Context()))

	var answer string
	require.NoError(t, c.GetWorkflow(t.Context(), "kept", run.GetRunID()).Get(t.Context(), &answer))
	require.Equal(t, "hello you", answer)
}
