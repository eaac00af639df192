package order

import (
	"fmt"
	"maps"
	"strings"

	"waybill/domain/fault"
)

// MaxCustomFields is how many values one call may set.
const MaxCustomFields = 500

// FieldValue is an order's value of a custom field: canonical JSON, and its
// stop, which is empty for the order as a whole.
type FieldValue struct {
	JSON string
	Stop StopKind
}

// MarshalText writes a value of the whole order as plain JSON, which is how
// it was stored before stops had values, and a stop's value after the stop's
// name. No JSON begins with such a name.
func (v FieldValue) MarshalText() ([]byte, error) {
	if v.Stop == "" {
		return []byte(v.JSON), nil
	}
	return []byte(string(v.Stop) + ":" + v.JSON), nil
}

// UnmarshalText parses the result of MarshalText.
func (v *FieldValue) UnmarshalText(text []byte) error {
	*v = FieldValue{JSON: string(text)}
	for _, stop := range []StopKind{Pickup, Delivery} {
		if json, found := strings.CutPrefix(v.JSON, string(stop)+":"); found {
			*v = FieldValue{JSON: json, Stop: stop}
		}
	}
	return nil
}

// known reports whether a value may be set there.
func (k StopKind) known() bool { return k == "" || k == Pickup || k == Delivery }

func badStop(k StopKind) fault.Text {
	return fault.Say("custom_field.bad_stop", "value", fault.Clip(string(k)))
}

// WithCustomFields returns an order's values after some are set; known are
// the active fields by external id. Values that are not named stay, and null
// removes one. An invalid value is a fault that names the first such field.
func WithCustomFields(
	present map[int64]FieldValue, given []CustomFieldValue, known map[string]int64,
) (map[int64]FieldValue, error) {
	if len(given) > MaxCustomFields {
		return nil, fault.Field("customFields", fault.Say("field.too_many", "max", fmt.Sprint(MaxCustomFields)))
	}
	next := maps.Clone(present)
	if next == nil {
		next = map[int64]FieldValue{}
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
		value, err := fieldValueOf(v, field)
		if err != nil {
			return nil, err
		}
		next[id] = value
	}
	return next, nil
}

// fieldValueOf is a value in its stored form.
func fieldValueOf(v CustomFieldValue, field string) (FieldValue, error) {
	if !v.Stop.known() {
		return FieldValue{}, fault.Field(field+".stop", badStop(v.Stop))
	}
	text, err := customFieldText(v, field+".value")
	return FieldValue{JSON: text, Stop: v.Stop}, err
}

// customFieldText is the text of a value in its stored form.
func customFieldText(v CustomFieldValue, field string) (string, error) {
	if len(v.Value) > maxText {
		return "", fault.Field(field, fault.Say("field.too_long", "max", fmt.Sprint(maxText)))
	}
	if !v.Value.IsValid() { // duplicate names or invalid UTF-8
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
