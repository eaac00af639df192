package main

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The codes with which Postgres rejects a password.
const (
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
)

// eitherPassword makes a pool use the other password if Postgres rejects the
// URL's: a role has one password at a time, and not all processes can be
// restarted at the moment in which it changes. It tests the password with a
// connection that it closes at once, because a pool does not try a second time.
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
		return nil // the pool reports other errors itself
	}
}
