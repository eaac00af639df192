package stack

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// admission lets the hosts of its networks connect to a server, and replicate it.
const admission = "host all all samenet scram-sha-256\nhost replication all samenet scram-sha-256\n"

// admitHosts has the server take connections of other hosts, if it has a host.
func (pg *Postgres) admitHosts() error {
	if pg.options.Host == nil {
		return nil
	}
	file := filepath.Join(pg.data, "pg_hba.conf")
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), admission) {
		return err
	}
	return pg.account.write(file, string(text)+admission)
}

// URLAt is the URL of a database for a role at another address of the cluster, for example one that moves to a
// standby with the clients.
func (pg *Postgres) URLAt(address, role, database string) string {
	return pg.urlAt(net.JoinHostPort(address, strconv.Itoa(pg.options.Port)), role, database)
}

// StartStandby starts the cluster as a standby of a running one, of which it gets a copy first. Both have the
// same secret: see PostgresOptions.Like.
func (pg *Postgres) StartStandby(ctx context.Context, of *Postgres) error {
	if err := os.RemoveAll(pg.data); err != nil {
		return err
	}
	if err := pg.copyOf(ctx, of, pg.data, "--wal-method=stream", "--write-recovery-conf"); err != nil {
		return fmt.Errorf("copy the primary: %w", err)
	}
	return pg.Start(ctx)
}

// Promote has a standby take writes.
func (pg *Postgres) Promote(ctx context.Context) error {
	err := pg.as(ctx, Maintenance, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SELECT pg_promote(false)")
		return err
	})
	if err != nil {
		return fmt.Errorf("promote the standby: %w", err)
	}
	return pg.promoted(ctx)
}

// Process is the running server, for signals.
func (pg *Postgres) Process() *Process { return pg.process }
