//go:build !linux

package stack

import "syscall"

// childAttributes puts a child into a process group of its own, so that the
// terminal's Ctrl-C reaches only the program in charge.
func childAttributes(syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
