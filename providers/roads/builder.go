package roads

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"waybill/domain/region"
	"waybill/internal/wait"
	"waybill/providers/regions"
)

// Builder builds the road data that vehicles want and regions lack, one after the other.
type Builder struct {
	folder   regions.Folder
	programs regions.Programs
	source   Source
	logger   *slog.Logger
	// Watch and Now can be set by tests.
	Watch regions.Watch
	Now   func() time.Time
}

// NewBuilder returns a builder for the regions of a folder. Its programs let everything else on the
// machine go first.
func NewBuilder(folder regions.Folder, programs regions.Programs, source Source, logger *slog.Logger) *Builder {
	return &Builder{
		folder: folder, programs: programs, source: source, logger: logger, Now: time.Now,
		Watch: regions.Watch{Yielding: true},
	}
}

// Turn builds all that is due. What fails is noted in the folder of the region, and is due again
// after a pause that doubles, until it has failed too often.
func (b *Builder) Turn(ctx context.Context) error {
	for {
		r, profile, err := b.next(ctx)
		if err != nil || r == nil {
			return err
		}
		if err := b.build(ctx, r, profile); ctx.Err() != nil {
			return ctx.Err()
		} else if errors.Is(err, regions.ErrInUse) || errors.Is(err, regions.ErrGone) {
			return nil // another process is at it, or the region was just removed
		} else if err != nil && !b.isNoted(r, profile) {
			return err
		}
	}
}

// next finds what is due.
func (b *Builder) next(ctx context.Context) (r *region.Region, profile region.Profile, err error) {
	listed, err := b.source.List(ctx)
	if err != nil {
		return nil, "", err
	}
	wanted, err := b.source.Wanted(ctx)
	if err != nil {
		return nil, "", err
	}
	for i := range listed {
		if !listed[i].HasRoads() {
			continue
		}
		states, err := b.states(&listed[i], wanted)
		if errors.Is(err, regions.ErrGone) || errors.Is(err, regions.ErrInUse) {
			continue // the server says so
		}
		if err != nil {
			return nil, "", err
		}
		for j := range states {
			if states[j].IsDue(b.Now()) {
				return &listed[i], states[j].Profile, nil
			}
		}
	}
	return nil, "", nil
}

func (b *Builder) states(r *region.Region, wanted []region.Profile) ([]region.RoadState, error) {
	version, err := b.folder.Use(r)
	if err != nil {
		return nil, err
	}
	states, err := version.RoadStates(wanted)
	return states, errors.Join(err, version.Close())
}

// isNoted reports whether the failure of a build was written down, so that it is not due at once.
func (b *Builder) isNoted(r *region.Region, profile region.Profile) bool {
	states, err := b.states(r, []region.Profile{profile})
	return err == nil && !slices.ContainsFunc(states, func(s region.RoadState) bool { return s.IsDue(b.Now()) })
}

// build builds the road data of a profile, unless the region is replaced or removed meanwhile.
func (b *Builder) build(ctx context.Context, r *region.Region, profile region.Profile) (err error) {
	version, err := b.folder.Use(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, version.Close(), b.sweep(ctx)) }()
	building, cancel := context.WithCancel(ctx)
	defer cancel()
	go b.watch(building, cancel, r, profile)
	logger := b.logger.With("region", r.Name, "profile", profile)
	logger.InfoContext(ctx, "road data are being built")
	err = b.programs.BuildRoads(building, version, profile, b.Now, b.Watch)
	switch {
	case err == nil:
		logger.InfoContext(ctx, "road data built")
	case building.Err() != nil:
		err = regions.ErrGone
	case !errors.Is(err, regions.ErrInUse):
		logger.ErrorContext(ctx, "cannot build road data: plans use the times of any car or truck", "error", err)
	}
	return err
}

// sweep removes the files of a region that was removed during a build.
func (b *Builder) sweep(ctx context.Context) error {
	return b.folder.Sweep(func() ([]region.Region, error) { return b.source.List(ctx) })
}

// watchPause is how long a build that nobody needs any more goes on.
const watchPause = 3 * time.Second

// watch cancels a build whose region is replaced or removed, or whose profile no vehicle has any
// more.
func (b *Builder) watch(ctx context.Context, cancel context.CancelFunc, r *region.Region, profile region.Profile) {
	for wait.For(ctx, watchPause) {
		listed, err := b.source.List(ctx)
		if err != nil {
			continue
		}
		wanted, err := b.source.Wanted(ctx)
		if err != nil {
			continue
		}
		isListed := slices.ContainsFunc(listed, func(l region.Region) bool { return l.Name == r.Name && l.Version == r.Version })
		if !isListed || !slices.Contains(wanted, profile) {
			cancel()
			return
		}
	}
}
