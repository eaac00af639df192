package places

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/place"
)

// batchSize is how many points are staged in one transaction. A load that was interrupted is
// resumed behind the last one.
const batchSize = 100_000

// Owner is the owner of the tables, the only role that can write the register.
type Owner struct{ conn *pgx.Conn }

// NewOwner uses a connection, which the caller closes.
func NewOwner(conn *pgx.Conn) *Owner { return &Owner{conn} }

// About is the description of a source.
type About struct {
	Name, Format, Attribution string
	Rank                      int
	// Fingerprint identifies a file, to detect one that is already loaded.
	Fingerprint string
}

// Loading is a load under way.
type Loading struct {
	owner *Owner
	about About
	*builder
	// staged is how many points are in the database, and seen how many were
	// read.
	staged, seen int64
	batch        [][]any
}

// IsLoaded reports whether the source was loaded from a file with the same content.
func (o *Owner) IsLoaded(ctx context.Context, about About) (loaded bool, err error) {
	const query = "select exists (select from place_sources where name = $1 and fingerprint = $2)"
	err = o.conn.QueryRow(ctx, query, about.Name, about.Fingerprint).Scan(&loaded)
	if err != nil {
		return false, fmt.Errorf("look for the source: %w", err)
	}
	return loaded, nil
}

// Lock locks the register until the connection is closed: only one command at a time can load.
func (o *Owner) Lock(ctx context.Context) error {
	var free bool
	if err := o.conn.QueryRow(ctx, "select pg_try_advisory_lock(hashtext('waybill places'))").Scan(&free); err != nil {
		return fmt.Errorf("lock the register: %w", err)
	}
	if !free {
		return errors.New("another command is loading into the register: wait until it ends")
	}
	return nil
}

// Begin begins a load, or resumes the one of the same file that was interrupted.
func (o *Owner) Begin(ctx context.Context, about About) (*Loading, error) {
	if err := o.Lock(ctx); err != nil {
		return nil, err
	}
	var load, staged int64
	err := o.conn.QueryRow(ctx, "select load, staged from place_loads where source = $1 and fingerprint = $2",
		about.Name, about.Fingerprint).Scan(&load, &staged)
	if errors.Is(err, pgx.ErrNoRows) {
		load, err = o.newLoad(ctx, about)
	}
	if err != nil {
		return nil, fmt.Errorf("begin the load: %w", err)
	}
	return &Loading{owner: o, about: about, builder: newBuilder(load), staged: staged}, nil
}

// newLoad returns a table for the points, and drops that of an unfinished load
// of another file.
func (o *Owner) newLoad(ctx context.Context, about About) (load int64, err error) {
	err = pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		if err := dropStaged(ctx, tx, about.Name); err != nil {
			return err
		}
		const query = `insert into place_loads (load, source, fingerprint)
			values (nextval('place_loads_seq'), $1, $2) returning load`
		if err := tx.QueryRow(ctx, query, about.Name, about.Fingerprint).Scan(&load); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, fmt.Sprintf(`create unlogged table %s (street_id bigint not null, latitude float8 not null,
			longitude float8 not null, number integer not null, guessed boolean not null, letter text collate "C" not null)`,
			stagedTable(load)))
		return err
	})
	return load, err
}

func stagedTable(load int64) string { return fmt.Sprintf("place_staged_%d", load) }

// dropStaged deletes the staged rows of a source.
func dropStaged(ctx context.Context, tx pgx.Tx, source string) error {
	rows, err := tx.Query(ctx, "delete from place_loads where source = $1 returning load", source)
	if err != nil {
		return err
	}
	loads, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	for i := 0; err == nil && i < len(loads); i++ {
		_, err = tx.Exec(ctx, "drop table if exists "+stagedTable(loads[i]))
	}
	return err
}

// Resumed is how many addresses an interrupted load had staged.
func (l *Loading) Resumed() int64 { return l.staged }

// Add takes the next record.
func (l *Loading) Add(ctx context.Context, r *place.Record) error {
	id := l.add(r)
	if id == 0 {
		return nil
	}
	if l.seen++; l.seen <= l.staged {
		return nil // it was staged before the load was interrupted
	}
	l.batch = append(l.batch, []any{
		id, r.At.Latitude, r.At.Longitude, int32(r.House.Number), r.Guessed, r.House.Letter,
	})
	if len(l.batch) < batchSize {
		return nil
	}
	return l.flush(ctx)
}

// flush stages a batch of points and saves their number, in one transaction.
func (l *Loading) flush(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, l.owner.conn, func(tx pgx.Tx) error {
		columns := []string{"street_id", "latitude", "longitude", "number", "guessed", "letter"}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{stagedTable(l.load)}, columns, pgx.CopyFromRows(l.batch))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "update place_loads set staged = $2 where load = $1", l.load, l.seen)
		return err
	})
	if err != nil {
		return fmt.Errorf("stage addresses: %w", err)
	}
	l.staged, l.batch = l.seen, l.batch[:0]
	return nil
}
