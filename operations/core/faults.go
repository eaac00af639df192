package core

import (
	"time"

	"waybill/domain/fault"
)

// SuspendedPause is how long a message of a suspended organization waits before it is looked at
// again. Templates and webhooks wait as long.
const SuspendedPause = 15 * time.Minute

// Suspended refuses a request in the name of a suspended organization.
func Suspended() error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("organization.suspended")}
}

// Unusable refuses a request because of one field, whose name is written as in the request.
func Unusable(field string, text fault.Text) error {
	return &fault.Error{
		Kind: fault.Unprocessable, Text: fault.Say("request.invalid"),
		Violations: []fault.Violation{{Field: field, Text: text}},
	}
}
