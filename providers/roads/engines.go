package roads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/domain/region"
	"waybill/providers/regions"
)

// engines returns the engines of a region: those that run, and new ones for data that are new.
// The data of cars must be served. A class that cannot be served is left out.
func (s *Server) engines(
	ctx context.Context, r *region.Region, wanted []region.Profile, present []*engine,
) (engines []*engine, err error) {
	version, err := s.folder.Use(r)
	if err != nil {
		return ofRegion(present, r.Name), err
	}
	defer func() { err = errors.Join(err, version.Close()) }()
	ready, err := version.ReadyRoads()
	if err != nil || !slices.Contains(ready, region.Cars) {
		return ofRegion(present, r.Name), cmp.Or(err, fmt.Errorf("%w: %s", regions.ErrGone, version.Roads(region.Cars)))
	}
	for _, profile := range ready {
		data := region.Data{Region: r.Name, Version: r.Version, Bounds: r.Bounds, Profile: profile}
		if s.isOver(data, wanted) {
			err = errors.Join(err, version.RemoveRoads(profile))
			continue
		}
		e, failure := s.engine(ctx, version, &data, present)
		if e != nil {
			engines = append(engines, e)
		}
		if failure != nil && profile == region.Cars {
			err = errors.Join(err, failure)
		}
	}
	return engines, err
}

// isOver reports whether no vehicle has used data for long enough.
func (s *Server) isOver(data region.Data, wanted []region.Profile) bool {
	if data.Profile == region.Cars || slices.Contains(wanted, data.Profile) {
		delete(s.unwanted, data)
		return false
	}
	since, known := s.unwanted[data]
	if !known {
		s.unwanted[data] = s.now()
		return false
	}
	if s.now().Sub(since) < unwantedFor {
		return false
	}
	delete(s.unwanted, data)
	return true
}

// engine returns the engine of data. If a new one cannot be started, it is that of the version
// before, if there is one.
func (s *Server) engine(
	ctx context.Context, version *regions.Version, data *region.Data, present []*engine,
) (*engine, error) {
	at := slices.IndexFunc(present, func(e *engine) bool {
		return e.data.Region == data.Region && e.data.Profile == data.Profile
	})
	var before *engine
	if at >= 0 {
		before = present[at]
	}
	if before != nil && before.data == *data {
		return before, nil
	}
	if s.now().Before(s.broken[*data]) {
		return before, nil
	}
	delete(s.broken, *data)
	started, err := startEngine(ctx, s.folder, s.programs, data, s.logger)
	if err == nil {
		return started, version.NoteServed(data.Profile, nil)
	}
	if data.Profile != region.Cars && ctx.Err() == nil {
		s.broken[*data] = s.now().Add(brokenFor)
		err = errors.Join(err, version.NoteServed(data.Profile, err))
		s.logger.ErrorContext(ctx, "cannot serve the road data of a class", "region", data.Region, "profile", data.Profile,
			"again_in", brokenFor, "error", err)
	}
	return before, err
}

func ofRegion(present []*engine, name string) (engines []*engine) {
	for _, e := range present {
		if e.data.Region == name {
			engines = append(engines, e)
		}
	}
	return engines
}
