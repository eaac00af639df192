package store_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// tenantTables are all tables with rows of organizations; a new one is among
// them the day it is made.
func tenantTables(d *documents) []string {
	d.t.Helper()
	return one[[]string](d, `
		select array_agg(distinct c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
			and (a.attname = 'org_id' or c.relname = 'organizations')`)
}

func TestRowLevelSecurityHoldsForEveryTable(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	acme, other := storetest.Organization(t, d.Database, "acme"), storetest.Organization(t, d.Database, "other")
	tables := tenantTables(d)
	require.Greater(t, len(tables), 20)
	for _, table := range tables {
		column := "org_id"
		if table == "organizations" {
			column = "id"
		}
		require.True(t, one[bool](d, "select relrowsecurity from pg_class where oid = $1::regclass", table), table)
		require.Zero(t, visible(t, d, "", table, "true"), "%s shows rows without an organization", table)
		outsiders := fmt.Sprintf("%s <> %d", column, acme)
		require.Zero(t, visible(t, d, fmt.Sprint(acme), table, outsiders), "%s shows rows of others", table)
	}
	require.Equal(t, 1, visible(t, d, fmt.Sprint(acme), "organizations", "true"))
	require.Equal(t, 3, visible(t, d, fmt.Sprint(other), "customers", "true"))
	require.Zero(t, visible(t, d, "4711", "customers", "true"))
}

// visible counts the rows that the application sees in the name of an
// organization.
func visible(t *testing.T, d *documents, org, table, where string) int {
	t.Helper()
	var count int
	err := pgx.BeginFunc(t.Context(), d.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "select set_config('app.org_id', $1, true)", org); err != nil {
			return err
		}
		return tx.QueryRow(t.Context(), "select count(*) from "+table+" where "+where).Scan(&count)
	})
	require.NoError(t, err)
	return count
}

func TestViewsFollowRowLevelSecurity(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	views := one[[]string](d, "select coalesce(array_agg(viewname::text), '{}') from pg_views where schemaname = 'public'")
	require.NotEmpty(t, views)
	for _, view := range views {
		require.True(t, one[bool](d,
			`select coalesce('security_invoker=true' = any (reloptions) or 'security_invoker=on' = any (reloptions), false)
				from pg_class where oid = $1::regclass`,
			view),
			"%s runs with the rights of its owner, whom no policy holds", view)
	}
}

func TestTheApplicationCannotBypassRowLevelSecurity(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	acme, other := storetest.Organization(t, d.Database, "acme"), storetest.Organization(t, d.Database, "other")
	owner := one[string](d, "select current_user::text")
	for statement, code := range map[string]string{
		"alter table customers disable row level security":                       "42501",
		"drop policy tenant on customers":                                        "42501",
		"create policy mine on customers using (true)":                           "42501",
		"set role " + owner:                                                      "42501",
		"alter role current_user bypassrls":                                      "42501",
		"alter role current_user superuser":                                      "42501",
		"truncate customers":                                                     "42501",
		"delete from organizations":                                              "42501",
		"update event_sequencer set last_position = 0":                           "42501",
		"set row_security = off; select count(*) from customers":                 "42501",
		fmt.Sprintf("insert into skills (org_id, name) values (%d, 'X')", other): "42501",
		fmt.Sprintf("update skills set org_id = %d", other):                      "42501",
	} {
		err := pgx.BeginFunc(t.Context(), d.Pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), fmt.Sprintf("set local app.org_id = '%d'; %s", acme, statement),
				pgx.QueryExecModeSimpleProtocol)
			return err
		})
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, statement)
		require.Equal(t, code, refused.Code, "%s: %s", statement, refused.Message)
	}
	require.Equal(t, int64(2), one[int64](d, "select count(*) from skills where org_id = $1", other))
}
