package order

import (
	"encoding/json"
	"fmt"
	"maps"

	"waybill/domain/fault"
)

// MaxCustomFields is how many values one call may give an order.
const MaxCustomFields = 500

// FieldValue is the value that an order has of a custom field: canonical JSON,
// and the stop where it is set, which is empty for the order as a whole.
type FieldValue struct {
	JSON string
	Stop StopKind
}

// stoppedValue is a value of a stop as numbers keep it.
type stoppedValue struct {
	Value string
	Stop  StopKind
}

// MarshalJSON writes a value of the whole order as a text, as it was kept before
// values knew stops.
func (v FieldValue) MarshalJSON() ([]byte, error) {
	if v.Stop == "" {
		return json.Marshal(v.JSON)
	}
	return json.Marshal(stoppedValue{Value: v.JSON, Stop: v.Stop})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *FieldValue) UnmarshalJSON(raw []byte) error {
	var kept stoppedValue
	var err error
	if len(raw) > 0 && raw[0] == '"' {
		err = json.Unmarshal(raw, &kept.Value)
	} else {
		err = json.Unmarshal(raw, &kept)
	}
	*v = FieldValue{JSON: kept.Value, Stop: kept.Stop}
	return err
}

// known reports whether a value may be set there.
func (k StopKind) known() bool { return k == "" || k == Pickup || k == Delivery }

func badStop(k StopKind) fault.Text {
	return fault.Say("custom_field.bad_stop", "value", fault.Clip(string(k)))
}

// WithCustomFields returns the values that an order has when some are set by
// themselves; known are the fields in use by their external ids. Those that
// are not named stay, and null takes one away. What cannot be used is a fault
// that names the first such field.
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
		if !v.Stop.known() {
			return nil, fault.Field(field+".stop", badStop(v.Stop))
		}
		text, err := customFieldText(v, field+".value")
		if err != nil {
			return nil, err
		}
		next[id] = FieldValue{JSON: text, Stop: v.Stop}
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
