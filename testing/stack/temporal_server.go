package stack

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"text/template"
	"time"

	"waybill/internal/child"
)

// ErrNoTemporalServer is returned if the programs of Temporal's full server are
// not installed.
var ErrNoTemporalServer = errors.New("Temporal server programs not found: " +
	"build them with `make bin/tools/server bin/tools/sql` (a minute each, once)")

// Where the server keeps its state: two databases, owned by one role.
const (
	temporalRole       = "temporal"
	temporalDatabase   = "temporal"
	visibilityDatabase = "temporal_visibility"
	temporalPlugin     = "postgres12_pgx"
	temporalRetention  = 24 * time.Hour
)

//go:embed temporal_server.yaml.tmpl
var temporalServerConfig string

//go:embed temporal_server_dynamic.yaml
var temporalServerDynamic []byte

// TemporalServer is Temporal's full server on our Postgres, for tests and
// benchmarks.
type TemporalServer struct {
	postgres *Postgres
	dir      string
	server   string
	sql      string
	ports    map[string]int
	process  *Process
}

// NewTemporalServer finds the programs and makes a temporary folder for the
// configuration. It returns ErrNoTemporalServer when the programs are not there.
func NewTemporalServer(pg *Postgres) (*TemporalServer, error) {
	s := &TemporalServer{postgres: pg, ports: map[string]int{}}
	var hasServer, hasSQL bool
	s.server, hasServer = findTool("server")
	s.sql, hasSQL = findTool("sql")
	if !hasServer || !hasSQL {
		return nil, ErrNoTemporalServer
	}
	for _, service := range []string{"frontend", "history", "matching", "worker"} {
		for _, use := range []string{"", "Membership"} {
			port, err := child.FreePort()
			if err != nil {
				return nil, err
			}
			s.ports[service+use] = port
		}
	}
	var err error
	s.dir, err = os.MkdirTemp("", "waybill-temporal-")
	return s, err
}

// Start makes the databases when they are not there, starts the server on a
// running Postgres, and waits until it runs workflows in the default namespace.
func (s *TemporalServer) Start(ctx context.Context) error {
	if err := s.configure(); err != nil {
		return fmt.Errorf("configure Temporal: %w", err)
	}
	if err := s.migrate(ctx); err != nil {
		return fmt.Errorf("set up the Temporal databases: %w", err)
	}
	process, err := Launch(Command{
		Name: "Temporal", Path: s.server,
		Args: []string{"--root", s.dir, "--config", ".", "--env", "server", "--allow-no-auth", "start"},
		Log:  filepath.Join(s.dir, "temporal.log"), Grace: time.Minute,
	})
	if err != nil {
		return err
	}
	if err := s.ready(ctx, process); err != nil {
		process.Kill()
		return err
	}
	s.process = process
	return nil
}

// configure writes the server's configuration.
func (s *TemporalServer) configure() error {
	parsed, err := template.New("config").Parse(temporalServerConfig)
	if err != nil {
		return err
	}
	var text strings.Builder
	err = parsed.Execute(&text, map[string]any{
		"Dir": s.dir, "Ports": s.ports, "Plugin": temporalPlugin, "Postgres": child.Local(s.postgres.Port()),
		"Role": temporalRole, "Password": s.postgres.secret.password(temporalRole),
		"Database": temporalDatabase, "Visibility": visibilityDatabase,
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "dynamic.yaml"), temporalServerDynamic, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "server.yaml"), []byte(text.String()), 0o600)
}

// migrate brings both databases to the server's schema.
func (s *TemporalServer) migrate(ctx context.Context) error {
	schemas := map[string]string{temporalDatabase: "temporal", visibilityDatabase: "visibility"}
	for database, schema := range schemas {
		made, err := s.postgres.EnsureDatabase(ctx, database, temporalRole)
		if err != nil {
			return err
		}
		if made {
			if err := s.tool(ctx, database, "setup-schema", "--version", "0.0"); err != nil {
				return err
			}
		}
		if err := s.tool(ctx, database, "update-schema", "--schema-name", "postgresql/v12/"+schema); err != nil {
			return err
		}
	}
	return nil
}

// tool runs Temporal's schema program on a database.
func (s *TemporalServer) tool(ctx context.Context, database string, args ...string) error {
	all := append([]string{
		"--plugin", temporalPlugin, "--endpoint", "127.0.0.1", "--port", fmt.Sprint(s.postgres.Port()),
		"--user", temporalRole, "--database", database,
	}, args...)
	cmd := exec.CommandContext(ctx, s.sql, all...)
	cmd.Env = append(os.Environ(), "SQL_PASSWORD="+s.postgres.secret.password(temporalRole))
	cmd.SysProcAttr = child.Attributes(syscall.SIGTERM)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", args[0], err, child.LastLines(out, child.TailBytes))
	}
	return nil
}

// ready registers the default namespace and waits until it can be used.
func (s *TemporalServer) ready(ctx context.Context, p *Process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, temporalPatience, errors.New("timed out"))
	defer cancel()
	if err := await(ctx, p, func(ctx context.Context) error { return listening(ctx, s.Address()) }); err != nil {
		return err
	}
	c, err := temporalClient(s.Address(), DefaultNamespace)
	if err != nil {
		return err
	}
	defer c.Close()
	return await(ctx, p, func(ctx context.Context) error { return makeNamespace(ctx, c, DefaultNamespace) })
}

// Address is where clients find the server.
func (s *TemporalServer) Address() string { return child.Local(s.ports["frontend"]) }

// Stop ends the server in order.
func (s *TemporalServer) Stop() error {
	if s.process == nil {
		return nil
	}
	return s.process.Stop()
}

// Kill ends the server as a crash would.
func (s *TemporalServer) Kill() {
	if s.process != nil {
		s.process.Kill()
	}
}

// Restart stops the server and starts it on the same port and state.
func (s *TemporalServer) Restart(ctx context.Context) error {
	return errors.Join(s.Stop(), s.Start(ctx))
}

// Done is closed when the server that was last started has ended.
func (s *TemporalServer) Done() <-chan struct{} { return s.process.Done() }

// Failure explains why the server ended by itself.
func (s *TemporalServer) Failure() error { return s.process.Failure() }

// Close stops the server and removes its configuration. Its state is as lasting
// as the Postgres that holds it.
func (s *TemporalServer) Close() error {
	return errors.Join(s.Stop(), os.RemoveAll(s.dir))
}
