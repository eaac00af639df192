package schema_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/schema"
	"waybill/store/storetest"
)

// Every function, view and trigger has a definition with all its overloads, so that a
// definition is where you read it, and every definition creates what the database has.
func TestEveryFunctionViewAndTriggerHasADefinition(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	const query = `
		select 'FUNCTION ' || p.proname, count(*)::int from pg_proc p where p.pronamespace = 'public'::regnamespace
			and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') group by 1
		union all
		select 'VIEW ' || relname, 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
		union all
		select 'TRIGGER ' || tgname, count(*)::int from pg_trigger where not tgisinternal and tgparentid = 0 group by 1`
	rows, err := connect(t, db.OwnerURL).Query(t.Context(), query)
	require.NoError(t, err)
	present := map[string]int{}
	var name string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&name, &n}, func() error { present[name] = n; return nil })
	require.NoError(t, err)
	defined, err := schema.DefinedObjects()
	require.NoError(t, err)
	require.Equal(t, present, defined)
}

// restorePrevious fills an empty database with one of v0.2.0, which has rows of every kind.
func restorePrevious(t *testing.T, db *storetest.Database) {
	t.Helper()
	packed, err := os.Open(filepath.Join("..", "..", "e2e", "testdata", "v0.2.0.sql.gz"))
	require.NoError(t, err)
	defer func() { _ = packed.Close() }()
	r, err := gzip.NewReader(packed)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	_, err = connect(t, db.OwnerURL).PgConn().Exec(t.Context(), string(text)).ReadAll()
	require.NoError(t, err)
}

func migrate(t *testing.T, db *storetest.Database) schema.Done {
	t.Helper()
	done, err := schema.Migrate(t.Context(), db.OwnerURL, schema.Options{})
	require.NoError(t, err)
	return done
}

// remade is what pg_dump says of a schema public that is not the one of the cluster.
const remade = "-- *not* creating schema, since initdb creates it\n\nCOMMENT ON SCHEMA public IS '';\n\n"

// whole is the schema with privileges, without what organizations have of their own.
func whole(t *testing.T, db *storetest.Database) string {
	t.Helper()
	return strings.Replace(readable(dump(t, db.Name, "--exclude-table=order_serial_*")), remade, "", 1)
}

// However a database came to this release, it has the schema of one that was empty.
func TestEveryWayLeadsToOneSchema(t *testing.T) {
	t.Parallel()
	fresh := storetest.New(t)
	expected := whole(t, fresh)
	require.Contains(t, expected, "GRANT ALL ON FUNCTION find_api_key", "privileges are part of it")
	ways := map[string]func(t *testing.T, db *storetest.Database){
		"twice": func(t *testing.T, db *storetest.Database) { require.Empty(t, migrate(t, db)) },
		"from the previous release": func(t *testing.T, db *storetest.Database) {
			empty(t, db)
			restorePrevious(t, db)
			migrate(t, db)
		},
		"definitions alone": func(t *testing.T, db *storetest.Database) {
			dropDefined(t, db)
			require.Greater(t, len(migrate(t, db).Definitions), 180)
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			way(t, db)
			require.Equal(t, strings.Split(expected, "\n"), strings.Split(whole(t, db), "\n"))
			require.NoError(t, schema.Check(t.Context(), db.Pool))
		})
	}
}

// dropDefined drops all triggers and views, and the functions that no table needs.
func dropDefined(t *testing.T, db *storetest.Database) {
	t.Helper()
	_, err := connect(t, db.OwnerURL).Exec(t.Context(), `
		do $$
		declare
			statement text;
		begin
			for statement in
				select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
					where not tgisinternal and tgparentid = 0
				union all
				select format('drop view if exists %I cascade', relname) from pg_class
					where relnamespace = 'public'::regnamespace and relkind = 'v'
			loop
				execute statement;
			end loop;
			for statement in
				select format('drop function %s', p.oid::regprocedure) from pg_proc p
				where p.pronamespace = 'public'::regnamespace
					and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
					and not exists (select from pg_depend d where d.refobjid = p.oid and d.classid <> 'pg_proc'::regclass)
				order by exists (select from pg_depend d where d.refobjid = p.oid)
			loop
				execute statement;
			end loop;
		end $$`)
	require.NoError(t, err)
}

// files are definitions of a test's own.
func files(texts ...string) fstest.MapFS {
	made := fstest.MapFS{}
	for i := 0; i < len(texts); i += 2 {
		made["definitions/"+texts[i]] = &fstest.MapFile{Data: []byte(texts[i+1])}
	}
	return made
}

