package tenants

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Sealed are the columns that hold encrypted values, of all organizations.
type Sealed struct{ conn *pgx.Conn }

// NewSealed reads and writes them as the owner of the tables. The caller closes the connection.
func NewSealed(conn *pgx.Conn) *Sealed { return &Sealed{conn: conn} }

// sealedColumns are the columns, by their tables.
var sealedColumns = []struct{ table, column string }{
	{"erasure_keys", "sealed_key"},
	{"totp_seeds", "seed"},
	{"oidc_providers", "sealed_secret"},
	{"webhook_endpoints", "sealed_secret"},
	{"webhook_endpoints", "sealed_previous"},
}

// Values returns all values.
func (s *Sealed) Values(ctx context.Context) (values [][]byte, err error) {
	for _, c := range sealedColumns {
		rows, err := s.conn.Query(ctx, fmt.Sprintf("select %s from %s where %[1]s is not null", c.column, c.table))
		if err != nil {
			return nil, fmt.Errorf("read %s.%s: %w", c.table, c.column, err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		if err != nil {
			return nil, fmt.Errorf("read %s.%s: %w", c.table, c.column, err)
		}
		values = append(values, found...)
	}
	return values, nil
}

// Replace replaces values in one transaction. It skips values that changed
// concurrently.
func (s *Sealed) Replace(ctx context.Context, before, after [][]byte) error {
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		for _, c := range sealedColumns {
			_, err := tx.Exec(ctx, fmt.Sprintf(`update %s t set %s = n.after
				from unnest($1::bytea[], $2::bytea[]) n (before, after)
				where t.%[2]s = n.before`, c.table, c.column), before, after)
			if err != nil {
				return fmt.Errorf("write %s.%s: %w", c.table, c.column, err)
			}
		}
		return nil
	})
}
