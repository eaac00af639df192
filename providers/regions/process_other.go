//go:build !linux

package regions

import (
	"os"
	"syscall"
)

func childAttributes() *syscall.SysProcAttr { return nil }

// memoryOf is the most memory that a program used, in bytes.
func memoryOf(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}
