package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"waybill/workflows"
)

// deployment is the default deployment of workers.
const deployment = "waybill"

// awaitWorkers waits until workers of a version poll every task queue.
func awaitWorkers(t *testing.T, c client.Client, version worker.WorkerDeploymentVersion) {
	t.Helper()
	eventually(t, "all task queues are worked on by "+version.BuildID, func() bool {
		is, err := c.WorkerDeploymentClient().GetHandle(deployment).DescribeVersion(t.Context(),
			client.WorkerDeploymentDescribeVersionOptions{BuildID: version.BuildID})
		if err != nil {
			return false
		}
		polled := map[workflows.TaskQueue]int{}
		for _, queue := range is.Info.TaskQueuesInfos {
			polled[workflows.TaskQueue(queue.Name)]++
		}
		for _, queue := range workflows.Queues {
			if polled[queue] < 2 { // for workflows and for activities
				return false
			}
		}
		return true
	})
}

// worked returns the version that the latest step of a template's workflow was
// taken by.
func (o *organization) worked(t *testing.T, c client.Client, template int64) string {
	t.Helper()
	is, err := c.DescribeWorkflowExecution(t.Context(), workflows.RecurringOrderID(o.slug, template), "")
	require.NoError(t, err)
	return is.WorkflowExecutionInfo.GetVersioningInfo().GetDeploymentVersion().GetBuildId()
}

// A rollout as in docs/operations.md: the new workers start next to the old
// ones, the deployment's current version is set, and the old ones stop. Work
// begun by the old ones continues with the new.
func TestAReleaseIsRolledOut(t *testing.T) {
	t.Parallel()
	i := install(t)
	c := i.temporalClient(t)
	roll := func(build string) {
		t.Helper()
		version := worker.WorkerDeploymentVersion{DeploymentName: deployment, BuildID: build}
		require.NoError(t, i.startAs("work-"+build, "work", "WAYBILL_BUILD_ID="+build))
		awaitWorkers(t, c, version)
		// A busy server may time out; the request can be repeated.
		eventually(t, "the version is the current one", func() bool {
			_, err := c.WorkerDeploymentClient().GetHandle(deployment).SetCurrentVersion(t.Context(),
				client.WorkerDeploymentSetCurrentVersionOptions{BuildID: build})
			if err != nil {
				t.Logf("version %s: %v", build, err)
			}
			return err == nil
		})
		require.NoError(t, i.start("serve", "WAYBILL_BUILD_ID="+build))
		require.NoError(t, i.ready(t.Context()))
	}

	roll("one")
	o := i.organization(t)
	o.importOrders(t, orders(newOrder("BEFORE")))
	id := o.createTemplate(t).RecurringOrderID
	o.awaitOccurrences(t, id, 7)
	eventually(t, "the template is looked after by one", func() bool { return o.worked(t, c, id) == "one" })

	require.NoError(t, i.processes["serve"].Stop())
	roll("two")
	require.NoError(t, i.processes["work-one"].Stop())
	o.importOrders(t, orders(newOrder("AFTER")))
	o.change(t, id, object{"daysToGenerateAhead": 8})
	o.awaitOccurrences(t, id, 9)
	eventually(t, "the template is looked after by two", func() bool { return o.worked(t, c, id) == "two" })
}
