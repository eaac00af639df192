package store

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
