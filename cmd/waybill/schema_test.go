package main

import (
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/schema"
	"waybill/store/storetest"
)

// A program does not start on a schema that it cannot work with.
func TestAProgramRefusesASchemaThatIsTooNew(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = owner.Close(t.Context()) }()
	_, err = owner.Exec(t.Context(), "update schema_compatibility set oldest_program = $1", schema.Latest()+1)
	require.NoError(t, err)
	c := config{DatabaseURL: db.AppURL, DatabaseConns: 4}
	_, err = openCheckedPool(t.Context(), c, workSession, nil, slog.New(slog.DiscardHandler))
	var tooNew *schema.TooNewError
	require.ErrorAs(t, err, &tooNew)
}
