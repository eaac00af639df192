package recipient

import (
	"slices"

	"waybill/domain/fault"
)

// Preferences are how the recipient of a delivery wants to hear of it.
type Preferences struct {
	// Language is that of the built-in messages, one of MessageLanguages; empty is the organization's.
	Language string
	// Unwanted is true for a recipient who wants no messages about the delivery.
	Unwanted bool
}

// MessageLanguages are those in which built-in messages are written.
var MessageLanguages = []string{"nb", "da", "en"}

// Checked returns the preferences, or a fault that names the wrong field.
func (p Preferences) Checked() (Preferences, error) {
	if p.Language == "" || slices.Contains(MessageLanguages, p.Language) {
		return p, nil
	}
	return p, refused([]fault.Violation{notOneOf("language", MessageLanguages)})
}
