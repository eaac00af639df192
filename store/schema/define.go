package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// DefinitionError is a definition that the database refuses.
type DefinitionError struct {
	// File is the path of its file below migrations/definitions.
	File string
	Err  error
}

// Unwrap is the error of the database.
func (e *DefinitionError) Unwrap() error { return e.Err }

// Error names the file.
func (e *DefinitionError) Error() string {
	return fmt.Sprintf("definition %s: %v", e.File, e.Err)
}

// define applies the definitions whose text has changed or whose object is missing, under
// the lock of the migrations, and returns their files. Functions and views change together
// or not at all. A trigger locks the table that it belongs to, so each has a transaction of
// its own.
//
// A database that a later program has migrated keeps the definitions of that program.
func (m *migrator) define(ctx context.Context) (applied []string, err error) {
	conn, err := m.db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect as owner: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if err := m.locker.SessionLock(ctx, conn); err != nil {
		return nil, fmt.Errorf("take the migration lock: %w", err)
	}
	defer func() { err = errors.Join(err, m.locker.SessionUnlock(context.WithoutCancel(ctx), conn)) }()
	var version int64
	if err := conn.QueryRowContext(ctx, versionQuery).Scan(&version); err != nil {
		return nil, fmt.Errorf("read the schema version: %w", err)
	}
	if version > m.latest {
		m.options.Tell(fmt.Sprintf("the schema is of a later program (version %d): its definitions stay", version))
		return nil, nil
	}
	var together, triggers []definition
	for _, d := range m.definitions {
		if d.kind == trigger {
			triggers = append(triggers, d)
		} else {
			together = append(together, d)
		}
	}
	if applied, err = applyTogether(ctx, conn, together); err != nil {
		return nil, err
	}
	pending, err := pendingDefinitions(ctx, conn, triggers)
	if err != nil {
		return applied, err
	}
	for _, p := range pending {
		alone, err := applyTogether(ctx, conn, []definition{p.definition})
		if err != nil {
			return applied, err
		}
		applied = append(applied, alone...)
	}
	return applied, nil
}

// pendingDefinition is one that is to be applied.
type pendingDefinition struct {
	definition
	// present is how many objects of its name the database has.
	present int
}

// pendingDefinitions are those whose text is not the one that was applied last, or of which
// the database has fewer or more objects than the file creates.
func pendingDefinitions(ctx context.Context, db querier, all []definition) (pending []pendingDefinition, err error) {
	last, err := lastApplied(ctx, db)
	if err != nil {
		return nil, err
	}
	present, err := presentObjects(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if n := present[d.object]; last[d.key()] != d.hash || n != d.creates {
			pending = append(pending, pendingDefinition{d, n})
		}
	}
	return pending, nil
}

// querier is a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// lastApplied are the hashes of the texts that were applied last.
func lastApplied(ctx context.Context, db querier) (hashes map[string]string, err error) {
	const query = "select distinct on (name) name, hash from schema_definitions order by name, applied_at desc"
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read applied definitions: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	hashes = map[string]string{}
	for rows.Next() {
		var name, hash string
		if err := rows.Scan(&name, &hash); err != nil {
			return nil, fmt.Errorf("read applied definitions: %w", err)
		}
		hashes[name] = hash
	}
	return hashes, rows.Err()
}

// objectsQuery counts functions by name, so that each overload counts, and views and
// triggers. The trigger of a partitioned table counts once.
const objectsQuery = `
	select 'FUNCTION', proname::text, count(*) from pg_proc where pronamespace = 'public'::regnamespace group by 2
	union all
	select 'VIEW', relname::text, 1 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
	union all
	select 'TRIGGER', t.tgname::text, count(*) from pg_trigger t join pg_class c on c.oid = t.tgrelid
	where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgparentid = 0 group by 2`

// presentObjects counts what the database has of each name.
func presentObjects(ctx context.Context, db querier) (counts map[object]int, err error) {
	rows, err := db.QueryContext(ctx, objectsQuery)
	if err != nil {
		return nil, fmt.Errorf("list functions, views and triggers: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	counts = map[object]int{}
	for rows.Next() {
		var o object
		var n int
		if err := rows.Scan(&o.kind, &o.name, &n); err != nil {
			return nil, fmt.Errorf("list functions, views and triggers: %w", err)
		}
		counts[o] = n
	}
	return counts, rows.Err()
}

// applyTogether applies those of the definitions that are pending in one transaction, and
// records them. A definition that drops others with CASCADE has them applied again.
func applyTogether(ctx context.Context, conn *sql.Conn, all []definition) (applied []string, err error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("apply definitions: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	isDone := map[object]bool{}
	for {
		pending, err := pendingDefinitions(ctx, tx, all)
		if err != nil {
			return nil, err
		}
		if len(pending) == 0 {
			break
		}
		for _, p := range pending {
			if isDone[p.object] {
				return nil, p.refusal()
			}
			if err := p.apply(ctx, tx); err != nil {
				return nil, err
			}
			isDone[p.object] = true
			applied = append(applied, p.file)
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("apply definitions: %w", err)
	}
	return applied, nil
}

// refusal is the error of a definition that is still pending after it was applied.
func (p pendingDefinition) refusal() error {
	return &DefinitionError{File: p.file, Err: fmt.Errorf("the database has %d of %s, and the file creates %d: "+
		"a migration, or DROP … IF EXISTS in the file, must drop the others", p.present, p.name, p.creates)}
}

// apply runs the text and records its hash.
func (d definition) apply(ctx context.Context, tx *sql.Tx) error {
	const record = `insert into schema_definitions (name, hash) values ($1, $2)
		on conflict (name, hash) do update set applied_at = excluded.applied_at`
	if _, err := tx.ExecContext(ctx, d.text); err != nil {
		return &DefinitionError{File: d.file, Err: err}
	}
	if _, err := tx.ExecContext(ctx, record, d.key(), d.hash); err != nil {
		return &DefinitionError{File: d.file, Err: err}
	}
	return nil
}
