// Package wire reads and writes the types of package order as JSON, as
// callers send them and imports store them: the current form, the legacy
// form, and the entries of a chunk. Package order validates a request; this
// package only checks the JSON type of every value.
package wire
