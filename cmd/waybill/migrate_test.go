package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// A dry run lists what the next run then applies, names to the operator and records.
func TestMigrateAppliesDefinitions(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner := asOwnerOf(t, db)
	_, err := owner.Exec(t.Context(), "drop function take_seat")
	require.NoError(t, err)
	env := []string{"DATABASE_MIGRATE_URL=" + db.OwnerURL, "DATABASE_URL=" + db.AppURL}
	dry := runProgram(t, env, "migrate", "--dry-run")
	require.Zero(t, dry.status, dry.stderr)
	require.Equal(t, "definition bookings/take_seat.sql\n0 migrations and 1 definition are pending\n", dry.stdout)
	done := runProgram(t, env, "migrate", "--skip-temporal")
	require.Zero(t, done.status, done.stderr)
	require.Contains(t, done.stdout, "applied 1 of the functions, views and triggers: bookings/take_seat.sql\n")
	var recorded string
	require.NoError(t, owner.QueryRow(t.Context(), "select done from operator_actions").Scan(&recorded))
	require.True(t, strings.HasPrefix(recorded, "applied 1 definition with release "), recorded)
	dry = runProgram(t, env, "migrate", "--dry-run")
	require.Equal(t, "0 migrations and 0 definitions are pending\n", dry.stdout)
}
