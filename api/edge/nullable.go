package edge

import (
	"time"

	"github.com/oapi-codegen/nullable"
)

// TimeOrNull returns null for the zero time.
func TimeOrNull(t time.Time) nullable.Nullable[time.Time] {
	if t.IsZero() {
		return nullable.NewNullNullable[time.Time]()
	}
	return nullable.NewNullableWithValue(t.UTC())
}

// InUTC is a time in UTC, or nil.
func InUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

// TextOf is the text of a field, empty when it is absent or null.
func TextOf(value nullable.Nullable[string]) string {
	text, err := value.Get()
	if err != nil {
		return ""
	}
	return text
}

// IDOrNull returns null for 0, which means no id.
func IDOrNull(id int64) nullable.Nullable[int64] { return OrNull(IDOrNone(id)) }

// TextOrNull is null on the wire for an empty text.
func TextOrNull[T ~string](text T) nullable.Nullable[T] {
	if text == "" {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(text)
}

// OrNull is null on the wire for nil.
func OrNull[T any](value *T) nullable.Nullable[T] {
	if value == nil {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(*value)
}

// IDOf is the identifier of a field, 0 when it is absent or null.
func IDOf(value nullable.Nullable[int64]) int64 {
	id, err := value.Get()
	if err != nil {
		return 0
	}
	return id
}
