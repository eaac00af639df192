package core

import (
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"

	"waybill/store"
)

// errPanicked is the error of work that panicked. What it was given makes it do so
// again.
var errPanicked = errors.New("the task panicked")

// Guarded runs work, and makes an error of its panic, which is logged; a nil log
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

// Poisoned reports whether an error comes of what the work was about, so that it
// comes again whenever the work is tried. What breaks a constraint counts, too: it
// may be a race, but is looked at part by part then, which does no harm.
func Poisoned(err error) bool {
	_, refused := store.RefusedData(err)
	return refused || errors.Is(err, errPanicked)
}

// Unstorable reports whether the database refuses data that it will refuse
// again, or the work panics over them. A broken constraint may be a race, and comes right by itself.
func Unstorable(err error) bool {
	code, refused := store.RefusedData(err)
	return refused && !strings.HasPrefix(code, "23") || errors.Is(err, errPanicked)
}
