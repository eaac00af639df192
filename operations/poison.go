package operations

import (
	"errors"
	"log/slog"
	"runtime/debug"

	"waybill/store"
)

// errPanicked is the error of work that panicked. What it was given makes it do so
// again.
var errPanicked = errors.New("the task panicked")

// guarded runs work, and makes an error of its panic, which is logged.
func (o *Operations) guarded(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = errPanicked
			o.logger().Error("task panicked", "cause", cause, "stack", string(debug.Stack()))
		}
	}()
	return work()
}

func (o *Operations) logger() *slog.Logger {
	if o.settings.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.settings.Logger
}

// poisoned reports whether an error comes of what the work was about, so that it
// comes again whenever the work is tried. What breaks a constraint counts, too: it
// may be a race, but is looked at part by part then, which does no harm.
func poisoned(err error) bool {
	_, refused := store.RefusedData(err)
	return refused || errors.Is(err, errPanicked)
}
