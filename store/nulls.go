package store

import "math"

// orZero returns *p, or the zero value if p is nil.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// orNil is nil for an empty text or an id of 0, which the database stores as
// null.
func orNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// orNone converts a number, with NaN as none.
func orNone(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
