package main

import (
	"fmt"
	"os"
)

// note prints the progress. The figures go to standard output; this does not.
func note(format string, args ...any) {
	_, _ = fmt.Fprintf(os.Stderr, format+"\n", args...)
}
