package masterdata

import (
	"strconv"

	"waybill/domain/driver"
	"waybill/domain/fault"
)

// ShiftLimits are the limits of each shift; nil is none. All that apply to a shift count, so the
// narrowest does.
type ShiftLimits struct {
	// MaxStops is to how many places the driver goes at most: the stops of one visit are one.
	MaxStops *int32 `json:"max_stops"`
	// MaxDrivingMinutes is how long the driver drives at most.
	MaxDrivingMinutes *int32 `json:"max_driving_minutes"`
}

// Problems returns the limits that are out of range.
func (l ShiftLimits) Problems() (problems []fault.Violation) {
	for _, limit := range []struct {
		field string
		value *int32
		most  int
	}{
		{"max_stops", l.MaxStops, driver.MostStops},
		{"max_driving_minutes", l.MaxDrivingMinutes, driver.MostDrivingMinutes},
	} {
		if v := limit.value; v != nil && (*v < 1 || int(*v) > limit.most) {
			problems = append(problems, fault.Violation{
				Field: limit.field, Text: fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(limit.most)),
			})
		}
	}
	return problems
}
