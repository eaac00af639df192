package providers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail"

	"waybill/domain/notification"
)

// Email is one message to one receiver.
type Email struct {
	From, FromName, To  string
	Subject, Text, HTML string
	// MessageID is the same for every attempt, so that a receiver can tell a
	// repeat. Reference comes back in a provider's reports.
	MessageID, Reference string
}

// How mail is sent.
const (
	mailTimeout = 30 * time.Second
	idleMail    = 20 * time.Second // how long an open connection is kept
	mostIdle    = 8                // for each server
)

// Mail sends by SMTP, over connections that it keeps for a while.
type Mail struct {
	mu    sync.Mutex
	idle  map[string][]idleClient
	roots *x509.CertPool // whom to believe; the system's when nil
}

type idleClient struct {
	client *mail.Client
	since  time.Time
}

// NewMail makes a sender of mail.
func NewMail() *Mail { return &Mail{idle: map[string][]idleClient{}} }

// Send hands an email to the server at an address such as
// smtp://user:password@host:587 or smtps://host. With a password, or with
// ?tls=required, nothing is sent in the clear.
func (m *Mail) Send(ctx context.Context, server string, email Email) error {
	if server == "" {
		return &Fault{Failure: notification.NotConfigured}
	}
	msg, err := newMsg(email)
	if err != nil {
		return &Fault{Failure: notification.InvalidAddress}
	}
	client := m.take(server)
	if client != nil {
		err := deliver(client, msg)
		var refused *mail.SendError
		if err == nil || errors.As(err, &refused) && refused.Reason != mail.ErrConnCheck {
			return m.done(server, client, err)
		}
		_ = client.Close() // it was dead before anything was said
	}
	if client, err = m.dial(ctx, server); err != nil {
		return err
	}
	return m.done(server, client, deliver(client, msg))
}

// deliver sends a message. What the server has taken is sent, whatever
// happens to the connection after that.
func deliver(client *mail.Client, msg *mail.Msg) error {
	err := client.Send(msg)
	if err != nil && msg.IsDelivered() {
		_ = client.Close() // the next message finds it closed, and dials
		return nil
	}
	return err
}

// done keeps the connection for the next message, unless it may be broken.
func (m *Mail) done(server string, client *mail.Client, err error) error {
	fault := mailFault(err)
	if fault != nil && fault.Code == "" {
		_ = client.Close()
		return fault
	}
	m.mu.Lock()
	keep := len(m.idle[server]) < mostIdle
	if keep {
		m.idle[server] = append(m.idle[server], idleClient{client, time.Now()})
	}
	m.mu.Unlock()
	if !keep {
		_ = client.Close()
	}
	if fault != nil {
		return fault
	}
	return nil
}

// take returns the connection that was used last, and closes those that have
// been idle for too long.
func (m *Mail) take(server string) *mail.Client {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.idle[server]
	for len(kept) > 0 && time.Since(kept[0].since) > idleMail {
		_ = kept[0].client.Close()
		kept = kept[1:]
	}
	if len(kept) == 0 {
		delete(m.idle, server)
		return nil
	}
	last := kept[len(kept)-1]
	m.idle[server] = kept[:len(kept)-1]
	return last.client
}

// Close ends the connections that are kept.
func (m *Mail) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range m.idle {
		for _, idle := range kept {
			_ = idle.client.Close()
		}
	}
	m.idle = map[string][]idleClient{}
}

func newMsg(email Email) (*mail.Msg, error) {
	msg := mail.NewMsg()
	if err := msg.FromFormat(undecodable(email.FromName), email.From); err != nil {
		return nil, err
	}
	if err := msg.To(email.To); err != nil {
		return nil, err
	}
	msg.Subject(undecodable(email.Subject))
	msg.SetMessageIDWithValue(email.MessageID)
	msg.SetDate()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-PM-Metadata-waybill", email.Reference)
	msg.SetBodyString(mail.TypeTextPlain, email.Text)
	if email.HTML != "" {
		msg.AddAlternativeString(mail.TypeTextHTML, email.HTML)
	}
	return msg, nil
}