const (
	twoOf   = "CREATE OR REPLACE FUNCTION two() RETURNS integer LANGUAGE sql RETURN 2;\n"
	threeOf = "-- One more.\nCREATE OR REPLACE FUNCTION two() RETURNS integer LANGUAGE sql RETURN 3;\n"
	doubles = "CREATE OR REPLACE VIEW doubles AS SELECT id, two() * id AS twice FROM customers;\n" +
		"GRANT SELECT ON doubles TO waybill_app;\n"
	noted = "CREATE OR REPLACE FUNCTION note_customer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;\n"
	notes = "CREATE OR REPLACE TRIGGER customers_noted BEFORE INSERT ON customers\n" +
		"    FOR EACH ROW EXECUTE FUNCTION note_customer();\n"
)

// definer applies definitions of a test's own to a migrated database.
type definer struct {
	*testing.T
	db *storetest.Database
}

func (d definer) define(definitions fstest.MapFS) (applied []string, err error) {
	d.Helper()
	options := schema.Options{Patience: time.Nanosecond}
	return schema.DefineFiles(d.Context(), d.db.OwnerURL, later("SELECT 1;"), definitions, options)
}

func (d definer) apply(definitions fstest.MapFS) []string {
	d.Helper()
	applied, err := d.define(definitions)
	require.NoError(d, err)
	return applied
}

func (d definer) number(query string) (n int) {
	d.Helper()
	require.NoError(d, connect(d.T, d.db.OwnerURL).QueryRow(d.Context(), query).Scan(&n))
	return n
}

func (d definer) exec(statement string) {
	d.Helper()
	_, err := connect(d.T, d.db.OwnerURL).Exec(d.Context(), statement)
	require.NoError(d, err)
}

const rowOfTwo = "select xmin::text::int from pg_proc where proname = 'two'"

func TestADefinitionIsAppliedWhenItsTextChanges(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	both := files("a/doubles.sql", doubles, "b/two.sql", twoOf)
	require.Equal(t, []string{"b/two.sql", "a/doubles.sql"}, d.apply(both), "the view follows its function")
	row := d.number(rowOfTwo)
	require.Empty(t, d.apply(both))
	require.Equal(t, row, d.number(rowOfTwo), "what is unchanged is not applied")

	require.Equal(t, []string{"b/two.sql"}, d.apply(files("a/doubles.sql", doubles, "b/two.sql", threeOf)))
	require.Equal(t, 3, d.number("select two()"))
	require.NotEqual(t, row, d.number(rowOfTwo))
	require.Equal(t, []string{"b/two.sql"}, d.apply(both), "an earlier text comes back")
	require.Equal(t, 2, d.number("select two()"))
	require.Empty(t, d.apply(files("c/doubles.sql", doubles, "c/two.sql", twoOf)), "a file may move")
}

// A migration drops what cannot be replaced; its definition makes it again, with its rights.
func TestAMissingDefinitionIsApplied(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	d.apply(files("a/doubles.sql", doubles, "b/two.sql", twoOf))
	d.exec("drop function two() cascade")
	wider := "CREATE OR REPLACE FUNCTION two(n integer DEFAULT 1) RETURNS bigint LANGUAGE sql RETURN 2 * n;\n"
	require.Equal(t, []string{"b/two.sql", "a/doubles.sql"}, d.apply(files("a/doubles.sql", doubles, "b/two.sql", wider)))
	require.Equal(t, 1, d.number("select has_table_privilege('waybill_app', 'doubles', 'select')::int"))
}

func TestAFunctionWithOtherParametersNeedsTheOldOneDropped(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	d.apply(files("b/two.sql", twoOf))
	wider := "CREATE OR REPLACE FUNCTION two(n integer) RETURNS integer LANGUAGE sql RETURN 2 * n;\n"
	_, err := d.define(files("b/two.sql", wider))
	var refused *schema.DefinitionError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "b/two.sql", refused.File)
	require.ErrorContains(t, err, "the database has 2 of two, and the file creates 1")
	require.Equal(t, 1, d.number("select count(*) from pg_proc where proname = 'two'"))
	require.Equal(t, []string{"b/two.sql"}, d.apply(files("b/two.sql", twoOf+"\n"+wider)), "overloads share a file")
	dropping := "DROP FUNCTION IF EXISTS two();\n" + wider
	require.Equal(t, []string{"b/two.sql"}, d.apply(files("b/two.sql", dropping)))
}

// A definition that drops the old one takes along what depends on it, which is applied again
// in the same transaction.
func TestADefinitionThatDropsOthersHasThemAppliedAgain(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	quadruples := "CREATE OR REPLACE VIEW quadruples AS SELECT 2 * twice AS four FROM doubles;\n"
	d.apply(files("a/doubles.sql", doubles, "a/quadruples.sql", quadruples, "b/two.sql", twoOf))
	wider := "DROP FUNCTION IF EXISTS two() CASCADE;\n" + strings.Replace(twoOf, "integer", "bigint", 1)
	changed := files("a/doubles.sql", doubles, "a/quadruples.sql", quadruples, "b/two.sql", wider)
	require.Equal(t, []string{"b/two.sql", "a/doubles.sql", "a/quadruples.sql"}, d.apply(changed))
	require.Equal(t, 1, d.number("select has_table_privilege('waybill_app', 'doubles', 'select')::int"))
	require.Empty(t, d.apply(changed))
}

