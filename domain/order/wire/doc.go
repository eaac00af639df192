// Package wire reads and writes what package order speaks of as JSON, the way
// callers send it and imports keep it: the present form, the legacy form, and
// the entries of a chunk. What a request may say is judged in package order;
// this package asks only that every value has the right JSON type.
package wire
