package main

import (
	"context"
	"log/slog"
	"strings"
)

// calmly demotes a warning of Temporal's SDK about normal work: a search that
// ends because of a signal has a pending heartbeat, which ends with it.
type calmly struct{ slog.Handler }

// Handle implements slog.Handler.
func (c calmly) Handle(ctx context.Context, r slog.Record) error {
	if r.Level == slog.LevelWarn && strings.HasPrefix(r.Message, "RecordActivityHeartbeat with error") && isCancelled(&r) {
		r.Level = slog.LevelDebug
		if !c.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return c.Handler.Handle(ctx, r)
}

// isCancelled reports whether a line's error is that its work was cancelled.
func isCancelled(r *slog.Record) (is bool) {
	r.Attrs(func(a slog.Attr) bool {
		is = strings.EqualFold(a.Key, "error") && strings.Contains(a.Value.String(), context.Canceled.Error())
		return !is
	})
	return is
}

// WithAttrs implements slog.Handler.
func (c calmly) WithAttrs(attrs []slog.Attr) slog.Handler { return calmly{c.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (c calmly) WithGroup(name string) slog.Handler { return calmly{c.Handler.WithGroup(name)} }
