package places

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/place"
)

// Loaded is how much a load brought.
type Loaded struct{ Streets, Addresses, Towns, Skipped int64 }

// Swap replaces the previous load of a source in one transaction: readers see
// one or the other. A house that occurs several times in a source is placed at
// the middle of its positions, with less precision if they are far apart.
func (l *Loading) Swap(ctx context.Context) (Loaded, error) {
	return l.swap(ctx, func(pgx.Tx) error { return nil })
}

// swap also does something else in the transaction.
func (l *Loading) swap(ctx context.Context, also func(pgx.Tx) error) (done Loaded, err error) {
	if err := l.flush(ctx); err != nil {
		return done, err
	}
	done.Skipped = l.skipped
	err = pgx.BeginFunc(ctx, l.owner.conn, func(tx pgx.Tx) error {
		// The settings end with the transaction.
		if _, err := tx.Exec(ctx, "set local work_mem = '256MB'; set local statement_timeout = 0"); err != nil {
			return err
		}
		source, err := l.putSource(ctx, tx)
		if err != nil {
			return err
		}
		if done.Addresses, err = l.movePoints(ctx, tx); err != nil {
			return fmt.Errorf("move the addresses: %w", err)
		}
		if done.Streets, done.Towns, err = l.putNames(ctx, tx, source); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "update place_sources set streets = $2, addresses = $3, towns = $4, skipped = $5 where id = $1",
			source, done.Streets, done.Addresses, done.Towns, done.Skipped)
		if err != nil {
			return err
		}
		if err := dropStaged(ctx, tx, l.about.Name); err != nil {
			return err
		}
		if err := wantPlaces(ctx, tx); err != nil {
			return err
		}
		return also(tx)
	})
	if err != nil {
		return done, fmt.Errorf("swap %s: %w", l.about.Name, err)
	}
	_, err = l.owner.conn.Exec(ctx, "analyze streets, address_points, towns, place_sources")
	return done, err
}

// wantPlaces has the orders of all organizations placed again, once the transactions have ended
// that may have read the earlier register. It comes last, because it locks rows that workers
// write.
func wantPlaces(ctx context.Context, tx pgx.Tx) error {
	for _, statement := range []string{
		`insert into place_work (org_id, register_xid) select o.id, pg_current_xact_id() from organizations o
			where o.closed_at is null order by o.id
			on conflict (org_id) do update set wanted = place_work.wanted + 1, register_xid = excluded.register_xid,
				placed_order = 0, updated_at = now()`,
		`insert into events (org_id, kind, subject_type, subject_id, actor, cause)
			select o.id, 'places.changed', 'organization', o.id, 'system', 'places' from organizations o
			where o.closed_at is null order by o.id`,
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("have orders placed again: %w", err)
		}
	}
	return nil
}

// putSource saves the row of the source, and deletes the rows of its previous
// load.
func (l *Loading) putSource(ctx context.Context, tx pgx.Tx) (id int64, err error) {
	if err := deleteSource(ctx, tx, l.about.Name); err != nil {
		return 0, err
	}
	a := l.about
	err = tx.QueryRow(ctx, `insert into place_sources (name, format, rank, attribution, fingerprint, load)
		values ($1, $2, $3, $4, $5, $6)
		on conflict (name) do update set format = excluded.format, rank = excluded.rank, attribution = excluded.attribution,
			fingerprint = excluded.fingerprint, load = excluded.load, loaded_at = now()
		returning id`, a.Name, a.Format, a.Rank, a.Attribution, a.Fingerprint, l.load).Scan(&id)
	return id, err
}

