package providers_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
)

// certificate creates one for 127.0.0.1 only, and the roots that trust it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12,
	}, roots
}

// startSecureMailServer starts one that is encrypted from the first byte, or
// else after STARTTLS.
func startSecureMailServer(t *testing.T, fromTheStart bool) (*mailServer, *providers.Mail) {
	t.Helper()
	secure, roots := certificate(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	m := &mailServer{address: "smtp://user:right@" + listener.Addr().String()}
	if fromTheStart {
		listener, m.address = tls.NewListener(listener, secure), strings.Replace(m.address, "smtp:", "smtps:", 1)
	}
	m.serve(t, listener, secure)
	mail := providers.NewMail()
	mail.Trust(roots)
	t.Cleanup(mail.Close)
	return m, mail
}

func TestMailIsEncrypted(t *testing.T) {
	t.Parallel()
	for name, fromTheStart := range map[string]bool{"STARTTLS": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, mail := startSecureMailServer(t, fromTheStart)
			failure := func(mail *providers.Mail, address string) notification.Failure {
				err := mail.Send(t.Context(), address, mailTo("kari@example.com"))
				require.Error(t, err)
				return providers.FaultOf(err).Failure
			}
			require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
			greeted := server.connections // again after STARTTLS
			require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
			require.Equal(t, greeted, server.connections, "the connection is kept")
			require.Equal(t, 2, server.secured)

			wrong := strings.Replace(server.address, ":right@", ":wrong@", 1)
			require.Equal(t, notification.CredentialsRefused, failure(mail, wrong))
			require.Equal(t, notification.Unavailable,
				failure(providers.NewMail(), server.address), "nobody knows the certificate")
			named := strings.Replace(server.address, "127.0.0.1", "localhost", 1)
			require.Equal(t, notification.Unavailable, failure(mail, named), "the certificate is another's")
			require.Len(t, server.texts, 2)
		})
	}

	t.Run("WhatMustBeEncryptedIsNotSentInTheClear", func(t *testing.T) {
		t.Parallel()
		server, mail := startMailServer(t), providers.NewMail()
		t.Cleanup(mail.Close)
		require.Error(t, mail.Send(t.Context(), server.address+"?tls=required", mailTo("kari@example.com")))
		require.Empty(t, server.texts)
		require.NoError(t, mail.Send(t.Context(), server.address+"?tls=none", mailTo("kari@example.com")))
		require.Len(t, server.texts, 1)
	})
}
