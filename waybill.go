// Package waybill says which release this is, and what changed in it. The program is in cmd/waybill.
package waybill

import (
	_ "embed"
	"strings"
)

//go:embed VERSION
var release string

//go:embed CHANGELOG.md
var changelog string

// Changelog returns what changed in each release, in Markdown.
func Changelog() string { return changelog }

// Version returns the release, such as 1.2.3, as the file VERSION has it.
func Version() string { return strings.TrimSpace(release) }
