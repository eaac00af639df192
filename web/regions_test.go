package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/stretchr/testify/require"

	"waybill/domain/region"
)

// oneTile has one tile, and cannot read those of the lowest zoom level.
type oneTile struct{ at region.Tile }

func (o oneTile) Tile(_ context.Context, tile region.Tile) (data []byte, version string, err error) {
	switch {
	case tile == o.at:
		return []byte("packed"), "v1", nil
	case tile.Zoom == 0:
		return nil, "", errors.New("the disk is gone")
	}
	return nil, "v1", nil
}

func TestTilesOfRegionsAreServedAsTheyAreStored(t *testing.T) {
	t.Parallel()
	apps, err := New(false, Basemap{})
	require.NoError(t, err)
	router := chi.NewRouter()
	apps.WithTiles(oneTile{region.Tile{Zoom: 14, X: 8681, Y: 4766}}).Routes(router)

	const path = "/map/regions/14/8681/4766.pbf"
	w := get(router, path+"?v=v1", "Accept-Encoding", "gzip")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "packed", w.Body.String())
	require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
	require.Equal(t, "application/vnd.mapbox-vector-tile", w.Header().Get("Content-Type"))
	require.Contains(t, w.Header().Get("Cache-Control"), "max-age")
	require.Equal(t, "no-cache", get(router, path+"?v=old").Header().Get("Cache-Control"), "the version before")
	require.Equal(t, http.StatusNotModified, get(router, path, "If-None-Match", w.Header().Get("ETag")).Code)
	require.Equal(t, http.StatusNoContent, get(router, "/map/regions/14/1/1.pbf").Code)
	require.Equal(t, http.StatusServiceUnavailable, get(router, "/map/regions/0/0/0.pbf").Code)
	for _, wrong := range []string{"15/1/1", "14/-1/1", "1/2/0", "x/1/1", "14/1/1e3"} {
		require.Equal(t, http.StatusNotFound, get(router, "/map/regions/"+wrong+".pbf").Code, wrong)
	}
}

// TestStreetsAreAPicture draws the streets of a tile once.
func TestStreetsAreAPicture(t *testing.T) {
	t.Parallel()
	road := func(kind string, points ...orb.Point) *geojson.Feature {
		f := geojson.NewFeature(orb.LineString(points))
		f.Properties["kind"] = kind
		return f
	}
	lake := geojson.NewFeature(orb.Polygon{{{0, 0}, {400, 0}, {400, 400}, {0, 0}}})
	tile, err := mvt.MarshalGzipped(mvt.Layers{
		{Name: "roads", Version: 2, Extent: 4096, Features: []*geojson.Feature{
			road("minor", orb.Point{10, 10}, orb.Point{12, 11}, orb.Point{300, 20}),
			road("path", orb.Point{1000, 1000}, orb.Point{2000, 1000}),
			road("highway", orb.Point{0, 4000}, orb.Point{4096, 3900}),
		}},
		{Name: "water", Version: 2, Extent: 4096, Features: []*geojson.Feature{lake}},
	})
	require.NoError(t, err)
	at := region.Tile{Zoom: 14, X: 8681, Y: 4766}
	tiles := &drawnFrom{oneTile{at}, tile}
	apps, err := New(false, Basemap{})
	require.NoError(t, err)
	router := chi.NewRouter()
	apps.WithTiles(tiles).Routes(router)

	const path = "/map/streets/14/8681/4766.svg"
	w := get(router, path+"?v=v1")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "image/svg+xml", w.Header().Get("Content-Type"))
	require.Contains(t, w.Header().Get("Cache-Control"), "max-age")
	unpacked, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err)
	svg, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Contains(t, string(svg), `d="M10 10l290 10"`, "the point that is near the one before is left out")
	require.Contains(t, string(svg), `stroke-width="56" d="M0 4000l4096-100"`)
	require.Contains(t, string(svg), "z\"/>", "water is filled")
	require.NotContains(t, string(svg), "M1000 1000", "paths are left out")
	require.Equal(t, w.Body.Bytes(), get(router, path).Body.Bytes())
	require.Equal(t, 1, apps.drawn.Len())
	require.Equal(t, http.StatusNoContent, get(router, "/map/streets/14/1/1.svg").Code)
	require.Equal(t, http.StatusServiceUnavailable, get(router, "/map/streets/0/0/0.svg").Code)
	require.Equal(t, http.StatusNotFound, get(router, "/map/streets/15/1/1.svg").Code)

	apps.drawing <- struct{}{} // somebody asks for all of them
	require.Equal(t, http.StatusOK, get(router, path).Code, "one that is drawn does not wait")
	apps.drawn.Purge()
	require.Equal(t, http.StatusServiceUnavailable, get(router, path).Code)
	<-apps.drawing

	tiles.data = []byte("no tile")
	require.Equal(t, http.StatusServiceUnavailable, get(router, path).Code)
}

// drawnFrom is one tile with some content.
type drawnFrom struct {
	oneTile

	data []byte
}

func (d *drawnFrom) Tile(ctx context.Context, tile region.Tile) (data []byte, version string, err error) {
	data, version, err = d.oneTile.Tile(ctx, tile)
	if len(data) > 0 {
		data = d.data
	}
	return data, version, err
}
