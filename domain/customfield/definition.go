// Package customfield holds the rules for definitions of an organization's
// own order fields (spec.md, CustomFieldDefinition). Values of orders belong
// to package order.
package customfield

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"waybill/domain/fault"
)

// Definition is the definition of a custom field. Description, icon and
// colours may be empty.
type Definition struct {
	ID             int64
	ExternalID     string
	Label          string
	Title          string
	Description    string
	Icon           string
	Background     string
	Text           string
	SortOrderBatch string
	DisplayOn      string
	DisplayStyle   string
	IsActive       bool
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// The longest texts, in bytes.
const (
	maxName        = 255
	maxDescription = 10_000
)

// Values of the enums; the first of each is the default.
var (
	SortOrders    = []string{"num", "char", "load", "drive"}
	Places        = []string{"current", "opposite", "both", "pickup", "delivery"}
	DisplayStyles = []string{"badge", "card", "registration", "popup"}
)

// Change has the requested changes; nil leaves a field unchanged.
type Change struct {
	ExternalID, Label, Title                *string
	Description, Icon                       *string
	Background, Text                        *string
	SortOrderBatch, DisplayOn, DisplayStyle *string
	IsActive                                *bool
}

// New returns an active definition from the caller's values and defaults.
func New(c Change) (Definition, error) {
	d := Definition{SortOrderBatch: SortOrders[0], DisplayOn: Places[0], DisplayStyle: DisplayStyles[0], IsActive: true}
	return d.Changed(c)
}

// Changed returns the definition with a change. An invalid result is a fault
// that names every invalid field.
func (d Definition) Changed(c Change) (Definition, error) {
	for _, field := range []struct{ to, from *string }{
		{&d.ExternalID, c.ExternalID},
		{&d.Label, c.Label},
		{&d.Title, c.Title},
		{&d.Description, c.Description},
		{&d.Icon, c.Icon},
		{&d.Background, c.Background},
		{&d.Text, c.Text},
		{&d.SortOrderBatch, c.SortOrderBatch},
		{&d.DisplayOn, c.DisplayOn},
		{&d.DisplayStyle, c.DisplayStyle},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if c.IsActive != nil {
		d.IsActive = *c.IsActive
	}
	if v := d.violations(); len(v) > 0 {
		return d, &fault.Error{Kind: fault.Invalid, Text: fault.Say("request.invalid"), Violations: v}
	}
	return d, nil
}

func (d *Definition) violations() []fault.Violation {
	var found []fault.Violation
	check := func(field string, text fault.Text, wrong bool) {
		if wrong {
			found = append(found, fault.Violation{Field: field, Text: text})
		}
	}
	for _, t := range []struct {
		field, value string
		longest      int
		needed       bool
	}{
		{"externalId", d.ExternalID, maxName, true},
		{"label", d.Label, maxName, true},
		{"title", d.Title, maxName, true},
		{"description", d.Description, maxDescription, false},
		{"icon", d.Icon, maxName, false},
	} {
		check(t.field, fault.Say("custom_field.text_missing"), t.needed && strings.TrimSpace(t.value) == "")
		check(t.field, fault.Say("field.too_long", "max", fmt.Sprint(t.longest)), len(t.value) > t.longest)
		check(t.field, fault.Say("custom_field.control_characters"), !printable(t.value))
	}
	for _, c := range []struct{ field, value string }{
		{"colorScheme.background", d.Background}, {"colorScheme.text", d.Text},
	} {
		check(c.field, fault.Say("custom_field.bad_color"), c.value != "" && !colour.MatchString(c.value))
	}
	for _, e := range []struct {
		field, value string
		allowed      []string
	}{
		{"sortOrderBatch", d.SortOrderBatch, SortOrders},
		{"displayOn", d.DisplayOn, Places},
		{"displayStyle", d.DisplayStyle, DisplayStyles},
	} {
		check(e.field, fault.Say("request.not_one_of", "allowed", strings.Join(e.allowed, ", ")),
			!slices.Contains(e.allowed, e.value))
	}
	return found
}

var colour = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t'
	})
}