// Functions and views change together or not at all, and the error names the file.
func TestADefinitionThatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	before := files("a/doubles.sql", doubles, "b/two.sql", twoOf)
	d.apply(before)
	const wrong = "CREATE OR REPLACE VIEW doubles AS SELECT two() AS n;\n"
	_, err := d.define(files("a/doubles.sql", wrong, "b/two.sql", threeOf))
	var refused *schema.DefinitionError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "a/doubles.sql", refused.File)
	require.ErrorContains(t, err, "definition a/doubles.sql: ")
	require.ErrorContains(t, err, "42P16") // a column of a view cannot be renamed or dropped
	require.Equal(t, 2, d.number("select two()"))
	require.Empty(t, d.apply(before))
}

// A trigger locks its table, so it holds up no other definition.
func TestATriggerIsAppliedOnItsOwn(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	all := files("a/customers_noted.sql", notes, "a/note_customer.sql", noted, "b/two.sql", twoOf)
	held, pid := holdOn(t, d.db)
	_, err := d.define(all)
	var blocked *schema.BlockedError
	require.ErrorAs(t, err, &blocked)
	require.Equal(t, "a/customers_noted.sql", blocked.Migration)
	require.Len(t, blocked.By, 1)
	require.EqualValues(t, pid, blocked.By[0].PID)
	require.Equal(t, 2, d.number("select two()"))
	require.NoError(t, held.Rollback(context.WithoutCancel(t.Context())))
	require.Equal(t, []string{"a/customers_noted.sql"}, d.apply(all))
	require.Empty(t, d.apply(all))
}

// An older program leaves the definitions of a later one alone.
func TestDefinitionsOfALaterProgramStay(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	d.apply(files("b/two.sql", threeOf))
	d.exec("insert into goose_db_version (version_id, is_applied) values (100000, true)")
	var said []string
	applied, err := schema.DefineFiles(t.Context(), d.db.OwnerURL, later("SELECT 1;"), files("b/two.sql", twoOf),
		schema.Options{Tell: func(line string) { said = append(said, line) }})
	require.NoError(t, err)
	require.Empty(t, applied)
	require.Equal(t, []string{"the schema is of a later program (version 100000): its definitions stay"}, said)
	require.Equal(t, 3, d.number("select two()"))
}

// A program starts once its definitions have been applied, also after those of the next
// release with the same migrations.
func TestCheckWantsTheDefinitionsOfTheProgram(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	d.exec("insert into schema_definitions (name, hash) values ('VIEW v1_orders', 'of the next release')")
	require.NoError(t, schema.Check(t.Context(), d.db.Pool))
	d.exec(`update schema_definitions set hash = 'of an earlier release'
		where name = 'VIEW v1_orders' and hash not like 'of%'`)
	var outdated *schema.OutdatedError
	require.ErrorAs(t, schema.Check(t.Context(), d.db.Pool), &outdated)
	require.ErrorContains(t, outdated, "not the VIEW v1_orders of this program: run waybill migrate")
	require.Equal(t, []string{"orders/v1_orders.sql"}, migrate(t, d.db).Definitions)
	require.NoError(t, schema.Check(t.Context(), d.db.Pool))
}

func TestDefinitionFilesThatAreWrong(t *testing.T) {
	t.Parallel()
	const creating = "CREATE FUNCTION two() RETURNS integer LANGUAGE sql RETURN 2;"
	callsThree := strings.Replace(twoOf, "2;", "three();", 1)
	three := strings.NewReplacer("two", "three", "2;", "two();").Replace(twoOf)
	for want, definitions := range map[string]fstest.MapFS{
		"a/one.sql creates two":                       files("a/one.sql", twoOf),
		"a/two.sql creates nothing":                   files("a/two.sql", creating),
		"a/two.sql and b/two.sql define the same":     files("a/two.sql", twoOf, "b/two.sql", threeOf),
		"need one another in a circle at a/three.sql": files("a/two.sql", callsThree, "a/three.sql", three),
	} {
		_, err := schema.OrderOf(definitions)
		require.ErrorContains(t, err, want)
	}
	order, err := schema.OrderOf(files("a/two.sql", "-- three() comes later.\n"+twoOf, "a/three.sql", three))
	require.NoError(t, err)
	require.Equal(t, []string{"a/two.sql", "a/three.sql"}, order, "a comment needs nothing")
}
