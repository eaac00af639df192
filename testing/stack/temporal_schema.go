package stack

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"

	"waybill/internal/child"
)

// migrateTemporal brings both databases of a server to its schema, with its
// program for that.
func migrateTemporal(ctx context.Context, program string, pg *Postgres) error {
	schemas := map[string]string{temporalDatabase: "temporal", visibilityDatabase: "visibility"}
	for database, schema := range schemas {
		made, err := pg.EnsureDatabase(ctx, database, temporalRole)
		if err != nil {
			return err
		}
		if made {
			if err := temporalTool(ctx, program, pg, database, "setup-schema", "--version", "0.0"); err != nil {
				return err
			}
		}
		if err := temporalTool(ctx, program, pg, database, "update-schema", "--schema-name", "postgresql/v12/"+schema); err != nil {
			return err
		}
	}
	return nil
}

// temporalTool runs Temporal's schema program on a database.
func temporalTool(ctx context.Context, program string, pg *Postgres, database string, args ...string) error {
	host, port, err := net.SplitHostPort(pg.address())
	if err != nil {
		return err
	}
	all := append([]string{
		"--plugin", temporalPlugin, "--endpoint", host, "--port", port,
		"--user", temporalRole, "--database", database,
	}, args...)
	cmd := exec.CommandContext(ctx, program, all...)
	cmd.Env = append(os.Environ(), "SQL_PASSWORD="+pg.secret.password(temporalRole))
	cmd.SysProcAttr = child.Attributes(syscall.SIGTERM)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", args[0], err, child.LastLines(out, child.TailBytes))
	}
	return nil
}
