package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
)

const (
	// mostUnreadable is how many values of one entry are named that cannot be read.
	mostUnreadable = 20
	// mostMended is how many bytes of one body are read again to leave such
	// values out.
	mostMended = MaxBodyBytes
)

// entries reads the entries of a body.
type entries struct {
	*findings

	mended int
}

// read decodes an entry into to, and returns its unreadable parts: values of
// the wrong type and NUL characters, by path. They are left out. number is the
// member with the order number.
func (e *entries) read(raw jsontext.Value, at, number string, to any) (unreadable []order.Reason, err error) {
	err = readValue(raw, at, to, json.RejectUnknownMembers(true))
	if err == nil {
		return nil, nil
	}
	e.note(at, raw, reflect.TypeOf(to))
	if err = readValue(raw, at, to); err == nil {
		return nil, nil
	}
	var known *fault.Error
	if !errors.As(err, &known) {
		return nil, err
	}
	return e.mend(raw, number, to)
}

// mend reads an entry without its unreadable parts.
func (e *entries) mend(raw jsontext.Value, number string, to any) (unreadable []order.Reason, err error) {
	name := func(pointer jsontext.Pointer, text fault.Text) {
		// A member's name may contain NUL, which can't be stored.
		field := strings.ReplaceAll(strings.TrimPrefix(fieldPath(pointer), "."), "\x00", `\u0000`)
		unreadable = append(unreadable, order.Reason{Code: order.UnknownInvalidInput, Field: field, Text: text})
	}
	if pointer, found := order.FindNUL(raw); found {
		name(pointer, fault.Say("request.nul_character"))
		if raw, err = withoutNUL(raw); err != nil {
			reflect.ValueOf(to).Elem().SetZero()
			return unreadable, nil //nolint:nilerr // two members have one name then
		}
	}
	for {
		reflect.ValueOf(to).Elem().SetZero()
		err := json.Unmarshal(raw, to)
		var semantic *json.SemanticError
		if err == nil {
			return unreadable, nil
		}
		if !errors.As(err, &semantic) {
			return nil, err
		}
		name(semantic.JSONPointer, semanticText(semantic))
		rest, mended := without(raw, semantic.JSONPointer)
		if e.mended += len(raw); !mended || len(unreadable) == mostUnreadable || e.mended > mostMended {
			return unreadable, readNumber(raw, number, to)
		}
		raw = rest
	}
}

// readNumber reads only the number of an entry.
func readNumber(raw jsontext.Value, number string, to any) error {
	reflect.ValueOf(to).Elem().SetZero()
	var all map[string]jsontext.Value
	if err := json.Unmarshal(raw, &all); err != nil || all[number].Kind() != '"' {
		return nil //nolint:nilerr // an entry without a number is one, too
	}
	alone, err := json.Marshal(map[string]jsontext.Value{number: all[number]})
	if err != nil {
		return err
	}
	return json.Unmarshal(alone, to)
}

// withoutNUL is a value without the NUL characters of its texts.
func withoutNUL(raw jsontext.Value) (jsontext.Value, error) {
	var out bytes.Buffer
	in := jsontext.NewDecoder(bytes.NewReader(raw))
	to := jsontext.NewEncoder(&out)
	for in.PeekKind() != 0 {
		token, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		if token.Kind() == '"' {
			token = jsontext.String(strings.ReplaceAll(token.String(), "\x00", ""))
		}
		if err := to.WriteToken(token); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// names reports whether one of the reasons is about a field.
func names(unreadable []order.Reason, field string) bool {
	for _, r := range unreadable {
		if r.Field == field {
			return true
		}
	}
	return false
}
