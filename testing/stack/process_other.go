//go:build !linux

package stack

import "syscall"

// childAttributes puts a child into its own process group, so that the
// terminal's Ctrl-C reaches only the parent.
func childAttributes(syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
