package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/activities"
	"waybill/domain/simulation"
	"waybill/workflows"
)

// simulationScript is the story of one simulated day.
type simulationScript struct {
	looks script[activities.SimulationOutcome]
}

func (s *simulationScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"DriveOn":     playing[activities.SimulationInput](&s.looks, attempts),
		"StopDriving": func(context.Context, activities.SimulationInput) error { return nil },
	}
}

// drivingOutcome returns a day on which a driver acts at a time; zero means that no
// driver has anything to do.
func drivingOutcome(next time.Time) activities.SimulationOutcome {
	out := activities.SimulationOutcome{
		State: simulation.Running, Orders: 12, Delivered: 3, Failed: 1, Open: 7, Waiting: 1, Drivers: 4, OnTheRoad: 3,
	}
	if !next.IsZero() {
		out.Next = &next
	}
	return out
}

// recordSimulations records simulated days: a complete one, and others with a
// dead worker, a database outage, nothing to do yet, and a stop by a user.
func recordSimulations(t *testing.T, r *recorder) {
	now, done := time.Now(), activities.SimulationOutcome{State: simulation.Done, Orders: 12, Delivered: 12}
	nobody, soon, late := drivingOutcome(time.Time{}), drivingOutcome(now), drivingOutcome(now.Add(time.Hour))
	for _, tc := range []struct {
		name             string
		looks            []activities.SimulationOutcome
		failing, hanging int32
		end              end
	}{
		{name: "whole", looks: []activities.SimulationOutcome{nobody, soon, soon, soon, done}},
		{name: "patient", looks: []activities.SimulationOutcome{soon, done}, failing: 3},
		{name: "worker_died", looks: []activities.SimulationOutcome{soon, done}, hanging: 1},
		{name: "open", looks: []activities.SimulationOutcome{late}, end: open},
		{name: "cancelled", looks: []activities.SimulationOutcome{late}, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &simulationScript{}
			s.looks.goOn(tc.looks...)
			queue := "simulate_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.SimulateDay, simulationInput)
			r.keepAt(t, run, tc.end, r.rests)
		})
	}
}

// recordSimulationsThatGoOn records a day that continues as new, and its
// next run, on a server that suggests it early.
func recordSimulationsThatGoOn(t *testing.T, r *recorder) {
	s := &simulationScript{}
	s.looks.goOn(drivingOutcome(time.Now()))
	const queue = "simulate_goes_on"
	r.work(t, queue, s.stands(newAttempts(t, 0, 0)))
	first := r.start(t, queue, workflows.SimulateDay, simulationInput)
	second := r.continued(t, first)
	s.looks.goOn(activities.SimulationOutcome{State: simulation.Done})
	require.NoError(t, second.Get(t.Context(), nil))
	r.keep(t, first, queue+"_first")
	r.keep(t, second, queue+"_second")
}
