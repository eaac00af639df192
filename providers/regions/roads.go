package regions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"waybill/domain/region"
	"waybill/internal/osrm"
	"waybill/providers/travel/profiles"
)

// The road data of a version are in a folder per profile. It appears by one rename, when they are
// ready. Until then, the builder works in a folder with another name, and holds its lock.
const (
	roadsName  = "roads"
	sourceName = "extract.osm.pbf"
	partSuffix = ".part"
	noteSuffix = ".json"
)

// ErrNoExtract is returned for a version without the extract that road data are built from.
var ErrNoExtract = errors.New("the extract is missing: build the region again with waybill region add")

// Source is the path of the extract.
func (v *Version) Source() string { return filepath.Join(v.Path, sourceName) }

// Roads is the path of the road data of a profile, as OSRM's programs take it.
func (v *Version) Roads(p region.Profile) string { return filepath.Join(v.roads(p), osrm.Data) }

func (v *Version) roads(p region.Profile) string { return filepath.Join(v.Path, roadsName, string(p)) }

// KeepSource copies an extract into the version, from which road data are built now and later.
func (v *Version) KeepSource(extract string) error {
	from, err := os.Open(extract) //nolint:gosec // the operator names it
	if err != nil {
		return fmt.Errorf("copy the extract: %w", err)
	}
	defer func() { _ = from.Close() }()
	to, err := os.Create(v.Source())
	if err != nil {
		return fmt.Errorf("copy the extract: %w", err)
	}
	_, err = to.ReadFrom(from)
	if err = errors.Join(err, to.Close()); err != nil {
		return fmt.Errorf("copy the extract: %w", err)
	}
	return nil
}

// HasSource reports whether road data can be built from the version.
func (v *Version) HasSource() bool {
	_, err := os.Stat(v.Source())
	return err == nil
}

// HasRoads reports whether the road data of a profile are ready.
func (v *Version) HasRoads(p region.Profile) bool {
	_, err := os.Stat(v.roads(p))
	return err == nil
}

// ReadyRoads lists the profiles whose road data are ready.
func (v *Version) ReadyRoads() (ready []region.Profile, err error) {
	entries, err := os.ReadDir(filepath.Join(v.Path, roadsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the road data: %w", err)
	}
	for _, entry := range entries {
		if profile, ok := region.ProfileNamed(entry.Name()); ok && entry.IsDir() {
			ready = append(ready, profile)
		}
	}
	return ready, nil
}

// RoadState describes the road data of a profile.
func (v *Version) RoadState(p region.Profile) (state region.RoadState, err error) {
	state = region.RoadState{Profile: p, Phase: region.Waiting}
	if state.Attempt, err = v.attempt(p); err != nil {
		return state, err
	}
	if v.HasRoads(p) {
		state.Phase = region.Ready
		state.Bytes, err = sizeOf(v.roads(p))
		return state, err
	}
	switch part, err := lock(v.roads(p)+partSuffix, os.O_RDONLY, syscall.LOCK_SH); {
	case errors.Is(err, ErrInUse):
		state.Phase = region.Building
		return state, nil
	case err == nil:
		_ = part.Close()
	case !errors.Is(err, ErrGone):
		return state, err
	}
	if state.Tries > 0 && state.Failure == "" {
		state.Failure = "the build was interrupted"
	}
	if state.Exhausted() {
		state.Phase = region.Failed
	}
	return state, nil
}

func (v *Version) attempt(p region.Profile) (a region.Attempt, err error) {
	text, err := os.ReadFile(v.roads(p) + noteSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, fmt.Errorf("read how the road data are: %w", err)
	}
	return a, nil
}

// note writes an attempt, by one rename.
func (v *Version) note(p region.Profile, a region.Attempt) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("note how the road data are: %w", err)
	}
	name := v.roads(p) + noteSuffix
	if err := os.WriteFile(name+partSuffix, text, 0o644); err != nil { //nolint:gosec // other accounts may read it
		return fmt.Errorf("note how the road data are: %w", err)
	}
	if err := os.Rename(name+partSuffix, name); err != nil {
		return fmt.Errorf("note how the road data are: %w", err)
	}
	return nil
}

// NoteServed notes why ready data cannot be served, or that they can if failure is nil.
func (v *Version) NoteServed(p region.Profile, failure error) error {
	if failure != nil {
		return v.note(p, region.Attempt{Failure: failure.Error()})
	}
	if err := os.Remove(v.roads(p) + noteSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("note that road data are served: %w", err)
	}
	return nil
}

// RemoveRoads removes the road data of a profile and what is known of them.
func (v *Version) RemoveRoads(p region.Profile) error {
	gone := v.roads(p) + partSuffix + partSuffix // nobody takes half of them for ready
	err := os.Rename(v.roads(p), gone)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, os.RemoveAll(gone), os.RemoveAll(v.roads(p)+partSuffix))
	if note := os.Remove(v.roads(p) + noteSuffix); !errors.Is(note, fs.ErrNotExist) {
		err = errors.Join(err, note)
	}
	if err != nil {
		return fmt.Errorf("remove the road data of %s: %w", p, err)
	}
	return nil
}