// undecodable keeps a text from being an encoded word, which readers of headers
// decode into something else.
func undecodable(text string) string { return strings.ReplaceAll(text, "=?", "= ?") }

func (m *Mail) dial(ctx context.Context, server string) (*mail.Client, error) {
	host, options, err := mailOptions(server)
	if err != nil {
		return nil, &Fault{Failure: notification.NotConfigured}
	}
	secure := &tls.Config{ServerName: host, RootCAs: m.roots, MinVersion: tls.VersionTLS12}
	client, err := mail.NewClient(host, append(options, mail.WithTLSConfig(secure))...)
	if err != nil {
		return nil, &Fault{Failure: notification.NotConfigured}
	}
	if err := client.DialWithContext(ctx); err != nil {
		return nil, dialFault(err)
	}
	return client, nil
}

// CheckMailURL refuses the address of a mail server that could not be used.
func CheckMailURL(server string) error {
	_, _, err := mailOptions(server)
	return err
}

// mailOptions reads the address of a mail server.
func mailOptions(server string) (host string, options []mail.Option, err error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return "", nil, errors.New("must be an address such as smtp://user:password@host:587 or smtps://host")
	}
	options = []mail.Option{mail.WithTimeout(mailTimeout)}
	password, authenticated := u.User.Password()
	policy := mail.TLSOpportunistic
	if authenticated {
		policy = mail.TLSMandatory
		options = append(options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	switch wanted := u.Query().Get("tls"); wanted {
	case "":
	case "required":
		policy = mail.TLSMandatory
	case "none":
		policy = mail.NoTLS
	default:
		return "", nil, fmt.Errorf("tls is %q; it must be required or none", wanted)
	}
	if u.Scheme == "smtps" {
		options = append(options, mail.WithSSLPort(false))
	} else {
		options = append(options, mail.WithTLSPortPolicy(policy))
	}
	if u.Port() != "" {
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			return "", nil, err
		}
		options = append(options, mail.WithPort(port))
	}
	return u.Hostname(), options, nil
}

// dialFault judges why no connection came about. That the credentials are
// wrong is no passing fault, and everything else may be.
func dialFault(err error) *Fault {
	var refused *textproto.Error
	if errors.As(err, &refused) && (refused.Code == 530 || refused.Code == 534 || refused.Code == 535) {
		return &Fault{Failure: notification.CredentialsRefused, Code: strconv.Itoa(refused.Code), Answer: refused.Msg}
	}
	for _, unusable := range []error{mail.ErrPlainAuthNotSupported, mail.ErrNoSupportedAuthDiscovered} {
		if errors.Is(err, unusable) {
			return &Fault{Failure: notification.CredentialsRefused, Cause: err}
		}
	}
	var network net.Error
	if errors.As(err, &network) || !errors.As(err, &refused) {
		return &Fault{Failure: notification.Unavailable, Passing: true, Cause: err}
	}
	return &Fault{Failure: notification.Unavailable, Passing: true, Code: strconv.Itoa(refused.Code), Answer: refused.Msg}
}

// mailFault judges a server's answer: 5xx is final, all else may pass.
func mailFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var refused *mail.SendError
	if !errors.As(err, &refused) || refused.ErrorCode() == 0 {
		return &Fault{Failure: notification.Unavailable, Passing: true, Unanswered: inDoubt(refused), Cause: err}
	}
	fault := &Fault{
		Code:   strings.TrimSpace(fmt.Sprintf("%d %s", refused.ErrorCode(), refused.EnhancedStatusCode())),
		Answer: err.Error(), Failure: notification.Rejected,
	}
	if refused.ErrorCode() < 500 {
		fault.Failure, fault.Passing = notification.Unavailable, true
	}
	return fault
}

// inDoubt reports whether the connection broke after the text had begun to go
// out: the server may have taken it.
func inDoubt(err *mail.SendError) bool {
	return err != nil && (err.Reason == mail.ErrSMTPDataClose || err.Reason == mail.ErrWriteContent)
}
