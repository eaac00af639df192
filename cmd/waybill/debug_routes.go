package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
)

// debugRoutes are the routes for the person on call at a process's private
// address: profiles, and the level of its log. The public address never has
// them.
func debugRoutes(r chi.Router, level *levelSwitch) {
	r.Get("/debug/log-level", level.show)
	r.Put("/debug/log-level", level.change)
	// The index also serves heap, goroutine, allocs, block, mutex and threadcreate.
	r.Get("/debug/pprof/", pprof.Index)
	r.Get("/debug/pprof/{profile}", pprof.Index)
	r.Get("/debug/pprof/profile", pprof.Profile)
	r.Get("/debug/pprof/trace", pprof.Trace)
	r.Get("/debug/pprof/symbol", pprof.Symbol)
}

// levelSwitch changes the level of a log while the process runs.
type levelSwitch struct {
	level  *slog.LevelVar
	logger *slog.Logger

	mu      sync.Mutex
	settled slog.Level  // that of WAYBILL_LOG_LEVEL
	back    *time.Timer // nil unless it will be reset
}

func newLevelSwitch(level *slog.LevelVar, logger *slog.Logger) *levelSwitch {
	return &levelSwitch{level: level, logger: logger, settled: level.Level()}
}

func (s *levelSwitch) show(w http.ResponseWriter, _ *http.Request) {
	_, _ = fmt.Fprintln(w, strings.ToLower(s.level.Level().String()))
}

// longestLevel is how much of a body is read: a level is a word.
const longestLevel = 16

// change sets the level in the body. With ?for=15m it resets to that of the
// settings afterwards.
func (s *levelSwitch) change(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, longestLevel))
	var level slog.Level
	if err == nil {
		err = level.UnmarshalText([]byte(strings.TrimSpace(string(body))))
	}
	if err != nil {
		http.Error(w, "the body must be debug, info, warn or error", http.StatusBadRequest)
		return
	}
	var lasts time.Duration
	if text := r.URL.Query().Get("for"); text != "" {
		if lasts, err = time.ParseDuration(text); err != nil || lasts <= 0 {
			http.Error(w, "for must be a duration such as 15m", http.StatusBadRequest)
			return
		}
	}
	s.set(level, lasts)
	s.show(w, r)
}

func (s *levelSwitch) set(level slog.Level, lasts time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.back != nil {
		s.back.Stop()
		s.back = nil
	}
	s.level.Set(min(level, s.level.Level())) // so that the line is logged either way
	s.logger.Warn("log level changed", "level", level.String(), "for", lasts.String())
	s.level.Set(level)
	if lasts > 0 {
		s.back = time.AfterFunc(lasts, func() { s.set(s.settled, 0) })
	}
}
