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
	case o.Accepted || o.Visits != nil && o.Visits.Accepted || o.Drivers != nil && o.Drivers.Accepted:
		return "accepted"
	case o.ProposalID != 0 || o.Visits != nil && o.Visits.ProposalID != 0 || o.Drivers != nil && o.Drivers.ProposalID != 0:
		return "proposed"
	}
	return "unchanged"
}

// learningStory describes what the last night has brought.
func learningStory(o activities.LearningOutcome) string {
	if o.Off {
		return "The organization does not learn travel times (`learnTravel: OFF`)."
	}
	parts := lessonStory("legs", o.Legs, o.Days, o.Predicted, o.BeforeSeconds, o.AfterSeconds, o.ProposalID, o.Accepted)
	if v := o.Visits; v != nil {
		parts = append(parts, lessonStory(
			"visits", v.Visits, v.Days, v.Predicted, v.BeforeSeconds, v.AfterSeconds, v.ProposalID, v.Accepted)...)
	}
	if d := o.Drivers; d != nil {
		parts = append(parts, fmt.Sprintf("Some drivers take another time than others. Of %d of their legs and visits, "+
			"half were predicted to within **%d s**. With what was learned, to within **%d s**.",
			d.Predicted, d.BeforeSeconds, d.AfterSeconds), decisionStory(d.ProposalID, d.Accepted))
	}
	if o.Legs > 0 || o.Visits != nil {
		parts = append(parts, fmt.Sprintf("Next night: **%s**.", minute(o.Next)))
	}
	return strings.Join(parts, "\n\n")
}

// lessonStory describes what was learned from legs or visits.
func lessonStory(what string, facts, days, predicted, before, after int, proposal int64, accepted bool) []string {
	parts := []string{fmt.Sprintf("The last weeks have **%d %s** of %d days.", facts, what, days)}
	if predicted > 0 {
		parts = append(parts, fmt.Sprintf("Of %d %s of other days, half were predicted to within **%d s**. With what was learned, to within **%d s**.",
			predicted, what, before, after))
	}
	return append(parts, decisionStory(proposal, accepted))
}

// decisionStory says what became of a proposal, 0 for none.
func decisionStory(proposal int64, accepted bool) string {
	switch {
	case accepted:
		return fmt.Sprintf("Proposal %d was accepted at once.", proposal)
	case proposal != 0:
		return fmt.Sprintf("Proposal %d waits for the office.", proposal)
	}
	return "Nothing new is proposed."
}
