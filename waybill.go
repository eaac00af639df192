// Package waybill says which release this is. The program is in cmd/waybill.
package waybill

import (
	_ "embed"
	"strings"
)

//go:embed VERSION
var release string

// Version returns the release, such as 1.2.3, as the file VERSION has it.
func Version() string { return strings.TrimSpace(release) }
