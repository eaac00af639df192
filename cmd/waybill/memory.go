package main

import (
	"os"
	"runtime/debug"
)

// defaultMemoryLimit applies unless the environment sets a limit, which the
// runtime reads itself.
const defaultMemoryLimit = 1 << 30

// limitMemory makes the process return memory before it exceeds its limit.
func (c config) limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(defaultMemoryLimit)
	}
}
