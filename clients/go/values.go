package waybill

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Date is a day, such as 2026-03-02.
type Date string

// DateOf is the day of a time, in the zone of the time.
func DateOf(t time.Time) Date { return Date(t.Format(time.DateOnly)) }

// Time is midnight of the day, in UTC.
func (d Date) Time() (time.Time, error) { return time.Parse(time.DateOnly, string(d)) }

// Ptr points to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Nullable is a field that you can set to a value, set to null, or leave out. Its zero value
// is left out.
type Nullable[T any] struct {
	value T
	state nullState
}

type nullState int

const (
	leftOut nullState = iota
	isNull
	isSet
)

// Value sets a field to a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{value, isSet} }

// Null sets a field to null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: isNull} }

// Get returns the value, and false when there is none.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == isSet }

// IsNull reports whether the field is null.
func (n Nullable[T]) IsNull() bool { return n.state == isNull }

// IsZero reports whether the field is left out.
func (n Nullable[T]) IsZero() bool { return n.state == leftOut }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != isSet {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Null[T]()
		return nil
	}
	n.state = isSet
	return json.Unmarshal(text, &n.value)
}

// query are the parameters of a query.
type query url.Values

// add adds a parameter, unless it is zero. Lists are separated by commas.
func (q query) add(name string, value any) {
	v := reflect.ValueOf(value)
	if v.IsZero() {
		return
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		url.Values(q).Set(name, t.Format(time.RFC3339Nano))
		return
	}
	if v.Kind() != reflect.Slice {
		url.Values(q).Set(name, fmt.Sprint(v.Interface()))
		return
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = fmt.Sprint(v.Index(i).Interface())
	}
	url.Values(q).Set(name, strings.Join(parts, ","))
}

// segment is a value as a part of a path.
func segment(value any) string { return url.PathEscape(fmt.Sprint(value)) }

// valueOf is a copy of parameters, which can be nil.
func valueOf[T any](params *T) T {
	if params == nil {
		var none T
		return none
	}
	return *params
}
