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
}

// Deadline is until when an action is allowed.
type Deadline struct {
	// MinutesBefore is how long before the expected time the action ends; nil ends it once the stop is the next one.
	MinutesBefore *int `json:"minutes_before,omitempty" yaml:"minutesBefore"`
}

// mostMinutesBefore is the largest MinutesBefore.
const mostMinutesBefore = 2880

// Problems returns what is wrong with the actions; the fields are below path. Nil has no problems.
func (a *Actions) Problems(path string) []fault.Violation {
	if a == nil || a.Instructions == nil || a.Instructions.MinutesBefore == nil {
		return nil
	}
	if m := *a.Instructions.MinutesBefore; m >= 0 && m <= mostMinutesBefore {
		return nil
	}
	return []fault.Violation{{
		Field: path + ".instructions.minutes_before",
		Text:  fault.Say("request.out_of_range", "min", "0", "max", strconv.Itoa(mostMinutesBefore)),
	}}
}

// Action is something that a recipient may do, named as in the API.
type Action string

// The actions.
const (
	LeaveInstructions Action = "INSTRUCTIONS"
)

// AllActions are all of them, in the sequence in which they are offered.
var AllActions = []Action{LeaveInstructions}

// Moment is the state of a stop, which decides what its recipient may do.
type Moment struct {
	Now time.Time
	// Delivery is false for a pickup, where nobody may do anything.
	Delivery bool
	// Over is true once the stop is over, and There while the driver is at it.
	Over, There bool
	// Next is true once the stop is the driver's next one.
	Next bool
	// Expected is when service is expected to begin, or else when the time window begins.
	Expected time.Time
	// Closed is true if the organization is suspended, or no longer has personal data of the order.
	Closed bool
}

// Allow returns nil if a recipient may take an action at a moment, or else a fault that says why not.
func (a *Actions) Allow(action Action, m Moment) error {
	if a == nil || m.Closed || !m.Delivery || !a.has(action) {
		return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("recipient.not_allowed")}
	}
	return a.Instructions.allow(m)
}

func (a *Actions) has(action Action) bool {
	return action == LeaveInstructions && a.Instructions != nil
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
