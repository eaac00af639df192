package schema_test

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/migrations"
	"waybill/store/schema"
	"waybill/store/storetest"
)

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// empty makes a database one in which nothing was ever migrated.
func empty(t *testing.T, db *storetest.Database) {
	t.Helper()
	_, err := connect(t, db.OwnerURL).Exec(t.Context(),
		"drop schema public cascade; create schema public; grant usage on schema public to public")
	require.NoError(t, err)
}

// An empty schema is migrated by two processes at once: each migration and each
// definition runs once.
func TestMigrateAtTheSameMoment(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	empty(t, db)
	require.ErrorContains(t, schema.Check(t.Context(), db.Pool), "run waybill migrate")
	var wg sync.WaitGroup
	done, errs := make([]schema.Done, 2), make([]error, 2)
	for i := range done {
		wg.Go(func() { done[i], errs[i] = schema.Migrate(t.Context(), db.OwnerURL, schema.Options{}) })
	}
	wg.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	files, err := fs.Glob(migrations.Files, "*.sql")
	require.NoError(t, err)
	require.Len(t, files, len(done[0].Migrations)+len(done[1].Migrations), "numbers may be left out")
	defined, err := fs.Glob(migrations.Definitions, "definitions/*/*.sql")
	require.NoError(t, err)
	require.Len(t, defined, len(done[0].Definitions)+len(done[1].Definitions))
	require.Equal(t, strings.Split(whole(t, storetest.New(t)), "\n"), strings.Split(whole(t, db), "\n"))
	require.NoError(t, schema.Check(t.Context(), db.Pool))
}

func TestCheckRefusesAnOldSchemaAndTakesANewer(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner := connect(t, db.OwnerURL)
	var before int64
	require.NoError(t, owner.QueryRow(t.Context(), `delete from goose_db_version where version_id = $1
		returning (select max(v.version_id) from goose_db_version v where v.version_id < $1)`, schema.Latest()).Scan(&before))
	var outdated *schema.OutdatedError
	require.ErrorAs(t, schema.Check(t.Context(), db.Pool), &outdated)
	require.Equal(t, before, outdated.Version)
	_, err := owner.Exec(t.Context(),
		"insert into goose_db_version (version_id, is_applied) values ($1, true)", schema.Latest()+1)
	require.NoError(t, err)
	require.NoError(t, schema.Check(t.Context(), db.Pool))
}

// A migration that removes something that this program uses marks that in the
// database.
func TestCheckRefusesASchemaThatIsTooNew(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	oldest, err := schema.OldestProgram(t.Context(), db.Pool)
	require.NoError(t, err)
	require.EqualValues(t, 37, oldest, "v0.2.0 works with this schema")
	_, err = connect(t, db.OwnerURL).Exec(t.Context(),
		"update schema_compatibility set oldest_program = $1", schema.Latest()+1)
	require.NoError(t, err)
	var tooNew *schema.TooNewError
	require.ErrorAs(t, schema.Check(t.Context(), db.Pool), &tooNew)
	require.Equal(t, schema.Latest(), tooNew.Version)
	require.Equal(t, schema.Latest()+1, tooNew.Oldest)
	require.ErrorContains(t, tooNew, "run a later release")
}

func TestCheckRole(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	require.NoError(t, schema.CheckRole(t.Context(), db.Pool))
	require.ErrorContains(t, schema.CheckRole(t.Context(), connect(t, db.OwnerURL)), "it owns the tables")
	require.ErrorContains(t, schema.CheckRole(t.Context(), connect(t, os.Getenv(storetest.Variable))), "it is a superuser")

	superuser, err := url.Parse(os.Getenv(storetest.Variable))
	require.NoError(t, err)
	superuser.Path = "/" + db.Name
	var role string
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select current_user").Scan(&role))
	_, err = connect(t, superuser.String()).Exec(t.Context(), "alter function find_api_key(text) owner to "+role)
	require.NoError(t, err)
	require.ErrorContains(t, schema.CheckRole(t.Context(), db.Pool), "it owns functions that see all rows")
}

// login is a role for one test: roles belong to the whole cluster.
func login(t *testing.T, db *storetest.Database, password string) (address, role string) {
	t.Helper()
	u, err := url.Parse(db.AppURL)
	require.NoError(t, err)
	role = "waybill_login_" + strings.TrimPrefix(db.Name, "waybill_test_")
	u.User = url.UserPassword(role, password)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context()) // which has ended by now
		superuser, err := pgx.Connect(ctx, os.Getenv(storetest.Variable))
		require.NoError(t, err)
		_, err = superuser.Exec(ctx, "drop role if exists "+role)
		require.NoError(t, errors.Join(err, superuser.Close(ctx)))
	})
	return u.String(), role
}

func TestEnsureLogin(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	address, role := login(t, db, "it's \\ a \"password\"")

	done, err := schema.EnsureLogin(t.Context(), db.OwnerURL, address)
	require.NoError(t, err)
	require.Equal(t, []string{"created the login role " + role, "made role " + role + " a member of waybill_app"}, done)
	require.NoError(t, schema.CheckRole(t.Context(), connect(t, address)))

	done, err = schema.EnsureLogin(t.Context(), db.OwnerURL, address)
	require.NoError(t, err)
	require.Empty(t, done, "what is so already stays as it is")

	other, _ := login(t, db, "another")
	done, err = schema.EnsureLogin(t.Context(), db.OwnerURL, other)
	require.NoError(t, err)
	require.Equal(t, []string{"set the password of role " + role}, done)
	require.NoError(t, schema.Check(t.Context(), connect(t, other)))

	_, err = schema.EnsureLogin(t.Context(), db.OwnerURL, db.OwnerURL)
	require.ErrorIs(t, err, schema.ErrSameRole)
}
