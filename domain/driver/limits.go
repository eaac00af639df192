package driver

import (
	"strconv"

	"waybill/domain/fault"
)

// The largest limits of a shift that can be set.
const (
	MostStops          = 1000
	MostDrivingMinutes = dayMinutes
)

// Limits are the limits of a shift; 0 is none.
type Limits struct {
	// Stops is to how many places the driver goes at most: the stops of one visit are one.
	Stops int
	// DrivingMinutes is how long the driver drives at most.
	DrivingMinutes int
}

// Problem returns the invalid field of the limits and the reason; the field is empty when they
// are valid.
func (l Limits) Problem() (field string, text fault.Text) {
	for _, limit := range []struct {
		field       string
		value, most int
	}{{"max_stops", l.Stops, MostStops}, {"max_driving_minutes", l.DrivingMinutes, MostDrivingMinutes}} {
		if limit.value < 0 || limit.value > limit.most {
			return limit.field, fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(limit.most))
		}
	}
	return "", fault.Text{}
}
