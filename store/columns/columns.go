// Package columns builds the parameters of statements that write many rows: one
// array per column. A statement accepts an empty array, but not a null one.
package columns

import "math"

// Add adds one row's value to a column.
func Add[T any](column *[]T, value T) { *column = append(*column, value) }

// Of collects one value of every item; it is never nil.
func Of[T, V any](items []T, value func(T) V) []V {
	values := make([]V, len(items))
	for i, item := range items {
		values[i] = value(item)
	}
	return values
}

// OrNaN returns NaN for an absent number, which the statements convert to
// null.
func OrNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// OrMinusOne returns -1 for an absent number that cannot be negative, such
// as minutes, which the statements convert to null.
func OrMinusOne[To, From ~int16 | ~int32 | ~int](v *From) To {
	if v == nil {
		return -1
	}
	return To(*v)
}

// YesNo returns the text for an optional flag, which the statements convert to
// null when absent.
func YesNo(flag *bool) string {
	switch {
	case flag == nil:
		return ""
	case *flag:
		return "y"
	}
	return "n"
}
