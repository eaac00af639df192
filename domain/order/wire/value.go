package wire

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// ReadValue reads a JSON value into to; a fault names the field below at that is
// wrong.
func ReadValue(raw jsontext.Value, at string, to any) error { return readValue(raw, at, to) }

func readValue(raw jsontext.Value, at string, to any, options ...json.Options) error {
	if bytes.Contains(raw, []byte(`\u0000`)) {
		if field, found := order.FindNUL(raw); found {
			return fault.Field(strings.TrimPrefix(at+fieldPath(field), "."), fault.Say("request.nul_character"))
		}
	}
	err := json.Unmarshal(raw, to, options...)
	if errors.Is(err, json.ErrUnknownName) {
		return err
	}
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		return fault.Field(strings.TrimPrefix(at+fieldPath(semantic.JSONPointer), "."), semanticText(semantic))
	}
	return err
}

func semanticText(err *json.SemanticError) fault.Text {
	want := "other"
	if err.GoType != nil {
		want = wanted(err.GoType.Kind().String(), err.GoType.Name())
	}
	if err.JSONKind == '0' && (want == "integer" || want == "number") {
		return fault.Say("request.number_out_of_range")
	}
	return wrongType(want, err.JSONKind)
}

// wanted names the JSON type that a Go type is read from.
func wanted(kind, name string) string {
	switch {
	case name == "Loose":
		return "string_or_number"
	case kind == "string":
		return "string"
	case kind == "bool":
		return "boolean"
	case strings.HasPrefix(kind, "int"):
		return "integer"
	case strings.HasPrefix(kind, "float"):
		return "number"
	case kind == "slice":
		return "array"
	}
	return "object"
}

func wrongType(want string, got jsontext.Kind) fault.Text {
	return fault.Say("request.wrong_type."+want, "got", kindName(got))
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "boolean"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "null"
}

// fieldPath writes a JSON pointer (RFC 6901) the way people write fields:
// "/pickup/contacts/0/name" is ".pickup.contacts[0].name". Callers make up
// names of any length, so each is shortened.
func fieldPath(pointer jsontext.Pointer) string {
	var b strings.Builder
	for token := range pointer.Tokens() {
		if isDigits(token) {
			b.WriteString("[" + token + "]")
			continue
		}
		b.WriteString("." + fault.Clip(token))
	}
	return b.String()
}

func isDigits(text string) bool {
	return text != "" && len(text) < 10 && strings.Trim(text, "0123456789") == ""
}
