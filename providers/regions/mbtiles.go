package regions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"

	_ "modernc.org/sqlite" // the driver of MBTiles

	"waybill/domain/region"
)

// mbtiles is a file of map tiles, which is an SQLite database.
type mbtiles struct{ db *sql.DB }

// openTiles opens a file that nobody writes any more.
func openTiles(ctx context.Context, path string) (*mbtiles, error) {
	address := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "mode=ro&immutable=1"}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, fmt.Errorf("open map tiles: %w", err)
	}
	db.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	m := &mbtiles{db}
	if _, err := m.read(ctx, region.Tile{}); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return m, nil
}

// read returns a tile, compressed as it is stored, or nothing if it is empty. MBTiles counts rows
// from the south.
func (m *mbtiles) read(ctx context.Context, t region.Tile) (data []byte, err error) {
	const query = "select tile_data from tiles where zoom_level = ? and tile_column = ? and tile_row = ?"
	err = m.db.QueryRowContext(ctx, query, t.Zoom, t.X, (1<<t.Zoom)-1-t.Y).Scan(&data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read a map tile: %w", err)
	}
	return data, nil
}
