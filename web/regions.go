package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

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

// tileRoutes serve the tiles of regions. They show only streets, so they are public.
func (a *Apps) tileRoutes(r chi.Router) {
	if a.tiles != nil {
		r.Get(RegionTilesURL, a.serveTile)
	}
}

// serveTile answers with a tile. An address contains the version of the tiles, so browsers may
// keep what it returned.
func (a *Apps) serveTile(w http.ResponseWriter, r *http.Request) {
	tile, ok := tileOf(chi.URLParam(r, "z"), chi.URLParam(r, "x"), chi.URLParam(r, "y"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	data, version, err := a.tiles.Tile(r.Context(), tile)
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
	header.Set("Content-Type", "application/vnd.mapbox-vector-tile")
	header.Set("Content-Encoding", "gzip")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // otherwise the browser is gone
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
