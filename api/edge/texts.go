package edge

import (
	"strconv"

	"waybill/domain/fault"
	"waybill/store"
)

// IsText reports whether the store can keep a text.
func IsText(s string) bool { return store.IsText(s) }

// CheckOrderNumber checks the order number that a body names.
func CheckOrderNumber(number string) error {
	switch {
	case number == "":
		return fault.Field("externalId", fault.Say("param.required"))
	case !IsText(number):
		return fault.Field("externalId", fault.Say("request.not_text"))
	}
	return nil
}

// The longest texts that are kept, in bytes.
const (
	MaxKeyLength  = 255
	MaxNameLength = 255
	MaxTextLength = 10_000
)

// Text is a text of a field that has a longest length, in bytes.
type Text struct {
	field, value string
	max          int
}

// AtMost is the text of a field with a maximum number of bytes.
func AtMost(bytes int, field, value string) Text { return Text{field: field, value: value, max: bytes} }

// CheckTexts refuses texts that cannot be kept.
func CheckTexts(texts ...Text) error {
	for _, t := range texts {
		switch {
		case len(t.value) > t.max:
			return fault.Field(t.field, fault.Say("field.too_long", "max", strconv.Itoa(t.max)))
		case !IsText(t.value):
			return fault.Field(t.field, fault.Say("request.not_text"))
		}
	}
	return nil
}
