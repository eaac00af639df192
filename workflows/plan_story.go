package workflows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"waybill/domain/planning"
)

// planStory describes the state of a plan.
func planStory(ctx workflow.Context, s PlanStatus) string {
	switch s.State {
	case planning.DayEmpty:
		return "There is nothing to plan."
	case planning.DayOver:
		return "The day is over."
	case planning.DayBehindImport:
		return "A bulk import is at work. The plan is made once it is done."
	case planning.DayNotYet:
		return fmt.Sprintf("The day is too far away. Planning begins at %s.", minute(*s.Wake))
	case planning.DayPlanned:
	}
	parts := []string{fmt.Sprintf("Last looked at %s: %s %s with %s.", minute(workflow.Now(ctx)),
		counted(s.Planned, "order"), is(s.Planned), counted(s.Drivers, "driver"))}
	if s.Unplanned > 0 {
		parts = append(parts, fmt.Sprintf("%s %s left over: %s.", counted(s.Unplanned, "order"), is(s.Unplanned), why(s.Why)))
	}
	if s.TravelFailure != "" {
		parts = append(parts, fmt.Sprintf(
			"Travel times are as the crow flies where `%s` did not say them: %s.", s.Travel, s.TravelFailure))
	}
	if s.Wake != nil {
		parts = append(parts, fmt.Sprintf("If nothing happens, it is looked at again at %s.", minute(*s.Wake)))
	}
	return strings.Join(parts, "\n\n")
}

// counted is a number with its noun, such as "**1 order**".
func counted(n int, what string) string { return "**" + plural(n, what) + "**" }

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// why counts orders by their first reason, the most frequent first.
func why(reasons map[planning.Reason]int) string {
	codes := workflow.DeterministicKeys(reasons)
	slices.SortFunc(codes, func(a, b planning.Reason) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(codes))
	for i, code := range codes {
		parts[i] = fmt.Sprintf("%d × `%s`", reasons[code], code)
	}
	return strings.Join(parts, ", ")
}
