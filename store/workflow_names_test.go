package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/migrations"
	"waybill/store"
	"waybill/store/storetest"
)

// Organizations that already have workflows keep their number in workflow IDs.
// Newer ones use their slug, unless it could be another's number.
func TestOrganizationsKeepTheirNamesInWorkflowIDs(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(t.Context()) })
	run := func(sql string, args ...any) {
		_, err := owner.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	run("drop trigger organizations_workflow_name on organizations")
	run("alter table organizations drop column workflow_name")
	run("drop function name_workflows()")
	old := storetest.Organization(t, db, "old")
	migration, err := migrations.Files.ReadFile("00105_workflow_names.sql")
	require.NoError(t, err)
	run(string(migration))

	s := store.New(db.Pool)
	name := func(org int64) string {
		name, err := s.WorkflowName(t.Context(), org)
		require.NoError(t, err)
		return name
	}
	require.Equal(t, "1", name(old))
	require.EqualValues(t, 1, old)
	fresh := storetest.Organization(t, db, "nordfrakt")
	require.Equal(t, "nordfrakt", name(fresh))
	run("insert into organizations (id, slug, name, timezone) values (9, '1', 'One', 'Europe/Oslo')")
	require.Equal(t, "9", name(9), "its slug is the number of another one")

	run("update organizations set slug = 'sorfrakt' where id = $1", fresh)
	require.Equal(t, "nordfrakt", name(fresh))
	name2, err := store.New(db.Pool).WorkflowName(t.Context(), fresh)
	require.NoError(t, err)
	require.Equal(t, "nordfrakt", name2, "it stays, whatever becomes of the slug")
	_, err = s.WorkflowName(t.Context(), 99)
	require.ErrorIs(t, err, store.ErrNotFound)
}
