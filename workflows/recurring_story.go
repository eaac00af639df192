package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// added adds a step to those before it.
func added(sum, step activities.Generated) activities.Generated {
	step.Orders += sum.Orders
	step.Drafts += sum.Drafts
	step.Changed += sum.Changed
	step.Cancelled += sum.Cancelled
	step.Protected += sum.Protected
	step.Failed += sum.Failed
	if step.Error == "" {
		step.Error = sum.Error
	}
	return step
}

// worked reports whether anything was done.
func worked(g activities.Generated) bool {
	return g.Orders+g.Drafts+g.Changed+g.Cancelled+g.Protected+g.Failed > 0
}

// inWords describes the work done, such as "12 orders generated, 2 cancelled".
func inWords(g activities.Generated) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{g.Orders, "orders generated"},
		{g.Drafts, "drafts"},
		{g.Changed, "changed"},
		{g.Cancelled, "cancelled"},
		{g.Protected, "left as they are"},
		{g.Failed, "that could not be changed"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func stepSummary(sum activities.Generated) string {
	if sum.Left > 0 {
		return fmt.Sprintf("generate orders, %d occurrences to go", sum.Left)
	}
	return "generate what is due"
}

// story describes the state of the template.
func (r *recurringRun) story(ctx workflow.Context) string {
	last := r.status.Last
	parts := []string{fmt.Sprintf("Last looked at %s: **%s**.", minute(workflow.Now(ctx)), inWords(last))}
	if last.Error != "" {
		parts = append(parts, fmt.Sprintf("Something was wrong: `%s`.", last.Error))
	}
	if last.Through != "" {
		parts = append(parts, fmt.Sprintf("Everything through **%s** is there.", last.Through))
	}
	switch r.status.State {
	case activities.TemplatePaused:
		parts = append(parts, "The template is **paused**. It goes on with the signal `resume`.")
	case activities.TemplateInactive:
		parts = append(parts, "The template is **inactive**; activating it starts this workflow anew.")
	case activities.TemplateComplete:
		parts = append(parts, "No occurrence is left to come.")
	case activities.TemplateGone:
		parts = append(parts, "There is no such template: it was not accepted.")
	case activities.TemplateFailing:
		why := "The recurrence rule cannot be expanded"
		if last.Error != activities.ErrorRecurrence {
			why = "Its orders hold something that cannot be stored"
		}
		parts = append(parts, fmt.Sprintf("%s; it is tried again at %s.", why, minute(last.WakeAt)))
	default:
		parts = append(parts, fmt.Sprintf(
			"The next occurrence is on **%s**; this workflow wakes for it at %s, which is midnight in %s.",
			last.Next, minute(last.WakeAt), last.Zone))
	}
	return strings.Join(parts, "\n\n")
}

func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
