package order

// ImportEnd is how an import ended that did not complete.
type ImportEnd string

// The ends of imports that did not complete.
const (
	// ImportFailed is a fault of ours, or work that was lost.
	ImportFailed ImportEnd = "FAILED"
	// ImportCancelled means that an operator ended it.
	ImportCancelled ImportEnd = "CANCELLED"
)
