package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"

	"waybill/activities"
	"waybill/domain/planning"
	"waybill/workflows"
)

// planScript is the story of one plan.
type planScript struct {
	looks script[activities.PlanOutcome]
	// busy is how many computations of counterfactuals find others first.
	busy *attempts
	// long makes improvements last until there is a signal.
	long bool
	// dead are attempts at improvements whose worker dies, or nil.
	dead *attempts
}

func (s *planScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"ImproveDay": func(ctx context.Context, in activities.PlanInput) (activities.PlanOutcome, error) {
			if attempts.fails() {
				return activities.PlanOutcome{}, errDatabaseAway
			}
			if s.dead != nil && in.Millis > 0 {
				s.dead.fails()
			}
			for s.long && in.Millis > 0 && ctx.Err() == nil {
				activity.RecordHeartbeat(ctx)
				time.Sleep(activities.SearchHeartbeat)
			}
			return s.looks.next(), nil
		},
		"ExplainDay": func(context.Context, activities.PlanInput) (activities.ExplainOutcome, error) {
			if s.busy != nil && s.busy.fails() {
				return activities.ExplainOutcome{Left: 2}, nil
			}
			return activities.ExplainOutcome{Explained: 2}, nil
		},
	}
}

// planOutcome is a plan that won a share of its way, and is looked at again then.
func planOutcome(gain float64, wake time.Time) activities.PlanOutcome {
	return activities.PlanOutcome{
		State: planning.DayPlanned, Planned: 12, Drivers: 3, Unplanned: 2, Gain: gain, Wake: &wake, Travel: "crow",
		Why: map[planning.Reason]int{planning.FleetFull: 1, planning.NoCoordinates: 1},
	}
}

// recordPlans records plans of days: a complete one with changes, and others in
// which a worker dies, an import is waited for, the day is far away, a signal
// ends a search, also that of a dead worker, and a user cancels.
func recordPlans(t *testing.T, r *recorder) {
	over := activities.PlanOutcome{State: planning.DayOver}
	soon, late := time.Now().Add(20*time.Second), time.Now().Add(24*time.Hour)
	behind := activities.PlanOutcome{State: planning.DayBehindImport}
	type looks = []activities.PlanOutcome
	for _, tc := range []struct {
		name             string
		looks            looks
		failing, hanging int32
		long, dead       bool
		changes          int
		end              end
	}{
		{name: "whole", looks: looks{planOutcome(1, soon), planOutcome(0.2, soon), planOutcome(0, soon), over}},
		{name: "patient", looks: looks{behind, behind, planOutcome(0, soon), planOutcome(0, soon), over}, failing: 4},
		{name: "empty", looks: looks{{State: planning.DayEmpty}}},
		{name: "far_away", looks: looks{{State: planning.DayNotYet, Wake: &late}}, changes: 2, end: open},
		{name: "news", looks: looks{planOutcome(1, late)}, long: true, changes: 2, end: open},
		{name: "asleep", looks: looks{planOutcome(0, late)}, changes: 1, end: open},
		{name: "worker_died", looks: looks{planOutcome(0, late), planOutcome(0, late), over}, hanging: 1, changes: 1},
		{name: "news_worker_died", looks: looks{planOutcome(1, late), planOutcome(0, late)}, dead: true, changes: 1, end: open},
		{name: "cancelled", looks: looks{planOutcome(0, late)}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &planScript{long: tc.long, busy: newAttempts(t, 1, 0)}
			if tc.dead {
				s.dead = newAttempts(t, 0, 1)
			}
			s.looks.goOn(tc.looks...)
			queue := "plan_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.PlanDay, workflows.PlanInput{OrgID: 1, DepartmentID: 7, Date: "2026-03-02"})
			for range tc.changes {
				r.planned(t, run, tc.long || tc.dead)
				require.NoError(t, r.SignalWorkflow(t.Context(), run.GetID(), "", workflows.PlanChangedSignal, nil))
			}
			r.keepAt(t, run, tc.end, func(t *testing.T, run client.WorkflowRun) { r.planned(t, run, tc.long) })
		})
	}
}

// planned waits until a plan was looked at, and then rests, or is being searched.
func (r *recorder) planned(t *testing.T, run client.WorkflowRun, searched bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		answer, err := r.QueryWorkflow(t.Context(), run.GetID(), run.GetRunID(), workflows.StatusQuery)
		require.NoError(t, err)
		var status workflows.PlanStatus
		require.NoError(t, answer.Get(&status))
		return status.State != ""
	}, time.Minute, 50*time.Millisecond)
	if searched {
		r.begins(t, run)
	} else {
		r.rests(t, run)
	}
}

// recordPlansThatGoOn records a plan that continues as new, and its next run,
// on a server that suggests it early.
func recordPlansThatGoOn(t *testing.T, r *recorder) {
	s := &planScript{}
	s.looks.goOn(planOutcome(0, time.Now().Add(24*time.Hour)))
	const queue = "plan_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.PlanDay, workflows.PlanInput{OrgID: 1, DepartmentID: 7, Date: "2026-03-02"})
	second := r.signalUntilItGoesOn(t, first, workflows.PlanChangedSignal)
	r.rests(t, second)
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second_open")
}
