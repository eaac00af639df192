package stack

import "syscall"

// childAttributes puts a child into its own process group, so that the
// terminal's Ctrl-C reaches only the parent, and makes the system send it the
// stop signal if the parent dies.
func childAttributes(stop syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: stop}
}
