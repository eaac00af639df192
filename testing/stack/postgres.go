package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/internal/child"
)

// Superuser is the cluster's first role, and Maintenance the database that
// every cluster has.
const (
	Superuser   = "postgres"
	Maintenance = "postgres"
)

// PostgresOptions configures a cluster.
type PostgresOptions struct {
	// Dir keeps the cluster's data and secret between runs. When empty, both
	// are in a temporary folder that Close removes.
	Dir string
	// Port is where it listens on 127.0.0.1; a free one when zero.
	Port int
	// Host is where it listens instead, on all addresses. The hosts of its networks may connect.
	Host *Host
	// NoSync leaves it to the system when data reaches the disk. Data
	// survives a crash of the server, not one of the machine.
	NoSync bool
	// Log is the server's log file, by default next to the data.
	Log string
	// Like is a stopped cluster. A new one is then a copy of it, with its databases, roles and passwords.
	Like *Postgres
}

// Postgres is a private cluster. Without a host of its own, it listens on 127.0.0.1 only, and always
// requires a password.
type Postgres struct {
	options  PostgresOptions
	account  *account
	programs postgresPrograms
	data     string
	secret   secret
	process  *Process
}

// NewPostgres finds the server programs and a place for the data. It returns
// ErrNoPostgres when the programs are not installed.
func NewPostgres(options PostgresOptions) (*Postgres, error) {
	pg := &Postgres{options: options}
	if _, err := FindPostgres(); err != nil {
		return nil, err
	}
	var err error
	if pg.account, err = serverAccount(); err != nil {
		return nil, err
	}
	if pg.options.Port, err = portOr(options.Port); err != nil {
		return nil, err
	}
	if pg.options.Dir, err = pg.folder(); err != nil {
		return nil, fmt.Errorf("create the Postgres folder: %w", err)
	}
	if pg.data, err = placeData(pg.options.Dir, pg.account); err != nil {
		return nil, fmt.Errorf("create the Postgres folder: %w", err)
	}
	if owner := ownerOf(pg.data); owner != nil {
		pg.account = owner
	}
	if pg.programs, err = programsFor(pg.data); err != nil {
		return nil, err
	}
	if pg.options.Log == "" {
		pg.options.Log = filepath.Join(pg.options.Dir, "postgres.log")
	}
	secretFile := filepath.Join(pg.options.Dir, "secret")
	if options.Like != nil {
		if err := os.WriteFile(secretFile, options.Like.secret, 0o600); err != nil {
			return nil, fmt.Errorf("save the cluster's secret: %w", err)
		}
	}
	pg.secret, err = loadSecret(secretFile)
	return pg, err
}

// Start creates the cluster if needed, starts the server and waits until it
// accepts connections.
func (pg *Postgres) Start(ctx context.Context) error {
	if err := pg.create(ctx); err != nil {
		return fmt.Errorf("create a Postgres cluster: %w", err)
	}
	if err := pg.admitHosts(); err != nil {
		return fmt.Errorf("admit other hosts to Postgres: %w", err)
	}
	if err := pg.endStale(ctx); err != nil {
		return err
	}
	deadline, cancel := context.WithTimeoutCause(ctx, postgresPatience, errors.New("timed out"))
	defer cancel()
	for {
		err := pg.launch(deadline)
		if err == nil || !strings.Contains(err.Error(), sharedMemoryHeld) || deadline.Err() != nil {
			return err
		}
		time.Sleep(pollInterval)
	}
}

// A recovery after a crash may take a while.
const postgresPatience = 2 * time.Minute

// sharedMemoryHeld is the server's error while the processes of its killed
// predecessor are still ending.
const sharedMemoryHeld = "is still in use"

// launch runs the server once.
func (pg *Postgres) launch(ctx context.Context) error {
	if pg.options.Host == nil && child.PortInUse(pg.options.Port) {
		return fmt.Errorf("start Postgres: port %d is in use", pg.options.Port)
	}
	command := Command{
		Name: "Postgres", Path: pg.programs.path("postgres"), Args: pg.arguments(), Dir: pg.data,
		Log: pg.options.Log, StopSignal: syscall.SIGINT, Grace: time.Minute, account: pg.account,
	}
	if host := pg.options.Host; host != nil {
		command.Within = host.Within
	}
	process, err := Launch(command)
	if err != nil {
		return err
	}
	if err := await(ctx, process, pg.ping); err != nil {
		process.Kill()
		return err
	}
	pg.process = process
	return nil
}

