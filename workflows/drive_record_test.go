package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"waybill/activities"
	"waybill/domain/driving"
	"waybill/domain/housekeeping"
	"waybill/workflows"
)

// driveScript is the story of one day on the road.
type driveScript struct {
	looks   script[activities.DriveOutcome]
	matches script[activities.MatchOutcome]
}

func (s *driveScript) stands(looking *attempts) map[string]any {
	return map[string]any{
		"LookAtDrive": playing[activities.DriveInput](&s.looks, looking),
		"MatchDrive":  playing[activities.DriveInput](&s.matches, &attempts{over: looking.over}),
	}
}

var driveInput = workflows.DriveInput{OrgID: 1, DriverID: 17, Day: "2026-03-02"}

// driveOutcome returns a day that is due for another look at a time.
func driveOutcome(state driving.DayState, wake time.Time) activities.DriveOutcome {
	return activities.DriveOutcome{
		State: state, Done: 3, Stops: 12, Next: "A-4", NextAt: wake.Add(time.Hour), Heard: wake.Add(-time.Hour), Wake: wake,
	}
}

// recordDrives records days on the road: a complete one, and others with a
// database outage, a dead worker, news, and a cancellation.
func recordDrives(t *testing.T, r *recorder) {
	soon, late := time.Now().Add(2*time.Second), time.Now().Add(24*time.Hour)
	under, over := driveOutcome(driving.DayUnderWay, soon), activities.DriveOutcome{State: driving.DayOver, Done: 12, Stops: 12}
	behind, asleep := driveOutcome(driving.DayLate, soon), driveOutcome(driving.DaySilent, late)
	driven, arrived := under, over
	driven.ToMatch, arrived.ToMatch = 3, 1
	for _, tc := range []struct {
		name             string
		looks            []activities.DriveOutcome
		matches          []activities.MatchOutcome
		failing, hanging int32
		changes          int
		end              end
	}{
		{name: "whole", looks: []activities.DriveOutcome{under, behind, under, over}},
		{name: "patient", looks: []activities.DriveOutcome{under, over}, failing: 30},
		{name: "worker_died", looks: []activities.DriveOutcome{over}, hanging: 2},
		{name: "news", looks: []activities.DriveOutcome{asleep}, changes: 3, end: open},
		{
			name: "matched", looks: []activities.DriveOutcome{driven, under, arrived, over},
			matches: []activities.MatchOutcome{{Matched: 2, Left: 1}, {Matched: 1}, {Failure: "unavailable", Again: soon.Add(time.Second)}},
		},
		{name: "cancelled", looks: []activities.DriveOutcome{asleep}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &driveScript{}
			s.looks.goOn(tc.looks...)
			s.matches.goOn(tc.matches...)
			queue := "drive_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.DriveDay, driveInput)
			for range tc.changes {
				r.rests(t, run)
				require.NoError(t, r.SignalWorkflow(t.Context(), run.GetID(), "", workflows.DriveNewsSignal, nil))
			}
			r.keepAt(t, run, tc.end, r.rests)
		})
	}
}

// recordDrivesThatGoOn records a day on the road that continues as new, and its
// next run, on a server that suggests it early.
func recordDrivesThatGoOn(t *testing.T, r *recorder) {
	s := &driveScript{}
	s.looks.goOn(driveOutcome(driving.DayUnderWay, time.Now().Add(24*time.Hour)))
	const queue = "drive_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.DriveDay, driveInput)
	second := r.signalUntilItGoesOn(t, first, workflows.DriveNewsSignal)
	r.rests(t, second)
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second_open")
}

// recordHousekeeping records runs of housekeeping: a complete one, one whose
// worker dies, and one in which a duty fails.
func recordHousekeeping(t *testing.T, r *recorder) {
	for _, tc := range []struct {
		name    string
		duties  []housekeeping.Duty
		hanging int32
	}{
		{name: "whole", duties: housekeeping.Duties()[:3]},
		{name: "worker_died", duties: housekeeping.Duties()[:3], hanging: 1},
		{name: "failed", duties: []housekeeping.Duty{"poison", housekeeping.Positions}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var batches script[housekeeping.Batch]
			batches.goOn(housekeeping.Batch{Done: 10_000, Left: true}, housekeeping.Batch{Done: 12})
			attempts, queue := newAttempts(t, 1, tc.hanging), "house_"+tc.name
			r.work(t, queue, map[string]any{
				"KeepHouse": func(_ context.Context, in activities.HouseInput) (housekeeping.Batch, error) {
					if in.Duty == "poison" {
						return housekeeping.Batch{}, temporal.NewNonRetryableApplicationError("refused",
							activities.ErrTypeRefusedData, errors.New("refused"))
					}
					if attempts.fails() {
						return housekeeping.Batch{}, errDatabaseAway
					}
					return batches.next(), nil
				},
			})
			run := r.start(t, queue, workflows.Housekeeping, workflows.HousekeepingInput{Duties: tc.duties})
			err := run.Get(t.Context(), nil)
			require.Equal(t, tc.name == "failed", err != nil, err)
			r.keep(t, run, queue)
		})
	}
}
