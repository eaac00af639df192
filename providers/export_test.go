package providers

import "crypto/x509"

// Trust makes certificates known beside which no others are believed.
func (m *Mail) Trust(roots *x509.CertPool) { m.roots = roots }
