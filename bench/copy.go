package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// table has the rows of one table as Go values, ready to be copied.
type table struct {
	name    string
	columns []string
	org     int // the column of the organization
	rows    [][]any
}

// unmeasured are the tables that must be filled before the measured ones.
var unmeasured = []string{"departments", "customers", "vehicle_types", "order_types", "imports"}

// measured are the tables that an import fills. Foreign keys point upwards.
var measured = []string{
	"locations", "orders", "order_numbers", "order_stops", "stop_contacts", "order_texts", "order_products", "events",
	"import_results",
}

// copier copies all that one import made into other organizations.
type copier struct {
	conn     *pgx.Conn
	before   []*table
	imported []*table
}

// newCopier reads the rows of an organization with one finished import. It
// works on one connection, as the owner: row-level security does not go with
// COPY.
func newCopier(ctx context.Context, s *site, org int64) (*copier, error) {
	conn, err := pgx.Connect(ctx, s.ownerURL)
	if err != nil {
		return nil, err
	}
	c := &copier{conn: conn}
	for _, group := range []struct {
		names []string
		to    *[]*table
	}{{unmeasured, &c.before}, {measured, &c.imported}} {
		for _, name := range group.names {
			t, err := readTable(ctx, conn, name, org)
			if err != nil {
				return c, fmt.Errorf("read %s: %w", name, err)
			}
			*group.to = append(*group.to, t)
		}
	}
	return c, nil
}

func (c *copier) close(ctx context.Context) { _ = c.conn.Close(context.WithoutCancel(ctx)) }

func readTable(ctx context.Context, conn *pgx.Conn, name string, org int64) (*table, error) {
	columns, err := written(ctx, conn, name)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, "select "+columns+" from "+name+" where org_id = $1 order by 1, 2, 3", org)
	if err != nil {
		return nil, err
	}
	t := &table{name: name}
	for _, field := range rows.FieldDescriptions() {
		t.columns = append(t.columns, field.Name)
	}
	t.org = slices.Index(t.columns, "org_id")
	t.rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
	t.unsequenced()
	return t, err
}

// written names the columns of a table that are not generated from others.
func written(ctx context.Context, conn *pgx.Conn, name string) (columns string, err error) {
	err = conn.QueryRow(ctx, `select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
		where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, name).Scan(&columns)
	return columns, err
}

// unsequenced removes the positions of events: an import's have none yet.
func (t *table) unsequenced() {
	if at := slices.Index(t.columns, "position"); at >= 0 && t.name == "events" {
		for _, row := range t.rows {
			row[at] = nil
		}
	}
}

// copyTo fills an empty organization, and returns how long the rows of the
// import took, in milliseconds.
func (c *copier) copyTo(ctx context.Context, org int64) (float64, error) {
	for _, t := range c.before {
		if err := t.copyTo(ctx, c.conn, org); err != nil {
			return 0, err
		}
	}
	return timed(func() error {
		return pgx.BeginFunc(ctx, c.conn, func(tx pgx.Tx) error {
			// The search texts are copied rather than computed.
			if _, err := tx.Exec(ctx, "select set_config('app.order_texts', 'later', true)"); err != nil {
				return err
			}
			for _, t := range c.imported {
				if err := t.copyTo(ctx, tx.Conn(), org); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// draw gives events new ids: the sequencer looks for those after the last one
// it has passed.
func (t *table) draw(ctx context.Context, conn *pgx.Conn) error {
	at := slices.Index(t.columns, "id")
	if t.name != "events" || at < 0 {
		return nil
	}
	var ids []int64
	err := conn.QueryRow(ctx, `select array_agg(nextval(pg_get_serial_sequence('events', 'id')::regclass))
		from generate_series(1, $1)`, len(t.rows)).Scan(&ids)
	for i, row := range t.rows {
		if err == nil {
			row[at] = ids[i]
		}
	}
	return err
}

func (t *table) copyTo(ctx context.Context, conn *pgx.Conn, org int64) error {
	if err := t.draw(ctx, conn); err != nil {
		return fmt.Errorf("draw ids of events: %w", err)
	}
	next := 0
	source := pgx.CopyFromFunc(func() ([]any, error) {
		if next == len(t.rows) {
			return nil, nil
		}
		row := t.rows[next]
		row[t.org] = org
		next++
		return row, nil
	})
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, source); err != nil {
		return fmt.Errorf("copy %s: %w", t.name, err)
	}
	return nil
}
