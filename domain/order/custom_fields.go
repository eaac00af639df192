package order

import (
	"fmt"
	"maps"

	"waybill/domain/fault"
)

// MaxCustomFields is how many values one call may give an order.
const MaxCustomFields = 500

// WithCustomFields returns the values that an order has when some are set by
// themselves; known are the fields in use by their external ids. Those that
// are not named stay, and null takes one away. What cannot be used is a fault
// that names the first such field.
func WithCustomFields(
	present map[int64]string, given []CustomFieldValue, known map[string]int64,
) (map[int64]string, error) {
	if len(given) > MaxCustomFields {
		return nil, fault.Field("customFields", fault.Say("field.too_many", "max", fmt.Sprint(MaxCustomFields)))
	}
	next := maps.Clone(present)
	if next == nil {
		next = map[int64]string{}
	}
	seen := map[string]bool{}
	for i, v := range given {
		field := fmt.Sprintf("customFields[%d]", i)
		if seen[v.ExternalID] {
			return nil, fault.Field(field+".externalId", fault.Say("custom_field.twice", "name", fault.Clip(v.ExternalID)))
		}
		seen[v.ExternalID] = true
		if len(v.Value) == 0 {
			return nil, fault.Field(field+".value", fault.Say("custom_field.value_missing"))
		}
		id, ok := known[v.ExternalID]
		if !ok {
			return nil, &fault.Error{
				Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
				Violations: []fault.Violation{
					{Field: field + ".externalId", Text: fault.Say("custom_field.not_found", "name", fault.Clip(v.ExternalID))},
				},
			}
		}
		if v.Value.Kind() == 'n' {
			delete(next, id)
			continue
		}
		text, err := customFieldText(v, field+".value")
		if err != nil {
			return nil, err
		}
		next[id] = text
	}
	return next, nil
}

// customFieldText is a value as it is kept.
func customFieldText(v CustomFieldValue, field string) (string, error) {
	if len(v.Value) > maxText {
		return "", fault.Field(field, fault.Say("field.too_long", "max", fmt.Sprint(maxText)))
	}
	if !v.Value.IsValid() { // duplicate names, or text that is no UTF-8
		return "", fault.Field(field, fault.Say("request.unreadable"))
	}
	if _, found := FindNUL(v.Value); found {
		return "", fault.Field(field, fault.Say("request.nul_character"))
	}
	text, ok := CanonicalJSON(v.Value)
	if !ok {
		return "", fault.Field(field, fault.Say("request.number_out_of_range"))
	}
	return text, nil
}
