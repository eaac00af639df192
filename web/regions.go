package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/domain/region"
)

// RegionTiles are the map tiles of the regions of an installation.
type RegionTiles interface {
	// Tile returns a compressed vector tile, or nothing where no region has anything, and the
	// version of the tiles.
	Tile(ctx context.Context, tile region.Tile) (data []byte, version string, err error)
}

// RegionTilesURL is where the tiles of regions are, before their version.
const RegionTilesURL = "/map/regions/{z}/{x}/{y}.pbf"

// mostDrawn is how many pictures of streets are kept; a large one has 40 KB.
const mostDrawn = 256

// drawnTile identifies a picture of streets.
type drawnTile struct {
	region.Tile

	version string
}

// tileRoutes serve the tiles of regions. They show only streets, so they are public.
func (a *Apps) tileRoutes(r chi.Router) {
	if a.tiles == nil {
		return
	}
	r.Get(RegionTilesURL, serveTile("application/vnd.mapbox-vector-tile", a.tiles.Tile))
	r.Get(StreetsURL, serveTile("image/svg+xml", a.streets))
}

// streets returns the picture of a tile's streets, compressed, or nothing where there are none. Many recipients look at
// the same few places, so that it is drawn once.
func (a *Apps) streets(ctx context.Context, tile region.Tile) (picture []byte, version string, err error) {
	data, version, err := a.tiles.Tile(ctx, tile)
	if err != nil || len(data) == 0 {
		return nil, version, err
	}
	key := drawnTile{tile, version}
	if picture, isKept := a.drawn.Get(key); isKept {
		return picture, version, nil
	}
	// Everybody may ask for all tiles of a region, so that one is drawn at a time.
	select {
	case a.drawing <- struct{}{}:
		defer func() { <-a.drawing }()
	case <-ctx.Done():
		return nil, version, ctx.Err()
	case <-time.After(drawPatience):
		return nil, version, errBusy
	}
	if picture, err = drawStreets(data); err == nil {
		a.drawn.Add(key, picture)
	}
	return picture, version, err
}

// drawPatience is how long a picture waits until others are drawn.
const drawPatience = 3 * time.Second

var errBusy = errors.New("too many map tiles are being drawn")

// serveTile answers with a tile of a media type, which is compressed. An address contains the version of the tiles, so
// browsers may keep what it returned.
func serveTile(media string, read func(context.Context, region.Tile) ([]byte, string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tile, ok := tileOf(chi.URLParam(r, "z"), chi.URLParam(r, "x"), chi.URLParam(r, "y"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		data, version, err := read(r.Context(), tile)
		if err != nil {
			http.Error(w, "the map tile cannot be read", http.StatusServiceUnavailable)
			return
		}
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-cache")
		if version != "" && r.URL.Query().Get("v") == version {
			header.Set("Cache-Control", "public, max-age=604800")
		}
		if len(data) == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		tag := `"` + version + `"`
		header.Set("ETag", tag)
		if strings.Contains(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		header.Set("Content-Type", media)
		header.Set("Content-Encoding", "gzip")
		header.Set("Content-Length", strconv.Itoa(len(data)))
		_, _ = w.Write(data) // otherwise the browser is gone
	}
}

// tileOf reads the numbers of a tile.
func tileOf(z, x, y string) (tile region.Tile, ok bool) {
	for _, one := range []struct {
		text string
		to   *int
	}{{z, &tile.Zoom}, {x, &tile.X}, {y, &tile.Y}} {
		number, err := strconv.Atoi(one.text)
		if err != nil {
			return tile, false
		}
		*one.to = number
	}
	return tile, tile.IsValid()
}
