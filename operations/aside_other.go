//go:build !linux

package operations

// yieldThread does nothing: only Linux has priorities of threads.
func yieldThread() {}
