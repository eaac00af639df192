package storetest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/schema"
	"waybill/store/storetest"
)

func TestNew(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"First", "Second", "Third"} {
		t.Run(name+"TestHasADatabaseOfItsOwn", func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			require.NoError(t, schema.Check(t.Context(), db.Pool))
			require.NoError(t, schema.CheckRole(t.Context(), db.Pool))
			var organizations int
			owner, err := pgx.Connect(t.Context(), db.OwnerURL)
			require.NoError(t, err)
			defer func() { _ = owner.Close(t.Context()) }()
			_, err = owner.Exec(t.Context(), "insert into organizations (slug, name, timezone) values ('a', 'A', 'Europe/Oslo')")
			require.NoError(t, err)
			require.NoError(t, owner.QueryRow(t.Context(), "select count(*) from organizations").Scan(&organizations))
			require.Equal(t, 1, organizations)
		})
	}
}
