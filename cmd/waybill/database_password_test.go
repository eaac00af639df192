package main

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// A process with both passwords continues when the role gets the other one, in
// either order; a process with one of them does not.
func TestThePasswordOfTheDatabaseChangesWithoutAGap(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	role := "rotated_" + strings.ToLower(rand.Text())
	owner := asOwnerOf(t, db)
	run := func(statement string) {
		_, err := owner.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	run("create role " + role + " login password 'first'")
	defer run("drop role " + role)
	connects := func(password, other string) error {
		pool, err := openPool(t.Context(), config{
			DatabaseURL: as(t, db.AppURL, role, password), DatabaseConns: 1, DatabaseOtherPassword: other,
		}, "test", nil)
		require.NoError(t, err)
		defer pool.Close()
		return pool.Ping(t.Context())
	}
	for _, present := range []string{"first", "second"} {
		run("alter role " + role + " password '" + present + "'")
		require.NoError(t, connects("first", "second"), present)
		require.NoError(t, connects("second", "first"), present)
		require.NoError(t, connects(present, ""), present)
		require.ErrorContains(t, connects("third", ""), "password authentication failed")
		require.ErrorContains(t, connects("third", "fourth"), "password authentication failed")
	}
}

// as is the address of a database for another role.
func as(t *testing.T, address, role, password string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	parsed.User = url.UserPassword(role, password)
	return parsed.String()
}
