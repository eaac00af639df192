package workflows

import (
	"fmt"
	"strings"

	"waybill/domain/simulation"
)

// simulationStory describes the state of a simulated day.
func simulationStory(in SimulationInput, s SimulationStatus) string {
	parts := []string{fmt.Sprintf("%s of %s delivered, %d failed, %d still to do.", counted(s.Delivered, "order"),
		fmt.Sprintf("%d", s.Orders), s.Failed, s.Open)}
	switch {
	case s.State == simulation.Stopped:
		parts = append(parts, "It was stopped. Start the day again to go on where it is.")
	case s.State != simulation.Running:
		parts = append(parts, "The day is done: nobody has anything to do any more.")
	case s.Drivers == 0:
		parts = append(parts, fmt.Sprintf("Nobody has a route yet; %s for the plan.", waits(s.Waiting)))
	default:
		parts = append(parts, fmt.Sprintf("%s of %d on the road, at pace %d.", counted(s.OnTheRoad, "driver"), s.Drivers, in.Pace))
		if s.Waiting > 0 {
			parts = append(parts, fmt.Sprintf("%s for the plan.", waits(s.Waiting)))
		}
	}
	return strings.Join(parts, "\n\n")
}

// waits describes how many orders wait.
func waits(n int) string {
	if n == 1 {
		return "1 order waits"
	}
	return fmt.Sprintf("%d orders wait", n)
}
