package main

import (
	"os"
	"runtime"
)

// halfOfProcessors is how much of a process' share of its host heavy work may
// take: one at least.
func halfOfProcessors() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// fewestImporters is the concurrency that one import needs to be quick: most of
// its chunks wait for the database.
const fewestImporters = 4

// importersShare is how many chunks of imports of one organization a process is
// busy with at a time.
func (c config) importersShare() int { return max(fewestImporters, c.Importers/2) }

// threadsPerProcessor is how many goroutines run at a time for each processor in
// a process.
const threadsPerProcessor = 3

// shareProcessors leaves scheduling to the kernel. Go's runtime lets each
// goroutine run for ten milliseconds, however short the others are, and polls
// the network rarely while all are busy; the kernel prefers the thread that has
// run least. So a quick request does not wait for heavy ones. A GOMAXPROCS in
// the environment takes precedence.
func shareProcessors() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threadsPerProcessor * runtime.GOMAXPROCS(0))
	}
}
