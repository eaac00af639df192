// Package regions builds road data and map tiles from extracts of OpenStreetMap, keeps them in
// folders, and reads the tiles.
package regions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"waybill/domain/region"
)

// Folder has the files of regions: a folder for each region, and in it one for each version.
// Each version has a file that its users lock. The system releases the locks of a process that
// ends, however it ends.
type Folder struct{ path string }

// NewFolder returns the folder at a path, which need not exist yet.
func NewFolder(path string) Folder { return Folder{path} }

// ErrGone is returned for a version whose files are not there, or no longer.
var ErrGone = errors.New("the files of the region are missing")

// ErrInUse is returned for a version that is being built or removed.
var ErrInUse = errors.New("another process is building or removing the region")

// The names of files and folders of a version.
const (
	lockName  = "lock"
	tilesName = "map.mbtiles"
)

// Version is a version of a region that is locked.
type Version struct {
	// Path is its folder.
	Path string
	lock *os.File
}

// Tiles is the path of its map tiles.
func (v *Version) Tiles() string { return filepath.Join(v.Path, tilesName) }

// Close unlocks the version.
func (v *Version) Close() error { return v.lock.Close() }

// Discard deletes the files of the version, and unlocks it.
func (v *Version) Discard() error {
	err := os.RemoveAll(v.Path)
	_ = os.Remove(filepath.Dir(v.Path)) // fails while other versions are there
	return errors.Join(err, v.lock.Close())
}

// Create creates the folder of a new version, which only its builder can use.
func (f Folder) Create(name, version string) (*Version, error) {
	return create(filepath.Join(f.path, name, version))
}

// create creates a folder, which nobody else can use until it is closed.
func create(path string) (*Version, error) {
	if err := os.MkdirAll(path, 0o755); err != nil { //nolint:gosec // several accounts may read it: streets are public
		return nil, fmt.Errorf("create a folder for the region: %w", err)
	}
	return lock(path, os.O_RDWR|os.O_CREATE, syscall.LOCK_EX)
}

// Use keeps the files of a version from being removed until it is closed.
func (f Folder) Use(r *region.Region) (*Version, error) {
	return lock(filepath.Join(f.path, r.Name, r.Version), os.O_RDONLY, syscall.LOCK_SH)
}

func lock(path string, flags, how int) (*Version, error) {
	name := filepath.Join(path, lockName)
	file, err := os.OpenFile(name, flags, 0o644) //nolint:gosec // other accounts may use it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrGone, path)
	}
	if err != nil {
		return nil, fmt.Errorf("lock the region: %w", err)
	}
	if err := flock(file, how); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrInUse
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	// It may have been removed before it was locked.
	locked, lockedErr := file.Stat()
	present, presentErr := os.Stat(name)
	if lockedErr != nil || presentErr != nil || !os.SameFile(locked, present) {
		_ = file.Close()
		return nil, fmt.Errorf("%w: %s", ErrGone, path)
	}
	return &Version{Path: path, lock: file}, nil
}

// flock locks a file without waiting for another user of it. It tries for a moment, because a
// process that is just being started has a copy of the locks of its parent.
func flock(file *os.File, how int) (err error) {
	const tries, pause = 20, 10 * time.Millisecond
	for range tries {
		err = syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
		time.Sleep(pause)
	}
	return err
}

// Sweep removes the versions that are neither listed nor used. It asks for the list while it
// holds the locks, so that it removes no version that has just been finished.
func (f Folder) Sweep(list func() ([]region.Region, error)) error {
	paths, err := filepath.Glob(filepath.Join(f.path, "*", "*"))
	if err != nil || len(paths) == 0 {
		return err
	}
	var unused []*Version
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join(path, lockName)); err != nil {
			continue // being created, or none of ours
		}
		version, err := lock(path, os.O_RDONLY, syscall.LOCK_EX)
		if err == nil {
			unused = append(unused, version)
		}
	}
	listed, err := list()
	keep := map[string]bool{}
	for i := range listed {
		keep[filepath.Join(f.path, listed[i].Name, listed[i].Version)] = true
	}
	for _, version := range unused {
		if err != nil || keep[version.Path] {
			err = errors.Join(err, version.Close())
			continue
		}
		if discarded := version.Discard(); discarded != nil {
			err = errors.Join(err, fmt.Errorf("remove %s: %w", version.Path, discarded))
		}
	}
	return err
}

// sizeOf is the size of the files below a path.
func sizeOf(path string) (size int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
