package recipient

import (
	"strconv"
	"time"

	"waybill/domain/fault"
)

// Actions are what an organization allows recipients to do on the page of their delivery. An action that is nil is
// not allowed.
type Actions struct {
	// Instructions has recipients leave instructions, a safe place and a door code.
	Instructions *Deadline `json:"instructions,omitempty" yaml:"instructions"`
	// Rating has recipients rate a delivery.
	Rating *RatingTime `json:"rating,omitempty" yaml:"rating"`
}

// Deadline is until when an action is allowed.
type Deadline struct {
	// MinutesBefore is how long before the expected time the action ends; nil ends it once the stop is the next one.
	MinutesBefore *int `json:"minutes_before,omitempty" yaml:"minutesBefore"`
}

// RatingTime is how long a delivery may be rated.
type RatingTime struct {
	Days int `json:"days" yaml:"days"`
}

// The bounds of deadlines.
const (
	mostMinutesBefore = 2880
	mostRatingDays    = 90
)

// Problems returns what is wrong with the actions; the fields are below path. Nil has no problems.
func (a *Actions) Problems(path string) (problems []fault.Violation) {
	if a == nil {
		return nil
	}
	within := func(field string, value, least, most int) {
		if value < least || value > most {
			problems = append(problems, fault.Violation{
				Field: path + "." + field,
				Text:  fault.Say("request.out_of_range", "min", strconv.Itoa(least), "max", strconv.Itoa(most)),
			})
		}
	}
	if d := a.Instructions; d != nil && d.MinutesBefore != nil {
		within("instructions.minutes_before", *d.MinutesBefore, 0, mostMinutesBefore)
	}
	if a.Rating != nil {
		within("rating.days", a.Rating.Days, 1, mostRatingDays)
	}
	return problems
}

// Moment is what decides whether a stop is still open to an action.
type Moment struct {
	Now time.Time
	// Over is true once the stop is over, and There once the driver has arrived.
	Over, There bool
	// Next is true once the stop is the driver's next one.
	Next bool
	// Expected is when service is expected to begin, or else when the time window begins.
	Expected time.Time
}

// Open reports whether an action with this deadline is allowed at a moment. A nil deadline allows nothing.
func (d *Deadline) Open(m Moment) bool {
	switch {
	case d == nil || m.Over || m.There:
		return false
	case d.MinutesBefore == nil:
		return !m.Next
	}
	return m.Now.Before(m.Expected.Add(-time.Duration(*d.MinutesBefore) * time.Minute))
}
