package stack

import "syscall"

// childAttributes puts a child into a process group of its own, so that the
// terminal's Ctrl-C reaches only the program in charge, and has the system send
// it the stop signal should that program die.
func childAttributes(stop syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: stop}
}