// deleteSource deletes the streets, points and towns of a source, and leaves its own row.
func deleteSource(ctx context.Context, tx pgx.Tx, name string) error {
	for _, statement := range []string{
		`delete from address_points p using place_sources s where s.name = $1
			and p.street_id >= s.load << 32 and p.street_id < (s.load + 1) << 32`,
		`delete from streets t using place_sources s where s.name = $1
			and t.id >= s.load << 32 and t.id < (s.load + 1) << 32`,
		"delete from towns t using place_sources s where s.name = $1 and t.source_id = s.id",
	} {
		if _, err := tx.Exec(ctx, statement, name); err != nil {
			return fmt.Errorf("delete the load before: %w", err)
		}
	}
	return nil
}

// movePoints writes the points in the order of their streets, so that those of a street are on
// few pages. A spread of 0.002 degrees is about 200 meters.
func (l *Loading) movePoints(ctx context.Context, tx pgx.Tx) (int64, error) {
	tag, err := tx.Exec(ctx, fmt.Sprintf(`
		insert into address_points (street_id, number, letter, latitude, longitude, guessed)
		select street_id, number, letter, avg(latitude), avg(longitude),
			bool_and(guessed) or max(latitude) - min(latitude) > 0.002 or max(longitude) - min(longitude) > 0.004
		from (select *, bool_and(guessed) over (partition by street_id, number, letter) as only_guesses from %s) s
		where only_guesses or not guessed
		group by street_id, number, letter order by street_id, number, letter`, stagedTable(l.load)))
	return tag.RowsAffected(), err
}

var streetColumns = []string{
	"id", "points_id", "source_id", "country", "postal_code", "city", "town_key", "name", "second_name", "plain", "key",
	"plain_letters", "key_letters", "deletions", "addresses", "latitude", "longitude",
}

// putNames writes streets and towns.
func (l *Loading) putNames(ctx context.Context, tx pgx.Tx, source int64) (streets, towns int64, err error) {
	var rows [][]any
	for _, s := range l.ordered {
		rows = append(rows, s.row(source, s.id, s.name, s.secondName))
		if s.secondName != "" {
			rows = append(rows, s.row(source, s.id+1, s.secondName, s.name))
		}
	}
	streets, err = tx.CopyFrom(ctx, pgx.Identifier{"streets"}, streetColumns, pgx.CopyFromRows(rows))
	if err != nil {
		return 0, 0, fmt.Errorf("write the streets: %w", err)
	}
	rows = nil
	for _, t := range l.sumTowns() {
		rows = append(rows, []any{
			source, t.country, t.postalCode, t.key, t.city, int64(place.Letters(t.key)), t.count, t.latitude(), t.longitude(),
		})
	}
	columns := []string{
		"source_id", "country", "postal_code", "town_key", "city", "key_letters", "addresses", "latitude", "longitude",
	}
	towns, err = tx.CopyFrom(ctx, pgx.Identifier{"towns"}, columns, pgx.CopyFromRows(rows))
	return streets, towns, err
}

// row is the street under one of its names.
func (s *street) row(source, id int64, name, other string) []any {
	key := place.NewStreetKey(name)
	return []any{
		id, s.id, source, s.country, s.postalCode, s.city, place.TownKey(s.city), name, other, key.Plain, key.Key,
		int64(place.Letters(key.Plain)), int64(place.Letters(key.Key)), place.Deletions(key.Plain),
		s.count, s.latitude(), s.longitude(),
	}
}

// Remove removes a source and its staged rows. It returns false if there is no
// such source.
func (o *Owner) Remove(ctx context.Context, name string) (removed bool, err error) {
	err = pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		removed, err = remove(ctx, tx, name)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("remove %s: %w", name, err)
	}
	return removed, nil
}

func remove(ctx context.Context, tx pgx.Tx, name string) (removed bool, err error) {
	if err := dropStaged(ctx, tx, name); err != nil {
		return false, err
	}
	if err := deleteSource(ctx, tx, name); err != nil {
		return false, err
	}
	tag, err := tx.Exec(ctx, "delete from place_sources where name = $1", name)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	return true, wantPlaces(ctx, tx)
}

// Source is a source of the register.
type Source struct {
	About
	Loaded
	At time.Time
}
