package regions

import (
	"os"
	"syscall"
)

// childAttributes makes the system kill a builder whose parent dies.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// memoryOf is the most memory that a program used, in bytes.
func memoryOf(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
