package regions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"waybill/domain/place"
	"waybill/domain/region"
)

// BoundsOf returns the bounds of an extract: those in its header, or else those of its nodes.
func BoundsOf(ctx context.Context, path string) (region.Bounds, error) {
	bounds, err := boundsOf(ctx, path)
	if err != nil {
		return bounds, fmt.Errorf("find the bounds of %s: %w", path, err)
	}
	return bounds, nil
}

func boundsOf(ctx context.Context, path string) (bounds region.Bounds, err error) {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return bounds, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	scanner := osmpbf.New(ctx, file, max(1, runtime.GOMAXPROCS(0)-1))
	defer func() { err = errors.Join(err, scanner.Close()) }()
	scanner.SkipWays, scanner.SkipRelations = true, true
	header, err := scanner.Header()
	if err != nil {
		return bounds, err
	}
	if b := header.Bounds; b != nil {
		bounds = region.Bounds{West: b.MinLon, South: b.MinLat, East: b.MaxLon, North: b.MaxLat}
		if bounds.Check() == nil {
			return bounds, nil
		}
	}
	bounds = region.None()
	for scanner.Scan() {
		if node, ok := scanner.Object().(*osm.Node); ok {
			bounds = bounds.Include(place.Position{Latitude: node.Lat, Longitude: node.Lon})
		}
	}
	if err := scanner.Err(); err != nil {
		return bounds, err
	}
	return bounds, bounds.Check()
}
