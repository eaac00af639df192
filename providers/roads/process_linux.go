package roads

import "syscall"

// childAttributes makes the system kill an engine whose parent dies, and keeps the terminal's
// Ctrl-C from it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
