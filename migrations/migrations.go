// Package migrations holds the schema as SQL files. Numbered files change tables, once and
// forward only; a file that has been released is never changed. The files below definitions
// hold the present functions, views and triggers, and are edited in place.
package migrations

import "embed"

// Files are the numbered migrations in goose's format.
//
//go:embed *.sql
var Files embed.FS

// Definitions are the present functions, views and triggers, as
// definitions/SUBJECT/NAME.sql with one name each.
//
//go:embed definitions/*/*.sql
var Definitions embed.FS
