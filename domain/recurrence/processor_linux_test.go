package recurrence_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ofThisThread is RUSAGE_THREAD of getrusage(2).
const ofThisThread = 1

// processorTime returns how long work kept a processor busy. A clock would also
// count how long others did.
func processorTime(t *testing.T, work func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := usedSoFar(t)
	work()
	return usedSoFar(t) - before
}

func usedSoFar(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(ofThisThread, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
