package workflows_test

import (
	"testing"
	"time"

	"waybill/activities"
	"waybill/workflows"
)

// learningScript is the story of what an organization learns.
type learningScript struct {
	nights script[activities.LearningOutcome]
}

func (s *learningScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"LearnTravel": playing[activities.LearningInput](&s.nights, attempts),
	}
}

// recordLearning records nights: those of an organization that stops to learn, and others in which the database is
// down, a worker dies, the night is not over, or a user cancels.
func recordLearning(t *testing.T, r *recorder) {
	late := time.Now().Add(24 * time.Hour)
	proposed := activities.LearningOutcome{
		Legs: 900, Days: 20, Predicted: 200, BeforeSeconds: 90, AfterSeconds: 40, ProposalID: 3, Next: late,
	}
	off := activities.LearningOutcome{Off: true}
	for _, tc := range []struct {
		name             string
		nights           []activities.LearningOutcome
		failing, hanging int32
		end              end
	}{
		{name: "whole", nights: []activities.LearningOutcome{off}},
		{name: "patient", nights: []activities.LearningOutcome{off}, failing: 3},
		{name: "worker_died", nights: []activities.LearningOutcome{off}, hanging: 1},
		{name: "asleep", nights: []activities.LearningOutcome{proposed}, end: open},
		{name: "cancelled", nights: []activities.LearningOutcome{proposed}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &learningScript{}
			s.nights.goOn(tc.nights...)
			queue := "learning_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.LearnTravel, workflows.LearnTravelInput{OrgID: 1})
			r.keepAt(t, run, tc.end, r.rests)
		})
	}
}
