package main

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writes keeps each write.
type writes struct {
	mu  sync.Mutex
	all []string
}

func (w *writes) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, string(text))
	return len(text), nil
}

func (w *writes) seen() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.all...)
}

func TestLogLinesAreBatched(t *testing.T) {
	t.Parallel()
	out := &writes{}
	gathered := &lines{out: out}
	json, err := loggerOf(gathered, false, config{LogLevel: "info", LogFormat: "json"}, new(slog.LevelVar))
	require.NoError(t, err)
	logger := slog.New(promptly{Handler: json.Handler(), lines: gathered}).With("service", "serve").WithGroup("request")

	logger.Info("first")
	logger.Info("second")
	require.Eventually(t, func() bool { return len(out.seen()) > 0 }, time.Minute, time.Millisecond, "nobody has to flush")
	said := strings.Join(out.seen(), "")
	require.Less(t, strings.Index(said, "first"), strings.Index(said, "second"), said)

	logger.Info("before it", "id", 7)
	logger.Warn("a warning")
	last := out.seen()[len(out.seen())-1]
	require.Contains(t, last, "a warning", "it is written at once")
	require.Contains(t, strings.Join(out.seen(), ""), `"request":{"id":7}`, "with all before it")

	logger.Info(strings.Repeat("x", linesMost))
	require.Contains(t, out.seen()[len(out.seen())-1], "xxx", "much does not wait")
	for range 100 {
		logger.Info("at last")
	}
	gathered.flush()
	require.Equal(t, 100, strings.Count(strings.Join(out.seen(), ""), "at last"), "nothing is lost or doubled")
	for _, text := range out.seen() {
		require.True(t, strings.HasSuffix(text, "}\n"), "lines are whole")
	}
}
