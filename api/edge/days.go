package edge

import (
	"context"
	"time"

	"waybill/domain/fault"
)

// Today returns the present day of the caller's organization, as UTC midnight.
func Today(ctx context.Context, now time.Time) time.Time {
	year, month, day := now.In(PrincipalOf(ctx).Zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// CheckDays checks a range of days.
func CheckDays(startName string, start time.Time, endName string, end time.Time) (time.Time, time.Time, error) {
	for _, day := range []struct {
		name string
		at   time.Time
	}{{startName, start}, {endName, end}} {
		if day.at.Year() < 1 || day.at.Year() > 9999 {
			return start, end, fault.Field(day.name, fault.Say("date.bad"))
		}
	}
	if end.Before(start) {
		return start, end, &fault.Error{
			Kind:       fault.Unprocessable,
			Text:       fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{Field: endName, Text: fault.Say("date.end_before_start")}},
		}
	}
	return start, end, nil
}
