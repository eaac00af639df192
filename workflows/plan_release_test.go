package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/operations/operationstest"
	"waybill/workflows"
)

// TestAPlanIsReleasedWhileNothingElseHappens runs the workflow of a plan on a database: it sleeps until the time at
// which the department releases its plans, which changes meanwhile.
func TestAPlanIsReleasedWhileNothingElseHappens(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	oslo := operationstest.One[int64](d.Office,
		"insert into departments (org_id, name, release_minute) values ($1, 'Oslo', 17 * 60) returning id", d.Org)
	d.Do("update customers set department_id = $2 where org_id = $1", d.Org, oslo)
	d.Do("update drivers set department_id = $2 where org_id = $1", d.Org, oslo)
	d.Load("A-0", "D-1")
	countReleased := func() int {
		return operationstest.One[int](d.Office, "select count(*) from events where org_id = $1 and kind = 'plan.released'", d.Org)
	}

	var suite testsuite.WorkflowTestSuite
	env := newEnvironment(&suite)
	began := operationstest.PlannedOn.Add(-14 * time.Hour) // 11:00 in Oslo, the day before
	env.SetStartTime(began)
	env.SetWorkflowRunTimeout(365 * day)
	workflows.Register(env)
	own := activities.NewPlanning(d.Planning)
	var released []time.Time
	acts := &activities.Planning{}
	env.OnActivity(acts.ImproveDay, mock.Anything, mock.Anything).Return(
		func(ctx context.Context, in activities.PlanInput) (activities.PlanOutcome, error) {
			d.Now = env.Now()
			before := countReleased()
			out, err := own.ImproveDay(ctx, in)
			if countReleased() > before {
				released = append(released, d.Now)
			}
			return out, err
		})
	env.RegisterDelayedCallback(func() { // an hour before the time
		d.Do("update departments set release_minute = 18 * 60 where org_id = $1", d.Org)
		env.SignalWorkflow(workflows.PlanChangedSignal, nil)
	}, 5*time.Hour)
	env.ExecuteWorkflow(workflows.PlanDay, workflows.PlanInput{OrgID: d.Org, DepartmentID: oslo, Date: "2026-03-02"})
	require.NoError(t, env.GetWorkflowError())
	require.Len(t, released, 1)
	due := began.Add(7 * time.Hour)
	require.WithinRange(t, released[0], due, due.Add(time.Minute))
	require.Equal(t, 2, operationstest.One[int](d.Office, "select count(*) from plan_released_stops where org_id = $1", d.Org))
}
