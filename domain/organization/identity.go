package organization

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"waybill/domain/fault"
	"waybill/domain/recurrence"
)

// Languages are the languages that an organization can have.
var Languages = []string{"nb", "en", "da"}

// Identity is the name of an organization, the time zone of its days, and the default language of its messages.
type Identity struct {
	Name     string `json:"name"`
	Timezone string `json:"timezone"`
	Language string `json:"language"`
}

// Problems returns what is wrong with an identity. It ignores spaces around
// the name.
func (i Identity) Problems() (all []fault.Violation) {
	complain := func(field string, text fault.Text) {
		all = append(all, fault.Violation{Field: field, Text: text})
	}
	switch name := strings.TrimSpace(i.Name); {
	case name == "":
		complain("name", fault.Say("master_data.missing"))
	case len(name) > maxName:
		complain("name", fault.Say("field.too_long", "max", strconv.Itoa(maxName)))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		complain("name", fault.Say("request.not_text"))
	}
	if !recurrence.IsZone(i.Timezone) {
		complain("timezone", NoZone())
	}
	if !slices.Contains(Languages, i.Language) {
		complain("language", fault.Say("request.not_one_of", "allowed", strings.Join(Languages, ", ")))
	}
	return all
}

// NoZone is what is said of a time zone that does not exist.
func NoZone() fault.Text { return fault.Say("organization.no_zone") }
