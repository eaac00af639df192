package planning

import "runtime"

// atLowPriority carries out work that can wait on a thread of its own, to which the system
// prefers all others: callers of the API hardly notice a long search.
func atLowPriority(work func()) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		runtime.LockOSThread() // for good: with the goroutine its thread ends, and so does its low priority
		yieldThread()
		work()
	}()
	if panicked := <-done; panicked != nil {
		panic(panicked)
	}
}
