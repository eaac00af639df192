package waybill

// eachPage yields the entries of page after page, until there is no more page, one of them
// cannot be read, or the loop ends.
func eachPage[T any](yield func(T, error) bool, read func() (entries []T, more bool, err error)) {
	for {
		entries, more, err := read()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, entry := range entries {
			if !yield(entry, nil) {
				return
			}
		}
		if !more {
			return
		}
	}
}
