package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// newLogger makes the one logger of the process.
func newLogger(out *os.File, c config) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("WAYBILL_LOG_LEVEL is %q; it must be debug, info, warn or error", c.LogLevel)
	}
	text := isTerminal(out)
	switch c.LogFormat {
	case "auto":
	case "text", "json":
		text = c.LogFormat == "text"
	default:
		return nil, fmt.Errorf("WAYBILL_LOG_FORMAT is %q; it must be auto, text or json", c.LogFormat)
	}
	if text {
		return slog.New(tint.NewTextHandler(out, &tint.Options{Level: level, NoColor: !isTerminal(out)})), nil
	}
	return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level})), nil
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
