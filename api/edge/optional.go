package edge

// OrEmpty is a text that may be absent; nil is empty.
func OrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// IDOrNone returns nil for 0, which means no id.
func IDOrNone(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// IsTrue reports whether a flag is given and true.
func IsTrue(flag *bool) bool { return flag != nil && *flag }
