package web

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"
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
