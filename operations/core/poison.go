package core

import (
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"

	"waybill/store"
)

// errPanicked is returned for work that panicked. The same input makes it panic
// again.
var errPanicked = errors.New("the task panicked")

// Guarded runs work, and converts a panic to an error, which it logs; a nil log
// discards it.
func Guarded(log *slog.Logger, work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = errPanicked
			if log != nil {
				log.Error("task panicked", "cause", cause, "stack", string(debug.Stack()))
			}
		}
	}()
	return work()
}

// Poisoned reports whether an error is caused by the input, so that each
// attempt fails. A violated constraint counts, too: it may be a race, but then
// processing the input in parts does no harm.
func Poisoned(err error) bool {
	_, refused := store.RefusedData(err)
	return refused || errors.Is(err, errPanicked)
}

// Unstorable reports whether the database rejects data permanently, or the work
// panics on it. A violated constraint may be a race, which resolves itself.
func Unstorable(err error) bool {
	code, refused := store.RefusedData(err)
	return refused && !strings.HasPrefix(code, "23") || errors.Is(err, errPanicked)
}
