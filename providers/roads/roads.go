// Package roads serves the road data of all regions at one address, as OSRM's own server does
// for one.
package roads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"waybill/domain/region"
	"waybill/providers/regions"
)

// Server answers OSRM's requests, each by the region that holds its coordinates.
type Server struct {
	folder   regions.Folder
	programs regions.Programs
	list     regions.List
	logger   *slog.Logger

	mu sync.RWMutex
	// serving are the regions that requests are sent to, sorted by name.
	serving []*engine
	// amiss is what the last refresh could not do.
	amiss error
	// listed is true once the regions were listed.
	listed bool
}

// New returns a server for the regions of a list. It answers nothing before Run or Refresh.
func New(folder regions.Folder, programs regions.Programs, list regions.List, logger *slog.Logger) *Server {
	return &Server{folder: folder, programs: programs, list: list, logger: logger}
}

// Run follows the list of regions until ctx ends, and then stops all engines.
func (s *Server) Run(ctx context.Context) error {
	regions.Follow(ctx, s.logger, s.Refresh)
	return s.Close()
}

// Close stops all engines.
func (s *Server) Close() error {
	s.mu.Lock()
	all := s.serving
	s.serving = nil
	s.mu.Unlock()
	var errs []error
	for _, e := range all {
		errs = append(errs, e.stop())
	}
	return errors.Join(errs...)
}

// Check reports what keeps the server from answering for all regions.
func (s *Server) Check(ctx context.Context) error {
	s.mu.RLock()
	serving, amiss, listed := slices.Clone(s.serving), s.amiss, s.listed
	s.mu.RUnlock()
	switch {
	case amiss != nil:
		return amiss
	case !listed:
		return errors.New("the regions are being loaded")
	case len(serving) == 0:
		return errors.New("no region has road data: waybill region add builds it")
	}
	var errs []error
	for _, e := range serving {
		if err := e.answers(ctx); err != nil {
			errs = append(errs, fmt.Errorf("region %s: %w", e.region.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Refresh starts the engines of new versions, and then stops those of earlier ones, so that
// every request is answered. What cannot be started is tried again later, and the earlier
// version answers until then.
func (s *Server) Refresh(ctx context.Context) error {
	err := s.refresh(ctx)
	s.mu.Lock()
	s.amiss, s.listed = err, s.listed || err == nil
	s.mu.Unlock()
	return err
}

func (s *Server) refresh(ctx context.Context) error {
	listed, err := s.list(ctx)
	if err != nil {
		return err
	}
	s.mu.RLock()
	present := slices.Clone(s.serving)
	s.mu.RUnlock()
	var next []*engine
	var errs []error
	for i := range listed {
		r := &listed[i]
		if !r.HasRoads() {
			continue
		}
		before := engineOf(present, r.Name)
		if before != nil && before.region.Version == r.Version {
			next = append(next, before)
			continue
		}
		started, err := startEngine(ctx, s.folder, s.programs, r, s.logger)
		if err != nil {
			errs = append(errs, fmt.Errorf("region %s: %w", r.Name, err))
			started = before
		}
		if started != nil {
			next = append(next, started)
		}
	}
	return errors.Join(append(errs, s.put(ctx, present, next))...)
}

func engineOf(all []*engine, name string) *engine {
	at := slices.IndexFunc(all, func(e *engine) bool { return e.region.Name == name })
	if at < 0 {
		return nil
	}
	return all[at]
}

// put sends new requests to other engines, waits for the requests of the earlier ones, and stops
// those.
func (s *Server) put(ctx context.Context, present, next []*engine) error {
	s.mu.Lock()
	s.serving = next
	s.mu.Unlock()
	var errs []error
	stopped := false
	for _, e := range present {
		if !slices.Contains(next, e) {
			stopped = true
			s.logger.InfoContext(ctx, "region replaced or removed", "region", e.region.Name, "version", e.region.Version)
			errs = append(errs, e.stop())
		}
	}
	if stopped {
		err := s.folder.Sweep(func() ([]region.Region, error) { return s.list(ctx) })
		if err != nil {
			s.logger.WarnContext(ctx, "cannot remove the files of earlier regions", "error", err)
		}
	}
	return errors.Join(errs...)
}
