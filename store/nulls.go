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

// orNil is nil for an empty text, which the database keeps as null.
func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orNaN stands for an absent number in an array, which the statements turn
// into null.
func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// yesNo stands for a flag that may be absent in an array.
func yesNo(flag *bool) string {
	switch {
	case flag == nil:
		return ""
	case *flag:
		return "y"
	}
	return "n"
}

// orMinusOne stands for an absent number of minutes in an array, which the
// statements turn into null.
func orMinusOne[To, From ~int16 | ~int32 | ~int](v *From) To {
	if v == nil {
		return -1
	}
	return To(*v)
}
