package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"waybill/domain/driving"
)

// driveStory describes a driver's progress in the day.
func driveStory(ctx workflow.Context, s DriveStatus) string {
	done := fmt.Sprintf("**%d of %s** %s done", s.Done, plural(s.Stops, "stop"), is(s.Done))
	if s.State == driving.DayOver {
		return fmt.Sprintf("The day is over: %s.", done)
	}
	next := "nothing is left to do until the driver ends the route"
	if s.Next != "" {
		next = fmt.Sprintf("next is **%s** at %s", s.Next, minute(s.NextAt))
	}
	parts := []string{fmt.Sprintf("%s; %s.", done, next)}
	if s.Late > 0 {
		parts = append(parts, fmt.Sprintf("%s will be **late**.", counted(s.Late, "stop")))
	}
	if s.State == driving.DaySilent {
		parts = append(parts, fmt.Sprintf("**Nothing is heard of the driver** since %s.", minute(s.Heard)))
	}
	parts = append(parts, fmt.Sprintf("Last looked at %s; if nothing happens, it is looked at again at %s.",
		minute(workflow.Now(ctx)), minute(s.Wake)))
	return strings.Join(parts, "\n\n")
}
