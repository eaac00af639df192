package places

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/region"
	"waybill/providers/regions"
	"waybill/providers/registers"
	"waybill/store/places"
)

// Regions builds and removes regions, as the owner of the tables.
type Regions struct {
	Owner    *places.Owner
	Register *places.Register
	Folder   regions.Folder
	Programs regions.Programs
	Watch    regions.Watch
	Now      func() time.Time
	// MostProfiles is how many profiles road data are built for.
	MostProfiles int
}

// Extract is an extract to build a region from.
type Extract struct {
	Path, Name string
	// Country is the country of addresses without one, or empty to detect it.
	Country string
	// Bounds limits the tiles and the requests for roads; by default, they are those of the
	// extract.
	Bounds *region.Bounds
	// Without are the parts that are not built.
	Without []region.Part
	// Again builds a region that is already built from the same extract.
	Again bool
}

// has reports whether a part is wanted.
func (e *Extract) has(part region.Part) bool { return !slices.Contains(e.Without, part) }

// Added is the result of building a region.
type Added struct {
	region.Region
	// Unchanged is true if the region was already built from the extract.
	Unchanged bool
	// Country is the detected country of addresses without one.
	Country string
	// Profiles are those for which road data were built now, and Failed those for which they
	// could not be built.
	Profiles []region.Profile
	Failed   map[region.Profile]error
}

// ErrNotAnExtract is returned for a file that is no extract of OpenStreetMap.
var ErrNotAnExtract = errors.New("a region is built from an OpenStreetMap extract (.osm.pbf)")

// List lists the regions that are in use.
func (r *Regions) List(ctx context.Context) ([]region.Region, error) { return r.Register.Regions(ctx) }

// Sweep removes the files of interrupted builds and of versions that nobody uses any more.
func (r *Regions) Sweep(ctx context.Context) error {
	return r.Folder.Sweep(func() ([]region.Region, error) { return r.List(ctx) })
}

// Add builds a region and replaces the one of that name, when all of its parts are ready. Until
// then, and if anything fails, the earlier one stays in use.
func (r *Regions) Add(ctx context.Context, e Extract) (added Added, err error) {
	if err := region.CheckName(e.Name); err != nil {
		return added, err
	}
	if err := r.Owner.Lock(ctx); err != nil {
		return added, err
	}
	if err := r.Sweep(ctx); err != nil {
		return added, err
	}
	if added.Region, err = r.describe(ctx, &e); err != nil {
		return added, err
	}
	if added.Unchanged, err = r.isBuilt(ctx, &e, &added.Region); err != nil {
		return added, err
	}
	if err := r.checkPrograms(&e); err != nil {
		return added, err
	}
	if added.Unchanged {
		return added, r.complete(ctx, &added)
	}
	version, err := r.Folder.Create(added.Name, added.Version)
	if err != nil {
		return added, err
	}
	err = r.build(ctx, &e, version, &added)
	err = errors.Join(err, version.Close())
	// If the build failed, this removes its files; otherwise those of the one before.
	return added, errors.Join(err, r.Sweep(context.WithoutCancel(ctx)))
}

// describe returns the region that an extract would become.
func (r *Regions) describe(ctx context.Context, e *Extract) (described region.Region, err error) {
	file, err := registers.Open(e.Path, e.Country)
	if errors.Is(err, registers.ErrUnknownFormat) || err == nil && file.Format.Name != registers.OpenStreetMap.Name {
		return described, fmt.Errorf("%s: %w", e.Path, ErrNotAnExtract)
	}
	if err != nil {
		return described, err
	}
	described.Name, described.Attribution = e.Name, file.Format.Attribution
	if described.Fingerprint, err = file.Fingerprint(); err != nil {
		return described, err
	}
	described.Version = r.Now().UTC().Format("20060102T150405.000Z")
	if e.Bounds != nil {
		described.Bounds = *e.Bounds
		return described, described.Bounds.Check()
	}
	described.Bounds, err = regions.BoundsOf(ctx, e.Path)
	return described, err
}