// BuildRoads builds the road data of a profile, unless they are ready. They are there all at once
// or not at all. It returns ErrInUse while another process builds them. A failure is noted, and so
// is a builder that ends without a word; RoadState returns it.
func (p Programs) BuildRoads(ctx context.Context, v *Version, profile region.Profile, now func() time.Time, w Watch) error {
	if err := os.MkdirAll(filepath.Dir(v.roads(profile)), 0o755); err != nil { //nolint:gosec // streets are public
		return fmt.Errorf("build road data: %w", err)
	}
	part, err := create(v.roads(profile) + partSuffix)
	if errors.Is(err, ErrGone) { // another process has just finished
		return ErrInUse
	}
	if err != nil {
		return err
	}
	if v.HasRoads(profile) {
		return part.Discard()
	}
	before, err := v.attempt(profile)
	if err != nil {
		return errors.Join(err, part.Discard())
	}
	b := &roadBuild{version: v, part: part, profile: profile, attempt: before.Again(now()), watch: w}
	err = b.run(ctx, p)
	switch {
	case err == nil:
		return b.finish()
	case ctx.Err() != nil: // it was not the build's fault
		return errors.Join(ctx.Err(), v.note(profile, before), part.Discard())
	}
	b.attempt.Failure = err.Error()
	return errors.Join(err, v.note(profile, b.attempt), part.Discard())
}

// roadBuild is a build under way.
type roadBuild struct {
	version *Version
	part    *Version
	profile region.Profile
	attempt region.Attempt
	watch   Watch
}

// run runs the programs one after the other.
func (b *roadBuild) run(ctx context.Context, p Programs) error {
	if !b.version.HasSource() {
		return ErrNoExtract
	}
	profile, err := b.prepare(p)
	if err != nil {
		return err
	}
	extract, err := os.Stat(filepath.Join(b.part.Path, osrm.Source))
	if err != nil {
		return fmt.Errorf("build road data: %w", err)
	}
	done := 0.0
	for _, one := range osrm.Steps(profile, extract.Size()) {
		b.attempt.Program = one.Program
		cmd, err := p.osrm().Command(one.Program, one.Args...)
		if err != nil {
			return missing(err)
		}
		cmd.Dir = b.part.Path
		watch := b.watch
		watch.percent = func(percent int) error { return b.progress(done + one.Share*float64(percent)/100) }
		if err := watch.percent(0); err != nil {
			return err
		}
		if err := (step{program: one.Program, cmd: cmd}).run(ctx, watch); err != nil {
			return err
		}
		done += one.Share
	}
	return nil
}

// progress notes how much is done.
func (b *roadBuild) progress(share float64) error {
	b.attempt.Percent = int(100 * share)
	return b.version.note(b.profile, b.attempt)
}

// prepare clears the folder of what a killed builder left, and puts the extract and the profile
// into it. The programs write next to the extract, so they get it under another name. They also
// replace ".osm.pbf" anywhere in a path, so they get it without a folder.
func (b *roadBuild) prepare(p Programs) (profile string, err error) {
	if err := b.clear(func(string) bool { return true }); err != nil {
		return "", err
	}
	source := filepath.Join("..", "..", sourceName)
	if err := os.Symlink(source, filepath.Join(b.part.Path, osrm.Source)); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	switch b.profile {
	case region.Cars:
		profile, err = p.osrm().Profile(osrm.Car)
		return profile, missing(err)
	case region.Bikes:
		profile, err = p.osrm().Profile(osrm.Bike)
		return profile, missing(err)
	}
	text, ok := profiles.OfKey(string(b.profile))
	if !ok {
		return "", fmt.Errorf("%q is no class of vehicles", b.profile)
	}
	profile = "profile.lua"
	if err := os.WriteFile(filepath.Join(b.part.Path, profile), text, 0o600); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	return profile, nil
}

// clear removes files of the folder, but not its lock.
func (b *roadBuild) clear(unwanted func(name string) bool) error {
	entries, err := os.ReadDir(b.part.Path)
	if err != nil {
		return fmt.Errorf("build road data: %w", err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != lockName && unwanted(name) {
			if err := os.RemoveAll(filepath.Join(b.part.Path, name)); err != nil {
				return fmt.Errorf("build road data: %w", err)
			}
		}
	}
	return nil
}

// finish makes the data ready.
func (b *roadBuild) finish() error {
	isRest := func(name string) bool { return !strings.HasPrefix(name, osrm.Data) }
	if err := b.clear(isRest); err != nil {
		return errors.Join(err, b.part.Discard())
	}
	ready := b.version.roads(b.profile)
	if err := os.Rename(b.part.Path, ready); err != nil {
		return errors.Join(fmt.Errorf("switch to the road data: %w", err), b.part.Discard())
	}
	err := errors.Join(os.Remove(filepath.Join(ready, lockName)), os.Remove(ready+noteSuffix), b.part.Close())
	if err != nil {
		return fmt.Errorf("finish the road data: %w", err)
	}
	return nil
}

// RoadStates describes the road data of profiles, and of all that are there besides.
func (v *Version) RoadStates(wanted []region.Profile) (states []region.RoadState, err error) {
	ready, err := v.ReadyRoads()
	if err != nil {
		return nil, err
	}
	for _, profile := range ready {
		if !slices.Contains(wanted, profile) {
			wanted = append(slices.Clip(wanted), profile)
		}
	}
	for _, profile := range wanted {
		state, err := v.RoadState(profile)
		if err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	return states, nil
}
