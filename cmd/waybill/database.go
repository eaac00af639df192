package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"

	"waybill/internal/wait"
	"waybill/store/poolcheck"
	"waybill/store/schema"
)

const (
	// patience is how long the start waits for a dependency that is still
	// starting.
	patience = time.Minute
	// pollEvery is how often it looks.
	pollEvery = 500 * time.Millisecond
)

// sessionSettings are the settings of each session, unless DATABASE_URL sets
// them.
var sessionSettings = map[string]string{
	// All statements are short: machine code would never be worth its making.
	"jit": "off",
	// A host that vanishes sends nothing. The server detects that itself, so
	// that its locks, such as the relay's on the log, are released within half
	// a minute and not after hours.
	"tcp_keepalives_idle":                 "5",
	"tcp_keepalives_interval":             "2",
	"tcp_keepalives_count":                "3",
	"tcp_user_timeout":                    "30000",
	"idle_in_transaction_session_timeout": "60000",
}

// statementBounds limit statements and their waits for locks, by session name.
// What hangs then fails with an error, instead of blocking everything behind
// it.
var statementBounds = map[string][2]time.Duration{
	serveSession: {time.Minute, 20 * time.Second}, // as long as a request
	workSession:  {2 * time.Minute, time.Minute},  // the best part of an activity
}

// commandBounds apply to the commands of operators, such as waybill apply,
// whose transactions may be long.
var commandBounds = [2]time.Duration{10 * time.Minute, time.Minute}

// The names of the sessions of services.
const (
	serveSession = "waybill-serve"
	workSession  = "waybill-work"
)

// lookupsEvery determines the share of serve's connections that is for lookups
// by key.
const lookupsEvery = 4

// lookupBound limits the duration of such a query.
const lookupBound = 5 * time.Second

// openPool returns the pool of the application's role. It does not connect yet.
// The provider may be nil.
func openPool(ctx context.Context, c config, name string, provider trace.TracerProvider) (*pgxpool.Pool, error) {
	if err := c.needDatabase(); err != nil {
		return nil, err
	}
	conns := c.DatabaseConns
	switch name {
	case serveSession:
		conns -= c.lookupConns()
	case workSession:
		conns -= c.relayConns()
	}
	options, err := c.poolOf(conns)
	if err != nil {
		return nil, err
	}
	bounds, ok := statementBounds[name]
	if !ok {
		bounds = commandBounds
	}
	options.ConnConfig.RuntimeParams = sessionOf(name, bounds, options.ConnConfig.RuntimeParams)
	return c.newPool(ctx, options, provider)
}

// poolOf are the options of a pool with n of the connections to the database.
func (c config) poolOf(conns int32) (*pgxpool.Config, error) {
	options, err := pgxpool.ParseConfig(c.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("read DATABASE_URL: %w", err)
	}
	options.MaxConns = conns
	return options, nil
}

// lookupConns is how many connections of serve are for lookups by key, or 0 if
// there are too few to share.
func (c config) lookupConns() int32 { return c.DatabaseConns / lookupsEvery }

// openLookups returns the pool for lookups by key next to another one, or nil
// if there are no connections for it.
func openLookups(ctx context.Context, c config, provider trace.TracerProvider) (*pgxpool.Pool, error) {
	if c.lookupConns() == 0 {
		return nil, nil
	}
	options, err := c.poolOf(c.lookupConns())
	if err != nil {
		return nil, err
	}
	session := sessionOf(serveSession, [2]time.Duration{lookupBound, lookupBound}, options.ConnConfig.RuntimeParams)
	session["plan_cache_mode"] = "force_generic_plan"
	options.ConnConfig.RuntimeParams = session
	return c.newPool(ctx, options, provider)
}

// relayConns is how many connections of work are for the relay's lease: one to
// renew it and one to assign positions, or 0 if there are too few to share.
func (c config) relayConns() int32 {
	if c.DatabaseConns < 2*relayNeeds {
		return 0
	}
	return relayNeeds
}

const relayNeeds = 2

// openRelay returns the pool of the relay's lease next to another one, or nil
// if there are no connections for it. Activities that wait for rows then can't
// cost the lease.
func openRelay(ctx context.Context, c config, provider trace.TracerProvider) (*pgxpool.Pool, error) {
	if c.relayConns() == 0 {
		return nil, nil
	}
	options, err := c.poolOf(c.relayConns())
	if err != nil {
		return nil, err
	}
	options.MinConns = options.MaxConns
	options.ConnConfig.RuntimeParams = sessionOf(workSession, statementBounds[workSession], options.ConnConfig.RuntimeParams)
	return c.newPool(ctx, options, provider)
}

// replicaPatience is how long a replica may take to accept a connection, since the
// database can answer as well.
const replicaPatience = 2 * time.Second

