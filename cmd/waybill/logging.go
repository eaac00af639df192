package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// newLogger returns the only logger of a command.
func newLogger(out *os.File, c config) (*slog.Logger, error) {
	return loggerOf(out, isTerminal(out), c, new(slog.LevelVar))
}

// newServiceLogger returns the only logger of a service. Without a terminal its
// lines may be written a moment later, together; the caller flushes it at the
// end. The level follows the variable.
func newServiceLogger(out *os.File, c config, level *slog.LevelVar) (logger *slog.Logger, flush func(), err error) {
	if isTerminal(out) {
		logger, err = loggerOf(out, true, c, level)
		return logger, func() {}, err
	}
	gathered := &lines{out: out}
	if logger, err = loggerOf(gathered, false, c, level); err != nil {
		return nil, nil, err
	}
	return slog.New(promptly{Handler: logger.Handler(), lines: gathered}), gathered.flush, nil
}

// loggerOf returns a logger that writes to a terminal or somewhere else. It
// sets the level of the settings, and follows the variable from then on.
func loggerOf(out io.Writer, watched bool, c config, level *slog.LevelVar) (*slog.Logger, error) {
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("WAYBILL_LOG_LEVEL is %q; it must be debug, info, warn or error", c.LogLevel)
	}
	text := watched
	switch c.LogFormat {
	case "auto":
	case "text", "json":
		text = c.LogFormat == "text"
	default:
		return nil, fmt.Errorf("WAYBILL_LOG_FORMAT is %q; it must be auto, text or json", c.LogFormat)
	}
	if text {
		return slog.New(tint.NewTextHandler(out, &tint.Options{Level: level, NoColor: !watched})), nil
	}
	return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level})), nil
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
