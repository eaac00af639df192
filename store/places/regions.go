package places

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/region"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Regions lists the regions that are in use.
func (r *Register) Regions(ctx context.Context) ([]region.Region, error) {
	rows, err := r.q.Regions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the regions: %w", err)
	}
	return columns.Of(rows, func(row queries.RegionsRow) region.Region {
		return region.Region{
			Name: row.Name, Version: row.Version, Fingerprint: row.Fingerprint, Attribution: row.Attribution,
			BuiltAt:   row.BuiltAt,
			Bounds:    region.Bounds{West: row.West, South: row.South, East: row.East, North: row.North},
			RoadBytes: row.RoadBytes, TileBytes: row.TileBytes, Addresses: row.Addresses,
		}
	}), nil
}

// RoadProfiles lists the profiles that road data are wanted for: that of cars, and then those of
// vehicles, the most common ones first.
func (r *Register) RoadProfiles(ctx context.Context) ([]region.Profile, error) {
	names, err := r.q.RoadProfiles(ctx, region.OfOrganization)
	if err != nil {
		return nil, fmt.Errorf("list the profiles of vehicles: %w", err)
	}
	all := []region.Profile{region.Cars}
	for _, name := range names {
		if profile, ok := region.ProfileNamed(name); ok && profile != region.Cars {
			all = append(all, profile)
		}
	}
	return all, nil
}

// SwapRegion replaces the previous load of a source, and the region of that name, in one
// transaction.
func (l *Loading) SwapRegion(ctx context.Context, r *region.Region) (Loaded, error) {
	return l.swap(ctx, func(tx pgx.Tx) error { return putRegion(ctx, tx, r) })
}

// PutRegion replaces a region whose addresses are already loaded.
func (o *Owner) PutRegion(ctx context.Context, r *region.Region) error {
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error { return putRegion(ctx, tx, r) })
}

func putRegion(ctx context.Context, tx pgx.Tx, r *region.Region) error {
	_, err := tx.Exec(ctx, `insert into regions
			(name, version, west, south, east, north, fingerprint, road_bytes, tile_bytes, attribution)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		on conflict (name) do update set version = excluded.version, west = excluded.west, south = excluded.south,
			east = excluded.east, north = excluded.north, fingerprint = excluded.fingerprint, road_bytes = excluded.road_bytes,
			tile_bytes = excluded.tile_bytes, attribution = excluded.attribution, built_at = now()`,
		r.Name, r.Version, r.Bounds.West, r.Bounds.South, r.Bounds.East, r.Bounds.North,
		r.Fingerprint, r.RoadBytes, r.TileBytes, r.Attribution)
	if err != nil {
		return fmt.Errorf("switch to the new region: %w", err)
	}
	return nil
}

// RemoveRegion removes a region and its addresses. It returns false if there is no such region.
func (o *Owner) RemoveRegion(ctx context.Context, name string) (removed bool, err error) {
	err = pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "delete from regions where name = $1", name)
		removed = tag.RowsAffected() > 0
		if err != nil || !removed {
			return err
		}
		_, err = remove(ctx, tx, name)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("remove the region %s: %w", name, err)
	}
	return removed, nil
}
