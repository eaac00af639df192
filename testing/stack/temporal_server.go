package stack

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// temporalServices are the parts of a server.
var temporalServices = []string{"frontend", "history", "matching", "worker"}

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
	for _, service := range temporalServices {
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
	if err := migrateTemporal(ctx, s.sql, s.postgres); err != nil {
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
	if err := temporalReady(ctx, s.Address(), process); err != nil {
		process.Kill()
		return err
	}
	s.process = process
	return nil
}

// configure writes the server's configuration.
func (s *TemporalServer) configure() error {
	return temporalSettings{
		Dir: s.dir, Ports: s.ports, Bind: "127.0.0.1", Frontend: s.Address(), Postgres: child.Local(s.postgres.Port()),
		Password: s.postgres.secret.password(temporalRole),
	}.write()
}

// temporalSettings are what differs between the configurations of servers.
type temporalSettings struct {
	Dir string
	// Ports are those of each service, and of its membership.
	Ports map[string]int
	// Bind is the address that the services listen on, and Frontend that of the
	// frontend with its port.
	Bind, Frontend string
	// Postgres has the databases, for a role with a password.
	Postgres, Password string
}

func (temporalSettings) Plugin() string     { return temporalPlugin }
func (temporalSettings) Role() string       { return temporalRole }
func (temporalSettings) Database() string   { return temporalDatabase }
func (temporalSettings) Visibility() string { return visibilityDatabase }

func (s temporalSettings) write() error {
	parsed, err := template.New("config").Parse(temporalServerConfig)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := parsed.Execute(&text, s); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "dynamic.yaml"), temporalServerDynamic, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.Dir, "server.yaml"), []byte(text.String()), 0o600)
}

// temporalReady registers the default namespace and waits until it can be used,
// unless the frontend fails.
func temporalReady(ctx context.Context, address string, p *Process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, temporalPatience, errors.New("timed out"))
	defer cancel()
	if err := await(ctx, p, func(ctx context.Context) error { return listening(ctx, address) }); err != nil {
		return err
	}
	c, err := temporalClient(address, DefaultNamespace)
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
