package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
	"waybill/testing/stack"
)

// ownNamespace makes a namespace for one test on the server that all tests have.
func ownNamespace(t *testing.T) []string {
	t.Helper()
	address := os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS")
	require.NotEmpty(t, address, "run the tests with make test")
	name := fmt.Sprintf("waybill-%d", time.Now().UnixNano())
	require.NoError(t, stack.NewTemporalNamespace(address, name).Start(t.Context()))
	return []string{"TEMPORAL_ADDRESS=" + address, "TEMPORAL_NAMESPACE=" + name}
}

// with is an environment on top of another one.
func with(environment []string, more ...string) []string {
	return append(append([]string{}, environment...), more...)
}

// asOriginal are the settings of a process on one database.
func asOriginal(environment []string, db *storetest.Database) []string {
	return with(environment, "DATABASE_URL="+db.AppURL, "DATABASE_MIGRATE_URL="+db.OwnerURL)
}

// The databases of tests are copies of one template: they have the same identity, as the
// original and its restored copy do.
func TestACopyOfTheDatabaseRefusesTheNamespaceOfTheOriginal(t *testing.T) {
	t.Parallel()
	namespace := ownNamespace(t)
	production, restored := asOriginal(namespace, storetest.New(t)), asOriginal(namespace, storetest.New(t))
	migrated := runProgram(t, production, "migrate")
	require.Zero(t, migrated.status, migrated.stderr)
	require.Contains(t, migrated.stdout, "belongs to installation ")

	for _, command := range [][]string{{"work"}, {"serve"}, {"migrate"}, {"housekeeping"}} {
		got := runProgram(t, restored, command...)
		require.Equal(t, 1, got.status, command)
		require.Contains(t, got.stderr, "this database is a copy of installation ", command)
		require.Contains(t, got.stderr, "waybill adopt-namespace", command)
	}

	kept := runProgram(t, production, "adopt-namespace")
	require.Zero(t, kept.status, kept.stderr)
	require.Contains(t, kept.stdout, "already")
	asked := runProgram(t, restored, "adopt-namespace")
	require.Equal(t, 1, asked.status, "nobody typed its name")
	adopted := runProgram(t, restored, "adopt-namespace", "--yes")
	require.Zero(t, adopted.status, adopted.stderr)
	r := start(t, with(restored, "WAYBILL_HTTP_ADDR=127.0.0.1:0"), "serve")
	r.stop(t)
	old := runProgram(t, production, "work")
	require.Equal(t, 1, old.status, "the original is the outsider now")
}

// A restore in place keeps the location, and goes back in time.
func TestAnEarlierStateOfTheDatabaseRefusesTheNamespace(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	env := asOriginal(ownNamespace(t), db)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = owner.Close(context.WithoutCancel(t.Context())) }()
	turn := func(to int) {
		_, err := owner.Exec(t.Context(), "update installation set turn = $1, turned_at = now()", to)
		require.NoError(t, err)
	}
	turn(7)
	require.Zero(t, runProgram(t, env, "migrate").status)
	turn(5)
	got := runProgram(t, env, "work")
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, "an earlier state of installation ")
	turn(6)
	require.Zero(t, runProgram(t, env, "migrate").status, "a standby may lack the last turn")
	turn(9)
	require.Zero(t, runProgram(t, env, "migrate").status)
	turn(7)
	require.Eventually(t, func() bool { return runProgram(t, env, "adopt-namespace").status == 1 }, longest, time.Millisecond,
		"the claim goes on with the database")
}

// Many processes start concurrently on a new namespace: one of them claims it,
// for all.
func TestProcessesThatStartAtOnceClaimOneNamespace(t *testing.T) {
	t.Parallel()
	namespace := ownNamespace(t)
	one, other := asOriginal(namespace, storetest.New(t)), asOriginal(namespace, storetest.New(t))
	outcomes := make([]outcome, 6)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() { outcomes[i] = runProgram(t, [][]string{one, other}[i%2], "adopt-namespace") })
	}
	all.Wait()
	owners := map[int]int{}
	for i, o := range outcomes {
		if o.status == 0 {
			owners[i%2]++
		}
	}
	require.Len(t, owners, 1, "two databases own one namespace")
	for _, n := range owners {
		require.Equal(t, 3, n, "a process of the owner was refused: %+v", outcomes)
	}
}

// A process that starts while Temporal is unavailable compares as soon as it
// can, and does nothing in the namespace before.
func TestProcessOfAnotherInstallationEndsWhenTemporalReturns(t *testing.T) {
	t.Parallel()
	server, err := stack.NewTemporal(stack.TemporalOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	require.NoError(t, server.Start(t.Context()))
	namespace := []string{"TEMPORAL_ADDRESS=" + server.Address(), "TEMPORAL_NAMESPACE=" + server.Namespace()}
	require.Zero(t, runProgram(t, asOriginal(namespace, storetest.New(t)), "migrate").status)
	server.Kill()
	r := start(t, with(asOriginal(namespace, storetest.New(t)), "WAYBILL_HTTP_ADDR=127.0.0.1:0"), "serve")
	status, _ := r.get(t, "/healthz")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, server.Start(t.Context()))
	select {
	case err := <-r.ended:
		require.Error(t, err)
	case <-time.After(longest):
		t.Fatal("the copy works on in the namespace of the original")
	}
}
