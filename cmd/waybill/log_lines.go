package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Limits of a batch of log lines, in time and bytes.
const (
	linesWait = 50 * time.Millisecond
	linesMost = 32 << 10
)

// lines collects log lines and writes them together: one write per request
// would take a tenth of the time of small reads.
type lines struct {
	out io.Writer

	mu      sync.Mutex
	waiting []byte
	isTimed bool
}

// Write keeps a line until linesWait has passed, or linesMost lines wait.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, line...)
	if len(l.waiting) >= linesMost {
		return len(line), l.write()
	}
	if !l.isTimed {
		l.isTimed = true
		time.AfterFunc(linesWait, l.flush)
	}
	return len(line), nil
}

// flush writes the collected lines.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isTimed = false
	_ = l.write() // there is nowhere to report a log that can't be written
}

func (l *lines) write() error {
	if len(l.waiting) == 0 {
		return nil
	}
	_, err := l.out.Write(l.waiting)
	l.waiting = l.waiting[:0]
	return err
}

// promptly writes warnings and errors at once, with all lines before them: they
// may be the last of a process.
type promptly struct {
	slog.Handler

	lines *lines
}

// Handle implements slog.Handler.
func (p promptly) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (p promptly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptly{Handler: p.Handler.WithAttrs(attrs), lines: p.lines}
}

// WithGroup implements slog.Handler.
func (p promptly) WithGroup(name string) slog.Handler {
	return promptly{Handler: p.Handler.WithGroup(name), lines: p.lines}
}
