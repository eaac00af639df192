package main

import (
	"os"
	"runtime/debug"
)

// defaultMemoryLimit holds where the environment does not say; the runtime itself
// reads what it does say.
const defaultMemoryLimit = 1 << 30

// limitMemory has the process give memory back before it has more than it may.
func (c config) limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(defaultMemoryLimit)
	}
}
