package main

import (
	"fmt"
	"os"
)

// note tells whoever waits how far things are. The figures go to standard
// output; this does not.
func note(format string, args ...any) {
	_, _ = fmt.Fprintf(os.Stderr, format+"\n", args...)
}
