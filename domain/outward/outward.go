// Package outward writes JSON as callers get it: as encoding/json does, but each instant in UTC with
// milliseconds, as iso_utc writes it in SQL. Every surface that shows an instant, such as an answer,
// the status feed and a webhook, then shows the same text.
package outward

import (
	std "encoding/json"
	"errors"
	"io"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Instant is the layout of a timestamp, in UTC.
const Instant = "2006-01-02T15:04:05.000Z"

// RawMessage is JSON that is ready.
type RawMessage = std.RawMessage

var options = json.JoinOptions(jsonv1.DefaultOptionsV1(),
	json.WithMarshalers(json.JoinMarshalers(json.MarshalToFunc(writeInstant), json.MarshalToFunc(writeNullable))))

func writeInstant(out *jsontext.Encoder, at time.Time) error {
	return out.WriteToken(jsontext.String(at.UTC().Format(Instant)))
}

// writeNullable writes a value that may be null. These are maps with one entry under true (package
// nullable), which would write what is inside themselves.
func writeNullable(out *jsontext.Encoder, value json.Marshaler) error {
	v := reflect.Indirect(reflect.ValueOf(value))
	if v.Kind() != reflect.Map || v.Type().Key().Kind() != reflect.Bool {
		return errors.ErrUnsupported
	}
	held := v.MapIndex(reflect.ValueOf(true))
	if !held.IsValid() {
		return out.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(out, held.Interface())
}

// Marshal returns a value as JSON. It escapes what HTML would read as markup.
func Marshal(value any) ([]byte, error) { return json.Marshal(value, options) }

// Unmarshal reads JSON as encoding/json does.
func Unmarshal(text []byte, to any) error { return std.Unmarshal(text, to) }

// Encoder writes values one after the other, each on a line.
type Encoder struct {
	to      io.Writer
	options json.Options
}

// NewEncoder returns an encoder that escapes what HTML would read as markup.
func NewEncoder(to io.Writer) *Encoder { return &Encoder{to, options} }

// SetEscapeHTML sets whether what HTML would read as markup is escaped.
func (e *Encoder) SetEscapeHTML(on bool) {
	e.options = json.JoinOptions(e.options, jsontext.EscapeForHTML(on))
}

// Encode writes a value and a line feed.
func (e *Encoder) Encode(value any) error {
	if err := json.MarshalWrite(e.to, value, e.options); err != nil {
		return err
	}
	_, err := e.to.Write([]byte{'\n'})
	return err
}
