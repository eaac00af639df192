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
	// Preferences has recipients choose the language of messages, or have none.
	Preferences *Deadline `json:"preferences,omitempty" yaml:"preferences"`
	// Slot has recipients choose another slot of the day.
	Slot *Deadline `json:"slot,omitempty" yaml:"slot"`
}

// Deadline is until when an action is allowed.
type Deadline struct {
	// MinutesBefore is how long before the expected time the action ends; nil ends it once the stop is the next one.
	MinutesBefore *int `json:"minutes_before,omitempty" yaml:"minutesBefore"`
}

// RatingTime is for how long a delivery may be rated.
type RatingTime struct {
	// DaysAfter are those after the delivery; nil is usualRatingDays.
	DaysAfter *int `json:"days_after,omitempty" yaml:"daysAfter"`
}

// The bounds of deadlines.
const (
	mostMinutesBefore = 2880
	mostRatingDays    = 90
	usualRatingDays   = 14
)

// Problems returns what is wrong with the actions; the fields are below path. Nil has no problems.
func (a *Actions) Problems(path string) (problems []fault.Violation) {
	if a == nil {
		return nil
	}
	within := func(field string, value *int, least, most int) {
		if value != nil && (*value < least || *value > most) {
			problems = append(problems, outOfRange(path+"."+field, least, most))
		}
	}
	if a.Instructions != nil {
		within("instructions.minutes_before", a.Instructions.MinutesBefore, 0, mostMinutesBefore)
	}
	if a.Preferences != nil {
		within("preferences.minutes_before", a.Preferences.MinutesBefore, 0, mostMinutesBefore)
	}
	if a.Slot != nil {
		within("slot.minutes_before", a.Slot.MinutesBefore, 0, mostMinutesBefore)
	}
	if a.Rating != nil {
		within("rating.days_after", a.Rating.DaysAfter, 1, mostRatingDays)
	}
	return problems
}

func outOfRange(field string, least, most int) fault.Violation {
	return fault.Violation{
		Field: field, Text: fault.Say("request.out_of_range", "min", strconv.Itoa(least), "max", strconv.Itoa(most)),
	}
}

// Action is something that a recipient may do, named as in the API.
type Action string

// The actions.
const (
	LeaveInstructions Action = "INSTRUCTIONS"
	RateDelivery      Action = "RATING"
	ChooseMessages    Action = "PREFERENCES"
	ChooseSlot        Action = "SLOT"
)

// AllActions are all of them, in the sequence in which they are offered.
var AllActions = []Action{LeaveInstructions, RateDelivery, ChooseMessages, ChooseSlot}

// Moment is the state of a stop, which decides what its recipient may do.
type Moment struct {
	Now time.Time
	// Delivery is false for a pickup, where nobody may do anything.
	Delivery bool
	// Over is true once the stop is over, and There while the driver is at it.
	Over, There bool
	// Delivered is true of a delivery that is over and did not fail, and Ended is when that was; zero if only the status
	// is known, as of carriers and the office.
	Delivered bool
	Ended     time.Time
	// Settled is true once a driver has begun with the order, whose windows stay as they are from then on.
	Settled bool
	// Next is true once the stop is the driver's next one.
	Next bool
	// Expected is when service is expected to begin, or else when the time window begins.
	Expected time.Time
	// Closed is true if the organization is suspended, or no longer has personal data of the order.
	Closed bool
}

// Allow returns nil if a recipient may take an action at a moment, or else a fault that says why not.
func (a *Actions) Allow(action Action, m Moment) error {
	switch {
	case a == nil || m.Closed || !m.Delivery:
	case action == LeaveInstructions && a.Instructions != nil:
		return a.Instructions.allow(m)
	case action == RateDelivery && a.Rating != nil:
		return a.Rating.allow(m)
	case action == ChooseMessages && a.Preferences != nil:
		return a.Preferences.allow(m)
	case action == ChooseSlot && a.Slot != nil:
		if m.Settled && !m.Over {
			return TooLate(fault.Say("recipient.too_late"))
		}
		return a.Slot.allow(m)
	}
	return notAllowed()
}

func notAllowed() error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("recipient.not_allowed")}
}

// allow returns a fault before the delivery, and once the time for ratings has passed.
func (r *RatingTime) allow(m Moment) error {
	days, ended := usualRatingDays, m.Ended
	if r.DaysAfter != nil {
		days = *r.DaysAfter
	}
	if ended.IsZero() {
		ended = m.Expected
	}
	switch {
	case !m.Over:
		return TooLate(fault.Say("recipient.too_early"))
	case !m.Delivered:
		return notAllowed()
	case !m.Now.Before(ended.AddDate(0, 0, days)):
		return TooLate(fault.Say("recipient.too_late"))
	}
	return nil
}

// allow returns a fault once the deadline has passed.
func (d *Deadline) allow(m Moment) error {
	switch {
	case m.Over:
		return TooLate(fault.Say("recipient.over"))
	case m.There:
		return TooLate(fault.Say("recipient.there"))
	case d.MinutesBefore == nil && m.Next:
		return TooLate(fault.Say("recipient.next"))
	case d.MinutesBefore != nil && !m.Now.Before(m.Expected.Add(-time.Duration(*d.MinutesBefore)*time.Minute)):
		return TooLate(fault.Say("recipient.too_late"))
	}
	return nil
}

// TooLate is the fault of an action that the present state does not allow.
func TooLate(why fault.Text) *fault.Error {
	return &fault.Error{Kind: fault.IllegalState, Text: why, Resource: "tracking_link"}
}

// Changed returns a fault if recipients have changed something too often.
func Changed(times int) error {
	if times >= MostChanges {
		return TooLate(fault.Say("recipient.too_often"))
	}
	return nil
}
