package roads

import (
	"errors"
	"os"
)

// KillEngines kills the processes of all engines.
func (s *Server) KillEngines() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var errs []error
	for _, e := range s.serving {
		e.mu.Lock()
		pid := e.pid
		e.mu.Unlock()
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
