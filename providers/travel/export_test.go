package travel

import (
	"time"

	"waybill/internal/rest"
)

// Patience, Rest and MaxAnswer are bounds that tests stay on both sides of.
const (
	Patience  = rest.Patience
	Rest      = pause
	MaxAnswer = maxAnswer
)

// Impatient makes a provider wait less long for its server, and returns how long
// it waited before.
func Impatient(p Provider, timeout time.Duration) (before time.Duration) {
	switch p := p.(type) {
	case *OSRM:
		before, p.server.client.Timeout = p.server.client.Timeout, timeout
	case *Valhalla:
		before, p.server.client.Timeout = p.server.client.Timeout, timeout
	}
	return before
}
