package main

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The codes by which Postgres refuses a password.
const (
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
)

// eitherPassword has a pool use the other password when Postgres refuses that of the URL: a
// role has one password at a time, and the processes cannot all be restarted at the moment
// in which it changes. Which one counts is found out by a connection that is closed at once,
// since a pool does not try a second time.
func eitherPassword(other string) func(context.Context, *pgx.ConnConfig) error {
	return func(ctx context.Context, options *pgx.ConnConfig) error {
		conn, err := pgconn.ConnectConfig(ctx, &options.Copy().Config)
		if err == nil {
			_ = conn.Close(ctx)
			return nil
		}
		var refused *pgconn.PgError
		if errors.As(err, &refused) && (refused.Code == invalidPassword || refused.Code == invalidAuthorization) {
			options.Password = other
		}
		return nil // the pool finds out itself what else is wrong
	}
}
