// Package alert has the rules by which the office is alerted: of what, and how.
package alert

import (
	"slices"
	"strconv"

	"waybill/domain/driving"
	"waybill/domain/email"
	"waybill/domain/fault"
)

// Kind is what a rule is about.
type Kind string

// The kinds.
const (
	// LateBy is a stop whose service will begin some minutes after its time window.
	LateBy Kind = "LATE_BY"
	// SilentFor is a driver on the road who has reported nothing for some minutes.
	SilentFor Kind = "SILENT_FOR"
	// Failed is an order that failed, and Unplanned one without a driver.
	Failed    Kind = "FAILED"
	Unplanned Kind = "UNPLANNED"
	// Exception is an exception of one kind.
	Exception Kind = "EXCEPTION"
)

// Measured reports whether a rule of the kind has a threshold in minutes.
func (k Kind) Measured() bool { return k == LateBy || k == SilentFor }

// Channel is a way in which people notice an alert.
type Channel string

// The channels.
const (
	Page    Channel = "PAGE"
	Sound   Channel = "SOUND"
	Email   Channel = "EMAIL"
	Webhook Channel = "WEBHOOK"
)

// Bounds of rules and alerts.
const (
	// MostRules is how many rules an organization may have.
	MostRules = 50
	// MostEmails is how many addresses a rule may have.
	MostEmails = 10
	// MostMinutes is the largest threshold.
	MostMinutes = 720
	// EmailsAnHour is how many messages alerts of an organization may make in an hour.
	EmailsAnHour = 60
	// LongestNote is the size limit of a note, in bytes.
	LongestNote = 500
	// ShortestSnooze and LongestSnooze are for how many minutes an alert may be snoozed.
	ShortestSnooze = 5
	LongestSnooze  = 720
)

// Rule says of what the office is alerted, and how.
type Rule struct {
	ID int64
	// DepartmentID is 0 for a rule of all departments.
	DepartmentID int64
	Kind         Kind
	// Minutes is the threshold of a measured kind, else 0.
	Minutes int64
	// ExceptionKind is only for exceptions.
	ExceptionKind driving.ExceptionKind
	Channels      []Channel
	Emails        []string
}

// Check tidies a rule up, and returns what is wrong with it by field.
func (r *Rule) Check() error {
	if r.Kind.Measured() != (r.Minutes != 0) || r.Minutes < 0 || r.Minutes > MostMinutes {
		if r.Kind.Measured() {
			return fault.Field("minutes", fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(MostMinutes)))
		}
		return fault.Field("minutes", fault.Say("alert.no_minutes"))
	}
	if (r.Kind == Exception) != (r.ExceptionKind != "") {
		return fault.Field("exceptionKind", fault.Say("alert.exception_kind"))
	}
	slices.Sort(r.Channels)
	r.Channels = slices.Compact(r.Channels)
	switch mails := slices.Contains(r.Channels, Email); {
	case len(r.Channels) == 0:
		return fault.Field("channels", fault.Say("alert.no_channel"))
	case mails != (len(r.Emails) > 0):
		return fault.Field("emails", fault.Say("alert.emails"))
	case len(r.Emails) > MostEmails:
		return fault.Field("emails", fault.Say("alert.too_many_emails", "most", strconv.Itoa(MostEmails)))
	}
	for i, given := range r.Emails {
		address, ok := email.Normalize(given)
		if !ok {
			return fault.Field("emails", fault.Say("alert.email", "value", given))
		}
		r.Emails[i] = address
	}
	slices.Sort(r.Emails)
	r.Emails = slices.Compact(r.Emails)
	return nil
}
