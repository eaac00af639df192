package e2e_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/api/apitest"
	"waybill/workflows"
)

// TestOrganizationsTakeTurns has one organization with hundreds of waiting
// exports, and then another one with a single one, which precedes all but a few
// of them.
func TestOrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	dialed := apitest.OwnTemporal(t)
	c := workflows.Naming(dialed, func(_ context.Context, org int64) (string, error) {
		return "org-" + strconv.FormatInt(org, 10), nil
	})

	const busy, quiet, many = 1, 2, 300
	for order := range int64(many) {
		require.NoError(t, workflows.ExportChanged(t.Context(), c, workflows.ExportedOrder{OrgID: busy, OrderID: 1 + order}))
	}
	require.NoError(t, workflows.ExportChanged(t.Context(), c, workflows.ExportedOrder{OrgID: quiet, OrderID: 1}))

	begun := &begunExports{ended: make(chan struct{}), until: many + 1}
	w := worker.New(dialed, string(workflows.ExportsQueue), worker.Options{
		MaxConcurrentWorkflowTaskExecutionSize: 2, MaxConcurrentWorkflowTaskPollers: 2,
	})
	w.RegisterWorkflowWithOptions(begun.export, workflow.RegisterOptions{Name: "ExportOrder"})
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	select {
	case <-begun.ended:
	case <-time.After(time.Minute):
		t.Fatal("the exports have not all begun")
	}
	require.Less(t, begun.place(quiet), many/4, "one that is alone waits for few of the others")
}

// begunExports notes whose exports begin, in that order.
type begunExports struct {
	mu    sync.Mutex
	orgs  []int64
	until int
	ended chan struct{}
}

// export imitates ExportOrder.
func (b *begunExports) export(_ workflow.Context, in workflows.ExportInput) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.orgs = append(b.orgs, in.OrgID)
	if len(b.orgs) == b.until {
		close(b.ended)
	}
	return nil
}

// place is how many began before the first one of an organization.
func (b *begunExports) place(org int64) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, begun := range b.orgs {
		if begun == org {
			return i
		}
	}
	return len(b.orgs)
}
