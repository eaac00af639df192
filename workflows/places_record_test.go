package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/activities"
	"waybill/workflows"
)

// placesScript is the story of an organization's addresses.
type placesScript struct {
	turns script[activities.PlaceOutcome]
}

func (s *placesScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"PlaceTurn": playing[activities.PlaceTurnInput](&s.turns, attempts),
	}
}

// recordPlaces records addresses: complete ones, and others in which the database is down, a
// worker dies, the provider rests, or a user cancels.
func recordPlaces(t *testing.T, r *recorder) {
	soon, late := time.Now().Add(2*time.Second), time.Now().Add(24*time.Hour)
	asking := activities.PlaceOutcome{Found: 12, Unknown: 1, Waiting: 7, Next: &soon}
	failing := activities.PlaceOutcome{Failed: 3, Waiting: 7, Fault: "unavailable", Next: &soon}
	resting := activities.PlaceOutcome{Failed: 3, Waiting: 7, Fault: "rate_limited", Next: &late}
	done := activities.PlaceOutcome{Found: 7}
	for _, tc := range []struct {
		name             string
		turns            []activities.PlaceOutcome
		failing, hanging int32
		end              end
	}{
		{name: "whole", turns: []activities.PlaceOutcome{asking, failing, done}},
		{name: "patient", turns: []activities.PlaceOutcome{asking, done}, failing: 3},
		{name: "worker_died", turns: []activities.PlaceOutcome{asking, done}, hanging: 1},
		{name: "resting", turns: []activities.PlaceOutcome{resting}, end: open},
		{name: "cancelled", turns: []activities.PlaceOutcome{resting}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &placesScript{}
			s.turns.goOn(tc.turns...)
			queue := "places_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.PlaceAddresses, workflows.PlacesInput{OrgID: 1})
			r.keepAt(t, run, tc.end, r.rests)
		})
	}
}

// recordPlacesThatGoOn records addresses whose workflow continues as new, and its next run, on a
// server that suggests it early.
func recordPlacesThatGoOn(t *testing.T, r *recorder) {
	s := &placesScript{}
	now := time.Now()
	s.turns.goOn(activities.PlaceOutcome{Found: 1, Waiting: 1, Next: &now})
	const queue = "places_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.PlaceAddresses, workflows.PlacesInput{OrgID: 1})
	second := r.continued(t, first)
	s.turns.goOn(activities.PlaceOutcome{Found: 1})
	require.NoError(t, second.Get(t.Context(), nil))
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second")
}
