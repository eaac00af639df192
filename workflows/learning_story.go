package workflows

import (
	"fmt"
	"strings"

	"waybill/activities"
)

// learningState is the state by which operators find what an organization learns.
func learningState(o activities.LearningOutcome) string {
	switch {
	case o.Off:
		return "off"
	case o.Accepted:
		return "accepted"
	case o.ProposalID != 0:
		return "proposed"
	}
	return "unchanged"
}

// learningStory describes what the last night has brought.
func learningStory(o activities.LearningOutcome) string {
	if o.Off {
		return "The organization does not learn travel times (`learnTravel: OFF`)."
	}
	parts := []string{fmt.Sprintf("The last weeks have **%d legs** of %d days.", o.Legs, o.Days)}
	if o.Predicted > 0 {
		parts = append(parts, fmt.Sprintf("Of %d legs of other days, half were predicted to within **%d s**. With what was learned, to within **%d s**.",
			o.Predicted, o.BeforeSeconds, o.AfterSeconds))
	}
	switch {
	case o.Accepted:
		parts = append(parts, fmt.Sprintf("Proposal %d was accepted at once.", o.ProposalID))
	case o.ProposalID != 0:
		parts = append(parts, fmt.Sprintf("Proposal %d waits for the office.", o.ProposalID))
	default:
		parts = append(parts, "Nothing new is proposed.")
	}
	if o.Legs > 0 {
		parts = append(parts, fmt.Sprintf("Next night: **%s**.", minute(o.Next)))
	}
	return strings.Join(parts, "\n\n")
}
