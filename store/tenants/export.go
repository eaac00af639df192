package tenants

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"waybill/store/catalogue"
)

// secrets are columns that grant access. No export has them.
var secrets = map[string][]string{
	"account_codes":      {"hash", "public_part"},
	"api_keys":           {"hash", "public_part"},
	"messaging_settings": {"postmark_login", "sendgrid_key", "smtp_url", "sms_token"},
	"erasure_keys":       {"sealed_key"},
	"oidc_providers":     {"client_secret", "sealed_secret"},
	"recovery_codes":     {"hash"},
	"sessions":           {"hash", "public_part"},
	"totp_seeds":         {"seed"},
	"users":              {"passphrase"},
	"webhook_endpoints":  {"sealed_secret", "sealed_previous"},
}

// Tables are the names of all tables with rows of organizations, and of the
// organizations themselves, in topological order: a table follows those that
// its rows refer to.
func (o *Owner) Tables() []string {
	names := []string{catalogue.Organizations}
	for i := range o.tables {
		names = append(names, o.tables[len(o.tables)-1-i].Name)
	}
	return names
}

// LeftOut are the columns of a table that no export has.
func LeftOut(table string) []string { return secrets[table] }

// Snapshot has all that read reads see one state of the database.
func (o *Owner) Snapshot(ctx context.Context, read func() error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, o.conn, options, func(pgx.Tx) error { return read() })
}

// Write writes the rows that a table has of an organization, each as a line of JSON in
// the order of its key, and counts them.
func (o *Owner) Write(ctx context.Context, org int64, table string, to io.Writer) (count int64, err error) {
	rows, err := o.conn.Query(ctx, o.exportQuery(table), org, LeftOut(table))
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", table, err)
	}
	defer rows.Close()
	var line []byte
	for rows.Next() {
		if err := rows.Scan(&line); err != nil {
			return count, fmt.Errorf("read %s: %w", table, err)
		}
		if _, err := to.Write(append(line, '\n')); err != nil {
			return count, err
		}
		count++
	}
	if err := rows.Err(); err != nil {
		return count, fmt.Errorf("read %s: %w", table, err)
	}
	return count, nil
}

func (o *Owner) exportQuery(table string) string {
	column, key := "org_id", "t.id"
	if table == catalogue.Organizations {
		column = "id"
	} else {
		key = catalogue.Columns("t", o.all.Table(table).Key)
	}
	return fmt.Sprintf("select (to_jsonb(t) - coalesce($2::text[], '{}'))::text from %s t where t.%s = $1 order by %s",
		catalogue.Quoted(table), column, key)
}