func (pg *Postgres) arguments() []string {
	listen := "127.0.0.1"
	if pg.options.Host != nil {
		listen = "*"
	}
	settings := []string{
		"listen_addresses=" + listen,
		"port=" + strconv.Itoa(pg.options.Port),
		"unix_socket_directories=", // too long a path for a socket does not matter
		"max_connections=300",
		"timezone=UTC",
		"log_timezone=UTC",
	}
	if pg.options.NoSync {
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	args := []string{"-D", pg.data}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

func (pg *Postgres) ping(ctx context.Context) error {
	return pg.as(ctx, Maintenance, func(*pgx.Conn) error { return nil })
}

// as runs work on a connection of the superuser.
func (pg *Postgres) as(ctx context.Context, database string, work func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, pg.URL(Superuser, database))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	return work(conn)
}

// URL is the URL of a database for a role, with the role's password; see
// EnsureDatabase.
func (pg *Postgres) URL(role, database string) string {
	return pg.urlAt(pg.address(), role, database)
}

// address is where the server listens, with the port.
func (pg *Postgres) address() string {
	if host := pg.options.Host; host != nil {
		return net.JoinHostPort(host.Address, strconv.Itoa(pg.options.Port))
	}
	return child.Local(pg.options.Port)
}

func (pg *Postgres) urlAt(address, role, database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(role, pg.secret.password(role)),
		Host: address, Path: "/" + database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Port is the port of 127.0.0.1 that the server listens on.
func (pg *Postgres) Port() int { return pg.options.Port }

// Log is the server's log file.
func (pg *Postgres) Log() string { return pg.options.Log }

// EnsureDatabase creates a database and the role that owns it, which may log in
// and create other roles, unless they exist. It reports whether it created the
// database.
func (pg *Postgres) EnsureDatabase(ctx context.Context, database, owner string) (made bool, err error) {
	err = pg.as(ctx, Maintenance, func(conn *pgx.Conn) error {
		if err := pg.ensureRole(ctx, conn, owner); err != nil {
			return err
		}
		has, err := exists(ctx, conn, "SELECT FROM pg_database WHERE datname = $1", database)
		if has || err != nil {
			return err
		}
		made = true
		_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{database}.Sanitize()+
			" OWNER "+pgx.Identifier{owner}.Sanitize())
		return err
	})
	if err != nil {
		return false, fmt.Errorf("create database %s: %w", database, err)
	}
	return made, nil
}

// ensureRole makes a role. Its password is made of hexadecimal digits, and needs
// no quoting.
func (pg *Postgres) ensureRole(ctx context.Context, conn *pgx.Conn, role string) error {
	has, err := exists(ctx, conn, "SELECT FROM pg_roles WHERE rolname = $1", role)
	if has || err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE ROLE "+pgx.Identifier{role}.Sanitize()+
		" LOGIN CREATEROLE PASSWORD '"+pg.secret.password(role)+"'")
	return err
}

func exists(ctx context.Context, conn *pgx.Conn, query, argument string) (found bool, err error) {
	err = conn.QueryRow(ctx, "SELECT EXISTS ("+query+")", argument).Scan(&found)
	return found, err
}

// Set changes a setting of the running server that takes effect without a restart.
func (pg *Postgres) Set(ctx context.Context, setting, value string) error {
	return pg.as(ctx, Maintenance, func(conn *pgx.Conn) error {
		for _, statement := range []string{
			fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", setting, value), "SELECT pg_reload_conf()",
		} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}

// Stop shuts the server down and disconnects clients.
func (pg *Postgres) Stop() error {
	if pg.process == nil {
		return nil
	}
	return pg.process.Stop()
}

// Kill crashes the server. Committed data is there at the next Start.
func (pg *Postgres) Kill() {
	if pg.process != nil {
		pg.process.Kill()
	}
}

// Restart stops the server and starts it on the same port and data.
func (pg *Postgres) Restart(ctx context.Context) error {
	return errors.Join(pg.Stop(), pg.Start(ctx))
}

// Done is closed when the server that was last started has ended.
func (pg *Postgres) Done() <-chan struct{} { return pg.process.Done() }

// Failure explains why the server ended by itself.
func (pg *Postgres) Failure() error { return pg.process.Failure() }

// Close stops the server, and forgets a cluster that was temporary.
func (pg *Postgres) Close() error {
	err := pg.Stop()
	if pg.temporary() {
		err = errors.Join(err, os.RemoveAll(pg.options.Dir))
	}
	return err
}
