package operationstest

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// BreakOff has the database break off the first transaction that writes to a table, as it
// commits.
func (o *Office) BreakOff(table string) {
	o.T.Helper()
	o.Do(`create sequence tries;
		create function break_off() returns trigger language plpgsql security definer as $$ begin
			if nextval('tries') = 1 then
				perform pg_advisory_xact_lock(42);
				raise exception 'as in a deadlock' using errcode = '40P01';
			end if;
			return new;
		end $$;
		create constraint trigger break_off after insert on ` + table + `
			deferrable initially deferred for each row execute function break_off()`)
}

// Overtake begins something that is broken off, and something else that waits for what the
// first has locked. The other one is done before the first runs again.
func (o *Office) Overtake(first, other func() error) (firstErr, otherErr error) {
	o.T.Helper()
	look, err := pgx.Connect(o.T.Context(), o.OwnerURL)
	require.NoError(o.T, err)
	defer func() { _ = look.Close(context.WithoutCancel(o.T.Context())) }()
	waiting := func(many int) {
		require.Eventually(o.T, func() bool {
			var n int
			err := look.QueryRow(o.T.Context(), `select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
				where not granted and datname = current_database()`).Scan(&n)
			return err == nil && n == many
		}, 30*time.Second, 5*time.Millisecond)
	}
	o.Do("select pg_advisory_lock(42)")
	firstDone, otherDone := make(chan error, 1), make(chan error, 1)
	go func() { firstDone <- first() }()
	waiting(1)
	go func() { otherDone <- other() }()
	waiting(2)
	o.Do("select pg_advisory_unlock(42)")
	return <-firstDone, <-otherDone
}
