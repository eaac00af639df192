// Package roads serves the road data of all regions at one address, as OSRM's own server does
// for one, and builds those of classes of vehicles that are new.
package roads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"waybill/domain/place"
	"waybill/domain/region"
	"waybill/providers/regions"
)

// Wanted lists the profiles that vehicles have.
type Wanted func(context.Context) ([]region.Profile, error)

// Source says which road data there should be.
type Source struct {
	List   regions.List
	Wanted Wanted
}

// Server answers OSRM's requests, each by the region that holds its coordinates and the data of
// its profile.
type Server struct {
	folder   regions.Folder
	programs regions.Programs
	source   Source
	logger   *slog.Logger
	now      func() time.Time

	mu sync.RWMutex
	// serving are the engines that requests are sent to.
	serving []*engine
	// amiss is what the last refresh could not do.
	amiss error
	// expected are the regions with road data, and listed is true once they are known.
	expected []region.Bounds
	listed   bool

	// refreshing is held by one refresh at a time, which alone uses what is below.
	refreshing sync.Mutex
	// unwanted is since when no vehicle has the profile of served data, and broken is until when
	// data of a class that cannot be served are left alone.
	unwanted, broken map[region.Data]time.Time
}

const (
	// unwantedFor is how long data that no vehicle uses any more are kept.
	unwantedFor = time.Hour
	// brokenFor is how long data of a class that cannot be served are left alone.
	brokenFor = 5 * time.Minute
)

// New returns a server for the regions of a list. It answers nothing before Run or Refresh.
func New(folder regions.Folder, programs regions.Programs, source Source, logger *slog.Logger) *Server {
	return &Server{
		folder: folder, programs: programs, source: source, logger: logger, now: time.Now,
		unwanted: map[region.Data]time.Time{}, broken: map[region.Data]time.Time{},
	}
}

// Run follows the list of regions and builds what is missing until ctx ends, and then stops all
// engines.
func (s *Server) Run(ctx context.Context) error {
	var building sync.WaitGroup
	building.Go(func() {
		builder := NewBuilder(s.folder, s.programs, s.source, s.logger)
		regions.Follow(ctx, s.logger, builder.Turn)
	})
	regions.Follow(ctx, s.logger, s.Refresh)
	building.Wait()
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

// Data lists what the server answers for.
func (s *Server) Data() []region.Data {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]region.Data, 0, len(s.serving))
	for _, e := range s.serving {
		all = append(all, e.data)
	}
	return all
}

// Check reports what keeps the server from answering for all regions. Classes without data are no
// reason to send it no requests.
func (s *Server) Check(ctx context.Context) error {
	s.mu.RLock()
	serving, amiss, listed, expected := slices.Clone(s.serving), s.amiss, s.listed, len(s.expected)
	s.mu.RUnlock()
	switch {
	case amiss != nil:
		return amiss
	case !listed, len(serving) == 0 && expected > 0:
		return errors.New("the regions are being loaded")
	case len(serving) == 0:
		return errors.New("no region has road data: waybill region add builds it")
	}
	var errs []error
	for _, e := range serving {
		if e.data.Profile != region.Cars {
			continue
		}
		if err := e.answers(ctx); err != nil {
			errs = append(errs, fmt.Errorf("region %s: %w", e.data.Region, err))
		}
	}
	return errors.Join(errs...)
}

// Refresh starts the engines of new data, and then stops those of earlier versions, so that every
// request is answered. What cannot be started is tried again later, and the earlier version
// answers until then.
func (s *Server) Refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	err := s.refresh(ctx)
	s.mu.Lock()
	s.amiss = err
	s.mu.Unlock()
	return err
}

// expect notes which regions there should be.
func (s *Server) expect(listed []region.Region) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected, s.listed = nil, true
	for i := range listed {
		if listed[i].HasRoads() {
			s.expected = append(s.expected, listed[i].Bounds)
		}
	}
}

// isStarting reports whether one of the positions lies where road data should be served, and are
// not yet, or not at the moment.
func (s *Server) isStarting(positions []place.Position) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return !s.listed || slices.ContainsFunc(positions, func(at place.Position) bool {
		one := []place.Position{at}
		return len(region.Holding(s.expected, one)) > 0 && len(region.Holding(boundsOf(s.serving), one)) == 0
	})
}

func (s *Server) refresh(ctx context.Context) error {
	listed, err := s.source.List(ctx)
	if err != nil {
		return err
	}
	wanted, err := s.source.Wanted(ctx)
	if err != nil {
		return err
	}
	s.expect(listed)
	s.mu.RLock()
	present := slices.Clone(s.serving)
	s.mu.RUnlock()
	var next []*engine
	var errs []error
	for i := range listed {
		if !listed[i].HasRoads() {
			continue
		}
		engines, err := s.engines(ctx, &listed[i], wanted, present)
		next = append(next, engines...)
		if err != nil {
			errs = append(errs, fmt.Errorf("region %s: %w", listed[i].Name, err))
		}
	}
	return errors.Join(append(errs, s.put(ctx, present, next))...)
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
			e.logger.InfoContext(ctx, "road data replaced or removed", "version", e.data.Version)
			errs = append(errs, e.stop())
		}
	}
	if stopped {
		err := s.folder.Sweep(func() ([]region.Region, error) { return s.source.List(ctx) })
		if err != nil {
			s.logger.WarnContext(ctx, "cannot remove the files of earlier regions", "error", err)
		}
	}
	return errors.Join(errs...)
}
