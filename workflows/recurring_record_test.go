package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"waybill/activities"
	"waybill/workflows"
)

// templateScript is the story of one template.
type templateScript struct {
	steps script[activities.Generated]
}

func (s *templateScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"SaveTemplate": func(context.Context, activities.SaveInput) (activities.SaveOutcome, error) {
			return activities.SaveOutcome{Version: 1}, nil
		},
		"PauseTemplate":  func(context.Context, activities.PauseInput) error { return nil },
		"GenerateOrders": playing[activities.GenerateInput](&s.steps, attempts),
	}
}

// activeUntil is a template whose next occurrence comes into reach at a moment.
func activeUntil(at time.Time) activities.Generated {
	return activities.Generated{State: activities.TemplateActive, Orders: 3, Next: "2030-01-01", WakeAt: at}
}

// templateCase describes what happens to one template.
type templateCase struct {
	name             string
	failing, hanging int32
	steps            []activities.Generated
	drive            []string // signals, and updates
	end              func(*testing.T, client.WorkflowRun)
}

func templateCases(r *recorder) []templateCase {
	active := activeUntil(time.Now().Add(time.Hour))
	paused := activities.Generated{State: activities.TemplatePaused}
	inactive := activities.Generated{State: activities.TemplateInactive}
	type steps = []activities.Generated
	saved := []string{workflows.SaveUpdate}
	return []templateCase{
		{name: "refused", steps: steps{{State: activities.TemplateGone}}, drive: saved},
		{
			name: "paused_and_changed",
			steps: steps{
				{State: activities.TemplateActive, Orders: 500, Left: 3},
				active,
				paused,
				paused,
				active,
				activeUntil(time.Now()), // wakes without a signal
				{State: activities.TemplateComplete},
			},
			drive: []string{
				workflows.SaveUpdate, workflows.PauseSignal, workflows.SaveUpdate, workflows.ResumeSignal, workflows.ChangedSignal,
			},
		},
		{name: "deactivated", steps: steps{active, inactive}, drive: []string{workflows.SaveUpdate, workflows.SaveUpdate}},
		{name: "worker_died", hanging: 1, failing: 2, steps: steps{inactive}, drive: saved},
		{name: "never_saved", steps: steps{{State: activities.TemplateGone}}},
		{name: "open", steps: steps{active}, drive: saved, end: r.rests},
		{
			name: "open_paused", steps: steps{active, paused},
			drive: []string{workflows.SaveUpdate, workflows.PauseSignal}, end: r.rests,
		},
		{name: "cancelled", steps: steps{active}, drive: saved, end: r.cancel},
	}
}

func recordRecurring(t *testing.T, r *recorder) {
	for _, tc := range templateCases(r) {
		t.Run(tc.name, func(t *testing.T) {
			s := &templateScript{}
			s.steps.goOn(tc.steps...)
			queue := "recurring_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 3})
			for _, step := range tc.drive {
				r.drive(t, run, step)
			}
			if tc.end != nil {
				tc.end(t, run)
			} else {
				require.NoError(t, run.Get(t.Context(), nil))
			}
			r.keep(t, run, queue)
		})
	}
}

// drive sends one message to a template, and waits until it is done with it.
func (r *recorder) drive(t *testing.T, run client.WorkflowRun, step string) {
	t.Helper()
	if step == workflows.SaveUpdate {
		r.update(t, run, step, activities.SaveInput{OrgID: 1, TemplateID: 3, ChangeID: 1})
	} else {
		require.NoError(t, r.SignalWorkflow(t.Context(), run.GetID(), "", step, nil))
	}
	r.rests(t, run)
}
