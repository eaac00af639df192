package masterdata

import (
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// DepartmentRelease is when the plans of a department are released to its drivers.
type DepartmentRelease struct {
	// ReleaseAt is the time of day as HH:MM, in the zone of the organization; nil leaves it to people.
	ReleaseAt *string `json:"release_at"`
	// ReleaseDaysBefore is how many days before its own a plan is released.
	ReleaseDaysBefore int32 `json:"release_days_before"`
	// ReleaseThresholdMinutes is how many minutes of driving a change of a released plan saves at least.
	ReleaseThresholdMinutes int32 `json:"release_threshold_minutes"`
}

const (
	// MostDaysBefore is how many days before its own a plan is released at most.
	MostDaysBefore = 14
	// MostThreshold is the highest threshold of changes, in minutes.
	MostThreshold = 24 * 60
)

// UsualRelease is left to people.
var UsualRelease = DepartmentRelease{ReleaseDaysBefore: 1, ReleaseThresholdMinutes: 10}

// ReleaseMinute is the minute of the day, or nil.
func (r *DepartmentRelease) ReleaseMinute() *int16 {
	if r.ReleaseAt == nil {
		return nil
	}
	at, _ := order.ParseClock(*r.ReleaseAt)
	return new(int16(at))
}

func (r *DepartmentRelease) check(c *checker) {
	if r.ReleaseAt != nil {
		text := strings.TrimSpace(*r.ReleaseAt)
		at, ok := order.ParseClock(text)
		if !ok || at >= order.EndOfDay || len(text) != len("17:00") {
			c.complain("release_at", fault.Say("driver.bad_clock"))
		}
		r.ReleaseAt = &text
	}
	outside := func(most int) fault.Text {
		return fault.Say("request.out_of_range", "min", "0", "max", strconv.Itoa(most))
	}
	if r.ReleaseDaysBefore < 0 || r.ReleaseDaysBefore > MostDaysBefore {
		c.complain("release_days_before", outside(MostDaysBefore))
	}
	if r.ReleaseThresholdMinutes < 0 || r.ReleaseThresholdMinutes > MostThreshold {
		c.complain("release_threshold_minutes", outside(MostThreshold))
	}
}
