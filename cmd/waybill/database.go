package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"

	"waybill/pause"
	"waybill/store/schema"
)

const (
	// patience is how long the start waits for a part that is starting too.
	patience = time.Minute
	// pollEvery is how often it looks.
	pollEvery = 500 * time.Millisecond
)

// sessionSettings are what the server is told at the start of a session, unless
// DATABASE_URL says otherwise.
var sessionSettings = map[string]string{
	// All statements are short: machine code would never be worth its making.
	"jit": "off",
	// A host that vanishes says nothing. The server finds out for itself, so that
	// what was locked there, such as the log by its relay, is free again within
	// half a minute and not after hours.
	"tcp_keepalives_idle":                 "5",
	"tcp_keepalives_interval":             "2",
	"tcp_keepalives_count":                "3",
	"tcp_user_timeout":                    "30000",
	"idle_in_transaction_session_timeout": "60000",
}

// openPool makes the pool of the application's role. It makes no connection
// yet. The provider may be nil.
func openPool(ctx context.Context, c config, name string, provider trace.TracerProvider) (*pgxpool.Pool, error) {
	if err := c.needDatabase(); err != nil {
		return nil, err
	}
	options, err := pgxpool.ParseConfig(c.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("read DATABASE_URL: %w", err)
	}
	options.MaxConns = c.DatabaseConns
	session := maps.Clone(sessionSettings)
	session["application_name"] = name
	maps.Copy(session, options.ConnConfig.RuntimeParams)
	options.ConnConfig.RuntimeParams = session
	if provider != nil {
		options.ConnConfig.Tracer = otelpgx.NewTracer(otelpgx.WithTracerProvider(provider))
	}
	pool, err := pgxpool.NewWithConfig(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return pool, nil
}

// openCheckedPool opens the pool and waits until the database is there; it
// refuses a role from which row-level security does not protect.
func openCheckedPool(
	ctx context.Context, c config, name string, provider trace.TracerProvider, logger *slog.Logger,
) (*pgxpool.Pool, error) {
	pool, err := openPool(ctx, c, name, provider)
	if err != nil {
		return nil, err
	}
	err = waitForPostgres(ctx, logger, func(ctx context.Context) error { return schema.CheckRole(ctx, pool) })
	if err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// waitForPostgres tries until the database answers; only that it is not there
// yet is worth another try.
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
		if !pause.For(ctx, pollEvery) {
			return fmt.Errorf("%s is out of reach: %w", what, oneLine{err})
		}
	}
}

// oneLine is an error whose text has no line breaks, as errors of connections
// that were tried in several ways do.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e oneLine) Unwrap() error { return e.error }

// connect makes one connection, for what is done once.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, pollEvery*10)
	defer cancel()
	return pgx.Connect(ctx, url)
}
