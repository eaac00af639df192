package stack

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/internal/child"
)

// Backup makes a base backup of the running cluster for RestoreTo, as operators make one with pg_basebackup. From then
// on the cluster keeps its write-ahead log, in the place of an archive.
func (pg *Postgres) Backup(ctx context.Context) error {
	if err := pg.Set(ctx, "wal_keep_size", "1GB"); err != nil {
		return err
	}
	if err := pg.copyOf(ctx, pg, pg.backup(), "--wal-method=none"); err != nil {
		return fmt.Errorf("back the cluster up: %w", err)
	}
	return nil
}

// copyOf copies the data of a running cluster with pg_basebackup into a new folder.
func (pg *Postgres) copyOf(ctx context.Context, of *Postgres, into string, args ...string) error {
	u, err := url.Parse(of.URL(Superuser, Maintenance))
	if err != nil {
		return err
	}
	args = append(args, "--pgdata="+into, "--checkpoint=fast", "--no-sync", "--dbname="+u.String())
	cmd := exec.CommandContext(ctx, pg.programs.path("pg_basebackup"), args...)
	cmd.Dir = filepath.Dir(pg.data)
	cmd.SysProcAttr = child.Attributes(syscall.SIGTERM)
	if pg.account != nil {
		cmd.SysProcAttr.Credential = pg.account.credential()
	}
	if err := pg.account.own(into); err != nil {
		return err
	}
	if printed, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, child.LastLines(printed, child.TailBytes))
	}
	return nil
}

// RestoreTo stops the cluster, and starts it with the last backup and the write-ahead log until a time. What was
// committed later is gone.
func (pg *Postgres) RestoreTo(ctx context.Context, at time.Time) error {
	if err := pg.Stop(); err != nil {
		return err
	}
	lost := pg.data + ".lost"
	if err := os.Rename(pg.data, lost); err != nil {
		return err
	}
	if err := os.Rename(pg.backup(), pg.data); err != nil {
		return err
	}
	settings := fmt.Sprintf("restore_command = 'cp \"%s/%%f\" \"%%p\"'\n"+
		"recovery_target_time = '%s'\nrecovery_target_action = 'promote'\n",
		filepath.Join(lost, "pg_wal"), at.UTC().Format("2006-01-02 15:04:05.999999 UTC"))
	for name, text := range map[string]string{"postgresql.auto.conf": settings, "recovery.signal": ""} {
		if err := pg.account.write(filepath.Join(pg.data, name), text); err != nil {
			return err
		}
	}
	if err := pg.Start(ctx); err != nil {
		return err
	}
	return pg.promoted(ctx)
}

// promoted waits until the cluster has recovered and takes writes.
func (pg *Postgres) promoted(ctx context.Context) error {
	for {
		recovers, err := pg.recovers(ctx)
		if err == nil && !recovers {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the end of the recovery: %w", ctx.Err())
		case <-pg.Done():
			return pg.Failure()
		case <-time.After(pollInterval):
		}
	}
}

func (pg *Postgres) recovers(ctx context.Context) (recovers bool, err error) {
	err = pg.as(ctx, Maintenance, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&recovers)
	})
	return recovers, err
}

func (pg *Postgres) backup() string { return pg.data + ".backup" }
