//go:build !linux

package planning

// yieldThread does nothing: only Linux has priorities of threads.
func yieldThread() {}
