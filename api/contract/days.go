package contract

import (
	"regexp"
	"strconv"
	"time"
)

// Stage is the day on which the examples of the contract play: orders, windows and bookings are of
// that day, or of days before and after it.
var Stage = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// datesOfExamples are whole days in an example, also as the first part of a timestamp.
var datesOfExamples = regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b|\b20\d\d-\d\d-\d\dT`)

// Tomorrow returns the day after now, in the time zone of the demo organization.
func Tomorrow(now time.Time) time.Time {
	if oslo, err := time.LoadLocation("Europe/Oslo"); err == nil {
		now = now.In(oslo)
	}
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}

// Moved returns an example that plays on another day: what it does on the day of Stage it does on
// that day, and all else as many days before or after as ever.
func Moved(example string, to time.Time) string {
	return movedBy(example, func(date time.Time) string {
		return date.Add(to.Sub(Stage)).Format(time.DateOnly)
	})
}

// movedBy replaces each day of an example.
func movedBy(example string, day func(time.Time) string) string {
	const length = len(time.DateOnly)
	return datesOfExamples.ReplaceAllStringFunc(example, func(found string) string {
		date, err := time.Parse(time.DateOnly, found[:length])
		if err != nil {
			return found
		}
		return day(date) + found[length:]
	})
}

// daysFromStage is how many days after the day of the examples a day is; it may be negative.
func daysFromStage(date time.Time) int { return int(date.Sub(Stage) / (24 * time.Hour)) }

// dayVariable is the variable of the Postman collection that holds a day: day0 is tomorrow.
func dayVariable(days int) string { return "day" + strconv.Itoa(days) }
