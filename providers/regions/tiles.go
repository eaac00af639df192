package regions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/paulmach/orb/encoding/mvt"

	"waybill/domain/region"
)

// List lists the regions that are in use.
type List func(context.Context) ([]region.Region, error)

// followPause is how long it takes until a process uses a new version of a region.
const followPause = 3 * time.Second

// Tiles reads the map tiles of the regions that are in use.
type Tiles struct {
	folder Folder
	list   List
	logger *slog.Logger

	mu      sync.RWMutex
	opened  []openedTiles // sorted by name
	version string
}

// openedTiles are the tiles of one region.
type openedTiles struct {
	region.Region
	version *Version
	file    *mbtiles
}

// NewTiles reads the tiles in a folder. Run follows the list.
func NewTiles(folder Folder, list List, logger *slog.Logger) *Tiles {
	return &Tiles{folder: folder, list: list, logger: logger}
}

// Run follows the list of regions until ctx ends, and closes the files.
func (t *Tiles) Run(ctx context.Context) error {
	Follow(ctx, t.logger, t.Refresh)
	t.mu.Lock()
	defer t.mu.Unlock()
	err := closeAll(t.opened)
	t.opened, t.version = nil, ""
	return err
}

// Follow calls refresh again and again until ctx ends. A failure is logged when it begins.
func Follow(ctx context.Context, logger *slog.Logger, refresh func(context.Context) error) {
	before := ""
	for {
		now := ""
		if err := refresh(ctx); err != nil && ctx.Err() == nil {
			if now = err.Error(); now != before {
				logger.WarnContext(ctx, "cannot use all regions", "error", err)
			}
		}
		before = now
		select {
		case <-ctx.Done():
			return
		case <-time.After(followPause):
		}
	}
}

// Refresh opens the tiles of new versions, and closes and removes those of earlier ones. What
// cannot be opened is tried again later, and the earlier version stays in use until then.
func (t *Tiles) Refresh(ctx context.Context) error {
	listed, err := t.list(ctx)
	if err != nil {
		return err
	}
	var next []openedTiles
	var errs []error
	for i := range listed {
		r := &listed[i]
		before := slices.IndexFunc(t.opened, func(o openedTiles) bool { return o.Name == r.Name })
		if before >= 0 && t.opened[before].Version == r.Version || !r.HasTiles() {
			if before >= 0 && r.HasTiles() {
				next = append(next, t.opened[before])
			}
			continue
		}
		opened, err := t.open(ctx, r)
		if err != nil {
			errs = append(errs, fmt.Errorf("region %s: %w", r.Name, err))
			if before >= 0 {
				next = append(next, t.opened[before])
			}
			continue
		}
		next = append(next, opened)
	}
	return errors.Join(append(errs, t.put(ctx, next))...)
}

func (t *Tiles) open(ctx context.Context, r *region.Region) (openedTiles, error) {
	version, err := t.folder.Use(r)
	if err != nil {
		return openedTiles{}, err
	}
	file, err := openTiles(ctx, version.Tiles())
	if err != nil {
		return openedTiles{}, errors.Join(err, version.Close())
	}
	return openedTiles{*r, version, file}, nil
}

// put switches to other tiles. No request reads from files while they are closed.
func (t *Tiles) put(ctx context.Context, next []openedTiles) error {
	isNext := func(o openedTiles) bool {
		return slices.ContainsFunc(next, func(n openedTiles) bool { return n.file == o.file })
	}
	var sum []byte
	for i := range next {
		sum = append(sum, next[i].Name+" "+next[i].Version+"\n"...)
	}
	hash := sha256.Sum256(sum)
	t.mu.Lock()
	closed := slices.DeleteFunc(slices.Clone(t.opened), isNext)
	t.opened, t.version = next, hex.EncodeToString(hash[:6])
	err := closeAll(closed)
	t.mu.Unlock()
	if len(closed) > 0 {
		sweep := t.folder.Sweep(func() ([]region.Region, error) { return t.list(ctx) })
		if sweep != nil {
			t.logger.WarnContext(ctx, "cannot remove the files of earlier regions", "error", sweep)
		}
	}
	return err
}

func closeAll(all []openedTiles) error {
	var errs []error
	for _, o := range all {
		errs = append(errs, o.file.db.Close(), o.version.Close())
	}
	return errors.Join(errs...)
}

// Regions are the regions with tiles, and a version that changes with them.
func (t *Tiles) Regions() (regions []region.Region, version string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i := range t.opened {
		regions = append(regions, t.opened[i].Region)
	}
	return regions, t.version
}

// Tile returns a tile as a compressed vector tile, or nothing where no region has anything, and
// the version of the tiles. Where regions meet, the tile has the content of all.
func (t *Tiles) Tile(ctx context.Context, tile region.Tile) (data []byte, version string, err error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	bounds := tile.Bounds()
	for i := range t.opened {
		if !t.opened[i].Bounds.Meets(bounds) {
			continue
		}
		found, err := t.opened[i].file.read(ctx, tile)
		if err != nil {
			return nil, "", err
		}
		if data, err = merge(data, found); err != nil {
			return nil, "", err
		}
	}
	return data, t.version, nil
}

// merge returns a tile with the content of two.
func merge(a, b []byte) ([]byte, error) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...), nil
	}
	first, err := mvt.UnmarshalGzipped(a)
	if err != nil {
		return nil, fmt.Errorf("read a map tile: %w", err)
	}
	second, err := mvt.UnmarshalGzipped(b)
	if err != nil {
		return nil, fmt.Errorf("read a map tile: %w", err)
	}
	for _, layer := range second {
		at := slices.IndexFunc(first, func(l *mvt.Layer) bool { return l.Name == layer.Name && l.Extent == layer.Extent })
		if at < 0 {
			first = append(first, layer)
			continue
		}
		first[at].Features = append(first[at].Features, layer.Features...)
	}
	merged, err := mvt.MarshalGzipped(first)
	if err != nil {
		return nil, fmt.Errorf("merge map tiles: %w", err)
	}
	return merged, nil
}
