package workflows_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

// newEnvironment runs one workflow on skipped time. A busy machine may hold a
// step up for longer than the second that is allowed by default.
func newEnvironment(suite *testsuite.WorkflowTestSuite) *testsuite.TestWorkflowEnvironment {
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute})
	env.SetTestTimeout(time.Minute)
	return env
}

// newRecorder reaches the server on which histories are recorded, and skips the
// test when none are to be.
func newRecorder(t *testing.T) client.Client {
	t.Helper()
	if *record == "" {
		t.Skip("records only when told: make record RELEASE=v1.2.3")
	}
	c, err := client.Dial(client.Options{HostPort: os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS"), Logger: quiet, Identity: "recorder"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}
