package providers

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail"

	"waybill/domain/email"
	"waybill/domain/notification"
	"waybill/internal/limit"
)

// Email is one message to one receiver.
type Email struct {
	From, FromName, To  string
	Subject, Text, HTML string
	// MessageID is the same for every attempt, so that a receiver can detect
	// a repeat. Reference is returned in a provider's reports.
	MessageID, Reference string
}

// How connections are kept.
const (
	idleMail = 20 * time.Second // how long an open one is kept
	mostIdle = 8                // for each server
)

// How a slow server keeps from holding up the messages of others.
const (
	mostMail = 6                // messages that one server is busy with
	busyRest = 5 * time.Second  // how long it rests when no message got a turn
	busyWait = 20 * time.Second // how long a message without a connection waits
)

// Mail sends by SMTP, over connections that it keeps for a while.
type Mail struct {
	limits  MailLimits
	servers *breakers
	turns   *limit.PerKey[string]
	roots   *x509.CertPool // the trusted roots; the system's if nil

	mu   sync.Mutex
	idle map[string][]*talk
}

// NewMail returns a sender of mail with the timeouts that the protocol
// recommends.
func NewMail() *Mail { return NewMailWithin(ProtocolLimits()) }

// NewMailWithin returns a mail sender with custom time limits.
func NewMailWithin(limits MailLimits) *Mail {
	return &Mail{limits: limits, servers: newBreakers(), turns: limit.New[string](mostMail), idle: map[string][]*talk{}}
}

// Send sends an email through the server at a URL such as
// smtp://user:password@host:587 or smtps://host. With a password, or with
// ?tls=required, it sends nothing unencrypted. When ctx ends, it sends nothing
// more.
func (m *Mail) Send(ctx context.Context, server string, message Email) error {
	if server == "" {
		return &Fault{Failure: notification.NotConfigured}
	}
	from, fromOK := email.Wire(message.From)
	to, toOK := email.Wire(message.To)
	msg, err := newMsg(from, to, message)
	if !fromOK || !toOK || err != nil {
		return &Fault{Failure: notification.InvalidAddress}
	}
	leave, err := m.turn(ctx, server)
	if err != nil {
		return err
	}
	defer leave()
	t, err := m.reach(ctx, server)
	if err != nil {
		return err
	}
	return m.done(server, t, t.deliver(ctx, from, to, msg))
}

// turn waits until a server has few enough messages in progress. The protocol
// lets a server take more than an hour for one: this may delay the messages of
// its own organization, but not the worker, which others need.
func (m *Mail) turn(ctx context.Context, server string) (leave func(), err error) {
	if wait := m.servers.rests(server); wait > 0 {
		return nil, resting(wait)
	}
	waiting, cancel := context.WithTimeout(ctx, m.limits.Turn)
	defer cancel()
	leave, err = m.turns.Acquire(waiting, server)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, &Fault{Failure: notification.Unavailable, Passing: true, Cause: ctx.Err()}
	case err != nil:
		m.servers.rest(server, busyRest)
		return nil, resting(busyWait)
	}
	return leave, nil
}

// reach returns a conversation that is kept, or else begins one.
func (m *Mail) reach(ctx context.Context, server string) (*talk, error) {
	if t := m.take(server); t != nil {
		if t.alive(ctx) {
			return t, nil
		}
		t.end()
	}
	if err := m.servers.knock(server); err != nil {
		return nil, err
	}
	t, err := m.newTalk(ctx, server)
	m.servers.heed(ctx, server, err == nil || FaultOf(err).Failure != notification.Unavailable)
	return t, err
}

// done keeps the connection for the next message, unless it may be broken.
func (m *Mail) done(server string, t *talk, err error) error {
	if err != nil && FaultOf(err).Code == "" {
		t.end()
		return err
	}
	t.since = time.Now()
	m.mu.Lock()
	keep := len(m.idle[server]) < mostIdle
	if keep {
		m.idle[server] = append(m.idle[server], t)
	}
	m.mu.Unlock()
	if !keep {
		t.leave()
	}
	return err
}

// take returns the most recently used connection, and closes those that have
// been idle too long.
func (m *Mail) take(server string) *talk {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.idle[server]
	for len(kept) > 0 && time.Since(kept[0].since) > idleMail {
		kept[0].end()
		kept = kept[1:]
	}
	if len(kept) == 0 {
		delete(m.idle, server)
		return nil
	}
	last := kept[len(kept)-1]
	m.idle[server] = kept[:len(kept)-1]
	return last
}

// Close ends the connections that are kept.
func (m *Mail) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range m.idle {
		for _, t := range kept {
			t.leave()
		}
	}
	m.idle = map[string][]*talk{}
}

func newMsg(from, to string, message Email) (*mail.Msg, error) {
	msg := mail.NewMsg()
	if err := msg.FromFormat(undecodable(message.FromName), from); err != nil {
		return nil, err
	}
	if err := msg.To(to); err != nil {
		return nil, err
	}
	msg.Subject(undecodable(message.Subject))
	msg.SetMessageIDWithValue(message.MessageID)
	msg.SetDate()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-PM-Metadata-waybill", message.Reference)
	msg.SetBodyString(mail.TypeTextPlain, message.Text)
	if message.HTML != "" {
		msg.AddAlternativeString(mail.TypeTextHTML, message.HTML)
	}
	return msg, nil
}

// undecodable keeps a text from being an encoded word, which readers of headers
// would decode.
func undecodable(text string) string { return strings.ReplaceAll(text, "=?", "= ?") }

// CheckMailURL refuses the address of a mail server that could not be used.
func CheckMailURL(server string) error {
	_, err := parseMailURL(server)
	return err
}

// mailURL is the address of a mail server.
type mailURL struct {
	host      string
	encrypted bool // from the first byte
	options   []mail.Option
}

// parseMailURL parses the address of a mail server. The port is that of the address,
// or else the default of its scheme.
func parseMailURL(server string) (mailURL, error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return mailURL{}, errors.New("must be a URL such as smtp://user:password@host:587 or smtps://host")
	}
	at := mailURL{host: u.Hostname(), encrypted: u.Scheme == "smtps"}
	policy, port := mail.TLSOpportunistic, mail.DefaultPortTLS
	if password, authenticated := u.User.Password(); authenticated {
		policy = mail.TLSMandatory
		at.options = append(at.options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	switch wanted := u.Query().Get("tls"); wanted {
	case "":
	case "required":
		policy = mail.TLSMandatory
	case "none":
		policy, port = mail.NoTLS, mail.DefaultPort
	default:
		return mailURL{}, fmt.Errorf("tls is %q; it must be required or none", wanted)
	}
	if at.encrypted {
		policy, port = mail.TLSOpportunistic, mail.DefaultPortSSL // the line is encrypted already
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return mailURL{}, err
		}
	}
	at.options = append(at.options, mail.WithTLSPolicy(policy), mail.WithPort(port))
	return at, nil
}

// Check signs in to a mail server like messages do, and sends nothing.
func (m *Mail) Check(ctx context.Context, server string) error {
	t, err := m.newTalk(ctx, server)
	if err != nil {
		return err
	}
	t.leave()
	return nil
}
