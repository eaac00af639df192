package providers_test

import (
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
)

// mailServer treats each message according to its receiver's name.
type mailServer struct {
	address string

	mu          sync.Mutex
	connections int
	texts       []string
	secured     int // of the texts, how many arrived encrypted and authenticated
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	m := &mailServer{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	m.address = "smtp://" + listener.Addr().String()
	m.serve(t, listener, nil)
	return m
}

// serve answers on a listener; with a certificate it offers STARTTLS, and takes
// passwords only after it.
func (m *mailServer) serve(t *testing.T, listener net.Listener, secure *tls.Config) {
	t.Helper()
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.connections++
		return &mailSession{server: m, conn: c}, nil
	}))
	server.Domain, server.AllowInsecureAuth, server.TLSConfig = "localhost", secure == nil, secure
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
}

type mailSession struct {
	server *mailServer
	conn   *smtp.Conn
	to     string
	known  bool
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }
func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, _, password string) error {
		if password != "right" {
			return smtp.ErrAuthFailed
		}
		s.known = true
		return nil
	}), nil
}
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	switch {
	case strings.HasPrefix(to, "blocked"):
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "your domain is blocked"}
	case strings.HasPrefix(to, "unknown"):
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: to + " is unknown"}
	case strings.HasPrefix(to, "greylisted"):
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "later"}
	}
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.server.mu.Lock()
	s.server.texts = append(s.server.texts, string(text))
	if _, encrypted := s.conn.TLSConnectionState(); encrypted && s.known {
		s.server.secured++
	}
	s.server.mu.Unlock()
	switch {
	case strings.HasPrefix(s.to, "dropped"):
		_ = s.conn.Conn().Close()
	case strings.HasPrefix(s.to, "toobig"):
		return &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 3, 4}, Message: "too big"}
	case strings.HasPrefix(s.to, "full"):
		return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: "full"}
	}
	return nil
}
func (s *mailSession) Reset()        {}
func (s *mailSession) Logout() error { return nil }

func mailTo(to string) providers.Email {
	return providers.Email{
		From: "post@nordfrakt.example", FromName: "Nordfrakt", To: to, Subject: "På vei", Text: "Hei", HTML: "<p>Hei</p>",
		MessageID: "waybill.1.7@nordfrakt.example", Reference: "waybill.1.7",
	}
}

func TestMail(t *testing.T) {
	t.Parallel()

	t.Run("HasBothPartsAndItsOwnMessageID", func(t *testing.T) {
		t.Parallel()
		server, mail := startMailServer(t), providers.NewMail()
		t.Cleanup(mail.Close)
		for range 5 {
			require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
		}
		require.Equal(t, 1, server.connections, "the connection is kept")
		for _, part := range []string{
			"Message-ID: <waybill.1.7@nordfrakt.example>", "text/plain", "text/html", "X-PM-Metadata-waybill: waybill.1.7",
		} {
			require.Contains(t, server.texts[0], part)
		}
	})

	t.Run("WhatLooksEncodedIsNotDecoded", func(t *testing.T) {
		t.Parallel()
		server, mail := startMailServer(t), providers.NewMail()
		t.Cleanup(mail.Close)
		for _, subject := range []string{"=?utf-8?q?a=0D=0ABcc:_v@e.example?= is on its way", "=?utf-8?q?Du?= får besøk"} {
			email := mailTo("kari@example.com")
			email.Subject = subject
			require.NoError(t, mail.Send(t.Context(), server.address, email))
			headers, _, _ := strings.Cut(server.texts[len(server.texts)-1], "\r\n\r\n")
			read, err := netmail.ReadMessage(strings.NewReader(headers + "\r\n\r\n"))
			require.NoError(t, err)
			seen, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(subject, "=?", "= ?"), seen)
		}
	})

	t.Run("AnswersAreFinalOrPassing", func(t *testing.T) {
		t.Parallel()
		server, mail := startMailServer(t), providers.NewMail()
		t.Cleanup(mail.Close)
		for to, want := range map[string]providers.Fault{
			"unknown":    {Failure: notification.RejectedReceiver, Code: "550 5.1.1"},
			"blocked":    {Failure: notification.RejectedSender, Code: "550 5.7.1"},
			"toobig":     {Failure: notification.RejectedContent, Code: "552 5.3.4"},
			"greylisted": {Failure: notification.Unavailable, Passing: true, Code: "451 4.7.1"},
			"full":       {Failure: notification.Unavailable, Passing: true, Code: "452 4.2.2"},
			"dropped":    {Failure: notification.Unavailable, Passing: true, Unanswered: true},
		} {
			err := mail.Send(t.Context(), server.address, mailTo(to+"@example.com"))
			var fault *providers.Fault
			require.ErrorAs(t, err, &fault, to)
			require.NotContains(t, err.Error(), "@", "an error names nobody")
			got := *fault
			got.Answer, got.Cause = "", nil
			require.Equal(t, want, got, to)
			require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")), "after %s", to)
		}
	})

	t.Run("AServerThatStallsIsGivenUp", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		ctx := t.Context()
		done := make(chan error, 1)
		go func() {
			done <- providers.NewMail().Send(ctx, "smtp://"+listener.Addr().String(), mailTo("kari@example.com"))
		}()
		conn, err := listener.Accept()
		require.NoError(t, err)
		_ = conn.Close() // as a time limit would
		fault := providers.FaultOf(<-done)
		require.True(t, fault.Passing)
		require.False(t, fault.Unanswered, "nothing was said")
	})

	t.Run("CredentialsAndAddressesAreChecked", func(t *testing.T) {
		t.Parallel()
		server := startMailServer(t)
		for address, want := range map[string]notification.Failure{
			"":                   notification.NotConfigured,
			"http://localhost":   notification.NotConfigured,
			"smtp://:25":         notification.NotConfigured,
			"smtp://127.0.0.1:1": notification.Unavailable,
			// A password is never sent unencrypted.
			strings.Replace(server.address, "smtp://", "smtp://user:right@", 1): notification.Unavailable,
		} {
			err := providers.NewMail().Send(t.Context(), address, mailTo("kari@example.com"))
			var fault *providers.Fault
			require.True(t, errors.As(err, &fault), address)
			require.Equal(t, want, fault.Failure, "%s: %v", address, fault.Cause)
			require.NotContains(t, fault.Answer, "127.0.0.1", "the timeline names no server")
		}
		require.Empty(t, server.texts)
	})
}