// openReplica returns the pool of the replica, or nil without one. Its
// connections are read-only, and fail for a role that row-level security does
// not restrict.
func openReplica(ctx context.Context, c config, provider trace.TracerProvider) (*pgxpool.Pool, error) {
	if c.DatabaseReadURL == "" {
		return nil, nil
	}
	options, err := pgxpool.ParseConfig(c.DatabaseReadURL)
	if err != nil {
		return nil, fmt.Errorf("read DATABASE_READ_URL: %w", err)
	}
	options.MaxConns = c.DatabaseConns
	session := sessionOf(serveSession, statementBounds[serveSession], options.ConnConfig.RuntimeParams)
	session["default_transaction_read_only"] = "on"
	options.ConnConfig.RuntimeParams = session
	options.ConnConfig.ConnectTimeout = replicaPatience
	options.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := schema.CheckRole(ctx, conn); err != nil {
			return fmt.Errorf("DATABASE_READ_URL: %w", err)
		}
		return nil
	}
	pool, err := c.newPool(ctx, options, provider)
	if err != nil {
		return nil, err
	}
	var unsafe *schema.UnsafeRoleError
	if err := pool.Ping(ctx); errors.As(err, &unsafe) {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// sessionOf are the settings of a session; those in DATABASE_URL take
// precedence.
func sessionOf(name string, bounds [2]time.Duration, said map[string]string) map[string]string {
	session := maps.Clone(sessionSettings)
	session["application_name"] = name
	session["statement_timeout"] = fmt.Sprint(bounds[0].Milliseconds())
	session["lock_timeout"] = fmt.Sprint(bounds[1].Milliseconds())
	maps.Copy(session, said)
	return session
}

func (c config) newPool(
	ctx context.Context, options *pgxpool.Config, provider trace.TracerProvider,
) (*pgxpool.Pool, error) {
	var tracers []pgx.QueryTracer
	if provider != nil {
		tracers = append(tracers, otelpgx.NewTracer(otelpgx.WithTracerProvider(provider)))
	}
	if c.CheckConns {
		tracers = append(tracers, poolcheck.New(complainOfNested))
	}
	if len(tracers) > 0 {
		options.ConnConfig.Tracer = multitracer.New(tracers...)
	}
	if c.DatabaseOtherPassword != "" {
		options.BeforeConnect = eitherPassword(c.DatabaseOtherPassword)
	}
	pool, err := pgxpool.NewWithConfig(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return pool, nil
}

// complainOfNested logs that a second connection was taken while one was held.
func complainOfNested(ctx context.Context, n poolcheck.Nested) {
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).ErrorContext(ctx, n.String())
}

// openCheckedPool opens the pool and waits until the database is available. It
// refuses a role that row-level security does not restrict, and a schema that
// this program can't work with.
func openCheckedPool(
	ctx context.Context, c config, name string, provider trace.TracerProvider, logger *slog.Logger,
) (*pgxpool.Pool, error) {
	pool, err := openPool(ctx, c, name, provider)
	if err != nil {
		return nil, err
	}
	err = waitForPostgres(ctx, logger, func(ctx context.Context) error {
		if err := schema.CheckRole(ctx, pool); err != nil {
			return err
		}
		return schema.Check(ctx, pool)
	})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// waitForPostgres retries until the database responds. It retries only if the
// database is not available yet.
func waitForPostgres(ctx context.Context, logger *slog.Logger, try func(context.Context) error) error {
	return waitFor(ctx, logger, "Postgres", try, func(err error) bool {
		var refused *pgconn.PgError
		var unconnected *pgconn.ConnectError
		if errors.As(err, &refused) {
			return refused.Code == "57P03" // it is starting or stopping
		}
		return errors.As(err, &unconnected) || errors.Is(err, context.DeadlineExceeded)
	})
}

// waitFor tries until it succeeds, fails for good, or patience is at an end.
func waitFor(
	ctx context.Context, logger *slog.Logger, what string, try func(context.Context) error, passing func(error) bool,
) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for told := false; ; {
		err := try(ctx)
		if err == nil || !passing(err) {
			return err
		}
		if !told {
			told = true
			logger.InfoContext(ctx, "waiting", "for", what, "error", err)
		}
		if !wait.For(ctx, pollEvery) {
			return fmt.Errorf("%s is unavailable: %w", what, oneLine{err})
		}
	}
}

// oneLine is an error whose text has no line breaks, as errors of connections
// that were tried in several ways do.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e oneLine) Unwrap() error { return e.error }

// connect opens one connection, for a single task.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, pollEvery*10)
	defer cancel()
	options, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	options.RuntimeParams = sessionOf(schema.Session, commandBounds, options.RuntimeParams)
	return pgx.ConnectConfig(ctx, options)
}

// connectAsOwner connects a command as the owner of the tables. The caller closes the connection.
func connectAsOwner(ctx context.Context, c config) (*pgx.Conn, error) {
	conn, err := connect(ctx, c.DatabaseMigrateURL)
	if err != nil {
		return nil, fmt.Errorf("connect as the owner: %w", err)
	}
	return conn, nil
}
