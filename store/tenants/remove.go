package tenants

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"waybill/store/catalogue"
)

// Close closes an organization: its keys, sessions, codes and tracking links no
// longer work, and nobody can sign in. Closing it again has no effect.
func (o *Owner) Close(ctx context.Context, org int64) error {
	_, err := o.conn.Exec(ctx, "update organizations set closed_at = coalesce(closed_at, now()) where id = $1", org)
	if err != nil {
		return fmt.Errorf("close the organization: %w", err)
	}
	return nil
}

// DeleteRows deletes the rows of an organization from all tables, dependents
// first, in transactions of at most batch rows each. It reports the number of
// deleted rows after each. The organization itself stays, so that an
// interrupted removal can continue.
func (o *Owner) DeleteRows(ctx context.Context, org int64, batch int, said func(Count)) error {
	for _, t := range o.tables {
		gone := Count{Table: t.Name}
		for _, part := range t.Parts {
			for {
				n, err := o.deleteSome(ctx, o.conn, part, o.all.Selfs(t.Name), org, batch)
				if err != nil {
					return err
				}
				if n == 0 {
					break
				}
				gone.Rows += n
				said(gone)
			}
		}
	}
	return nil
}

// Forget deletes the organization itself, with rows added since the others were
// deleted. Nobody can add a row concurrently that refers to it.
func (o *Owner) Forget(ctx context.Context, org int64) error {
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select from organizations where id = $1 for update", org); err != nil {
			return fmt.Errorf("lock the organization: %w", err)
		}
		for _, t := range o.tables {
			for _, part := range t.Parts {
				if _, err := o.deleteSome(ctx, tx, part, nil, org, 0); err != nil {
					return err
				}
			}
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf("drop sequence if exists order_serial_%d", org)); err != nil {
			return fmt.Errorf("drop the serial numbers: %w", err)
		}
		if _, err := tx.Exec(ctx, "delete from organizations where id = $1", org); err != nil {
			return fmt.Errorf("delete the organization: %w", err)
		}
		return nil
	})
}

// execer is a connection or a transaction.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// deleteSome deletes at most atMost rows of an organization, or all for 0, from
// a table that is not partitioned. Rows that others of the table refer to stay
// until those are gone.
func (o *Owner) deleteSome(
	ctx context.Context, db execer, table string, selfs []catalogue.Reference, org int64, atMost int,
) (int64, error) {
	name := catalogue.Quoted(table)
	query := "delete from " + name + " where org_id = $1"
	args := []any{org}
	if atMost > 0 {
		var unreferred strings.Builder
		for _, r := range selfs {
			fmt.Fprintf(&unreferred, " and not exists (select from %s r where (%s) = (%s))",
				name, catalogue.Columns("r", r.Columns), catalogue.Columns("t", r.Keys))
		}
		query = fmt.Sprintf("delete from %s where ctid = any (array(select t.ctid from %s t where t.org_id = $1%s limit $2))",
			name, name, unreferred.String())
		args = append(args, atMost)
	}
	deleted, err := db.Exec(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("delete from %s: %w", table, err)
	}
	return deleted.RowsAffected(), nil
}
