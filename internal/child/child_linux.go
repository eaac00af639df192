package child

import (
	"fmt"
	"os"
	"syscall"
)

// maxrssUnit is the unit of the memory that Linux reports.
const maxrssUnit = 1 << 10

// Attributes put a child into a process group of its own, and have the system send it a signal
// when the thread that started it ends.
func Attributes(death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
}

// endFirst has the kernel choose a process before others when memory runs out.
func endFirst(pid int) error {
	const most = "1000"
	path := fmt.Sprintf("/proc/%d/oom_score_adj", pid)
	if err := os.WriteFile(path, []byte(most), 0o600); err != nil {
		return fmt.Errorf("have a program end first: %w", err)
	}
	return nil
}
