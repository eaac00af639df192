package main

import (
	"os"
	"runtime"
)

// halfOfProcessors is how much of a process' share of its host heavy work may
// take: one at least.
func halfOfProcessors() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// fewestImporters are as many chunks as one import needs at a time to be quick: most
// of them wait for the database.
const fewestImporters = 4

// importersShare is how many chunks of imports of one organization a process is
// busy with at a time.
func (c config) importersShare() int { return max(fewestImporters, c.Importers/2) }

// threadsPerProcessor is how many goroutines run at a time for each processor in
// a process.
const threadsPerProcessor = 3

// shareProcessors leaves it to the kernel who of those that can run does. The
// runtime lets each go on for ten milliseconds, however short the others are, and
// looks for what has come over the network as seldom while all are busy; the kernel
// goes to who has had the least. So a quick request does not wait for the heavy ones.
// GOMAXPROCS in the environment is a word that holds.
func shareProcessors() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threadsPerProcessor * runtime.GOMAXPROCS(0))
	}
}
