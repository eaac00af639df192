package providers

import (
	"crypto/x509"
	"time"
)

// Trust sets the only trusted root certificates.
func (m *Mail) Trust(roots *x509.CertPool) { m.roots = roots }

// Now sets the sender's clock, which determines pauses of servers.
func (m *Mail) Now(now func() time.Time) { m.servers.now = now }

// Now sets the sender's clock, which determines pauses of accounts.
func (s *SMS) Now(now func() time.Time) { s.accounts.now = now }

// Limits are the sender's time limits.
func (m *Mail) Limits() MailLimits { return m.limits }
