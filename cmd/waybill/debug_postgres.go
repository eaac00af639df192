package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// bundledQueries are the facts about Postgres in a bundle: no contents of
// tables, and no texts of queries, which may contain personal data.
var bundledQueries = map[string]string{
	"schema": `select max(version_id) as version, count(*) as migrations,
		(select oldest_program from schema_compatibility) as oldest_program from goose_db_version where is_applied`,
	"settings": `select name, setting, unit, source from pg_settings
		where source not in ('default', 'client') and category !~ 'File Locations'
			and name !~ '(password|passphrase|secret|conninfo|command|ssl_|krb_|ldap|ident)' order by name`,
	"tables": `select c.relname::text as name, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as bytes,
			pg_indexes_size(c.oid) as bytes_of_indexes, s.n_dead_tup as dead, s.last_autovacuum, s.last_autoanalyze
		from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'm') order by 3 desc`,
	"sessions": `select application_name, state, wait_event_type, wait_event, count(*) as sessions,
			extract(epoch from max(clock_timestamp() - xact_start))::float8 as oldest_transaction_seconds
		from pg_stat_activity where datname = current_database() group by 1, 2, 3, 4 order by 5 desc`,
	"relay": `select m.name, m.since, m.expires_at, m.id = s.leader as leads,
			(select count(*) from relay_shards r where r.holder = m.id) as shards
		from relay_members m cross join event_sequencer s order by 1`,
	"followers": "select * from log_lag() order by 1",
}

// rows are the rows of a query, unchanged.
func (d *doctor) rows(ctx context.Context, query string) (any, error) {
	if d.pool == nil {
		return nil, d.poolErr
	}
	rows, err := d.pool.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("ask Postgres: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToMap)
}
