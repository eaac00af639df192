// Package wait waits in a way that a context can end. It is for loops that try
// again; workflow code sleeps with workflow.Sleep.
package wait

import (
	"context"
	"time"
)

// For waits for d and reports whether it waited to the end: it is false as soon
// as ctx ends.
func For(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
