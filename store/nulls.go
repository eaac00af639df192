package store

import "math"

// orZero is the zero value where there is none.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// orNil is nil for an empty text or an id of 0, which the database keeps as null.
func orNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// orNone reads a number of which NaN is none.
func orNone(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