// isBuilt reports whether the region in use is what would be built, with its files.
func (r *Regions) isBuilt(ctx context.Context, e *Extract, described *region.Region) (bool, error) {
	all, err := r.List(ctx)
	if err != nil || e.Again {
		return false, err
	}
	at := slices.IndexFunc(all, func(known region.Region) bool { return known.Name == described.Name })
	if at < 0 || all[at].Fingerprint != described.Fingerprint || all[at].Bounds != described.Bounds ||
		e.has(region.Roads) != all[at].HasRoads() || e.has(region.Tiles) != all[at].HasTiles() {
		return false, nil
	}
	used, err := r.Folder.Use(&all[at])
	if errors.Is(err, regions.ErrGone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if e.has(region.Roads) && (!used.HasSource() || !used.HasRoads(region.Cars)) {
		return false, used.Close()
	}
	*described = all[at]
	return true, used.Close()
}

func (r *Regions) checkPrograms(e *Extract) error {
	var roads, tiles error
	if e.has(region.Roads) {
		roads = r.Programs.CheckRoads()
	}
	if e.has(region.Tiles) {
		tiles = r.Programs.CheckTiles()
	}
	return errors.Join(roads, tiles)
}

// build builds all parts, and switches to them.
func (r *Regions) build(ctx context.Context, e *Extract, version *regions.Version, added *Added) (err error) {
	if e.has(region.Roads) {
		if err := version.KeepSource(e.Path); err != nil {
			return err
		}
		if added.RoadBytes, err = r.buildRoads(ctx, version, added); err != nil {
			return err
		}
	}
	if e.has(region.Tiles) {
		added.TileBytes, err = r.Programs.BuildTiles(ctx, version, e.Path, added.Bounds, r.Watch)
		if err != nil {
			return err
		}
	}
	load := &Load{Owner: r.Owner, Country: e.Country, Said: r.Watch.Said}
	if load.Said == nil {
		load.Said = func(string) {}
	}
	loaded, err := load.file(ctx, e.Path, e.Name, &added.Region)
	added.Country, added.Addresses = loaded.Country, loaded.Addresses
	return err
}

// Profiles lists the profiles that road data are built for, and those beyond the limit.
func (r *Regions) Profiles(ctx context.Context) (wanted, beyond []region.Profile, err error) {
	all, err := r.Register.RoadProfiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	most := min(len(all), max(1, r.MostProfiles))
	return all[:most], all[most:], nil
}

// buildRoads builds the road data of all profiles, and returns the size of those of cars. It fails
// if those of cars cannot be built. Others are tried again by waybill roads.
func (r *Regions) buildRoads(ctx context.Context, version *regions.Version, added *Added) (size int64, err error) {
	wanted, _, err := r.Profiles(ctx)
	if err != nil {
		return 0, err
	}
	for _, profile := range wanted {
		if version.HasRoads(profile) {
			continue
		}
		watch := r.Watch
		if said := watch.Said; said != nil {
			watch.Said = func(text string) { said(string(profile) + ": " + text) }
		}
		err := r.Programs.BuildRoads(ctx, version, profile, r.Now, watch)
		switch {
		case err == nil:
			added.Profiles = append(added.Profiles, profile)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case profile == region.Cars:
			return 0, err
		case !errors.Is(err, regions.ErrInUse): // waybill roads is at it
			if added.Failed == nil {
				added.Failed = map[region.Profile]error{}
			}
			added.Failed[profile] = err
		}
	}
	cars, err := version.RoadState(region.Cars)
	return cars.Bytes, err
}

// complete builds the road data that a region in use lacks.
func (r *Regions) complete(ctx context.Context, added *Added) error {
	if !added.HasRoads() {
		return nil
	}
	version, err := r.Folder.Use(&added.Region)
	if err != nil {
		return err
	}
	_, err = r.buildRoads(ctx, version, added)
	return errors.Join(err, version.Close())
}

// RoadStates describes the road data of a region on this host: of the profiles that are wanted, and
// of others that are left from earlier.
func (r *Regions) RoadStates(one *region.Region, wanted []region.Profile) ([]region.RoadState, error) {
	version, err := r.Folder.Use(one)
	if err != nil {
		return nil, err
	}
	states, err := version.RoadStates(wanted)
	return states, errors.Join(err, version.Close())
}

// Remove removes a region with its addresses and its files. Files that are in use are removed by
// their last user. It returns false if there is no such region.
func (r *Regions) Remove(ctx context.Context, name string) (removed bool, err error) {
	if err := r.Owner.Lock(ctx); err != nil {
		return false, err
	}
	if removed, err = r.Owner.RemoveRegion(ctx, name); err != nil {
		return false, err
	}
	return removed, r.Sweep(ctx)
}
