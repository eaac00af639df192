package roads

import (
	"errors"
	"syscall"
	"time"
)

// KillEngines kills the processes of all engines.
func (s *Server) KillEngines() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var errs []error
	for _, e := range s.serving {
		e.mu.Lock()
		running := e.running
		e.mu.Unlock()
		if running == nil {
			errs = append(errs, errDown)
			continue
		}
		running.Signal(syscall.SIGKILL)
	}
	return errors.Join(errs...)
}

// SetClock sets the clock of the server.
func (s *Server) SetClock(now func() time.Time) { s.now = now }
