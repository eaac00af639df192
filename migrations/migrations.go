// Package migrations holds the schema as numbered, forward-only SQL files,
// views included. A file that has been released is never changed.
package migrations

import "embed"

// Files are the migrations in goose's format.
//
//go:embed *.sql
var Files embed.FS
