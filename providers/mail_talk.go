package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"waybill/domain/email"
	"waybill/domain/notification"
)

// MailLimits are how long a mail server may take.
type MailLimits struct {
	Connect time.Duration // until the connection is established, encrypted or not
	Command time.Duration // for its greeting, each answer, and each piece of the text
	Taken   time.Duration // for its answer after the text
	Turn    time.Duration // until one of its messages in progress is done
}

// ProtocolLimits returns the limits of RFC 5321, section 4.5.3.2, with a short turn.
// Shorter ones cause duplicates: a server that scans a text may take minutes to confirm
// it.
func ProtocolLimits() MailLimits {
	return MailLimits{Connect: 30 * time.Second, Command: 5 * time.Minute, Taken: 10 * time.Minute, Turn: 2 * time.Second}
}

// mostAnswers is how often one message waits for a server at most: the greeting, EHLO
// twice, STARTTLS, three steps of AUTH, MAIL, RCPT, DATA and a little for the text.
const mostAnswers = 12

// Attempt is how long an attempt to hand over one message takes at most.
func (l MailLimits) Attempt() time.Duration { return l.Connect + mostAnswers*l.Command + l.Taken }

// line is a connection whose time limit starts again with all that is sent on it.
type line struct {
	net.Conn

	limit atomic.Int64
}

// allow sets the time limit for the next answer.
func (l *line) allow(limit time.Duration) { l.limit.Store(int64(limit)) }

// Write sends with a deadline for the response.
func (l *line) Write(b []byte) (int, error) {
	if err := l.SetDeadline(time.Now().Add(time.Duration(l.limit.Load()))); err != nil {
		return 0, err
	}
	return l.Conn.Write(b)
}

// talk is a conversation with a mail server.
type talk struct {
	client *smtp.Client
	line   *line
	limits MailLimits
	since  time.Time   // it was used last
	stop   func() bool // while connecting: cancellation afterwards no longer ends it
}

// newTalk connects to a server. It ends with ctx.
func (m *Mail) newTalk(ctx context.Context, server string) (*talk, error) {
	at, err := parseMailURL(server)
	if err != nil {
		return nil, &Fault{Failure: notification.NotConfigured}
	}
	secure := &tls.Config{ServerName: at.host, RootCAs: m.roots, MinVersion: tls.VersionTLS12}
	t := &talk{limits: m.limits}
	client, err := mail.NewClient(at.host, append(at.options,
		mail.WithTimeout(m.limits.Command), mail.WithTLSConfig(secure), mail.WithDialContextFunc(t.dial(ctx, at, secure)))...)
	if err != nil {
		return nil, &Fault{Failure: notification.NotConfigured}
	}
	t.client, err = client.DialToSMTPClientWithContext(ctx)
	if t.stop != nil {
		t.stop()
	}
	if err != nil {
		t.end()
		return nil, dialFault(err)
	}
	return t, nil
}

// dial connects to the configured port, and to no other. The connection is
// closed when the attempt is given up.
func (t *talk) dial(attempt context.Context, at mailURL, secure *tls.Config) mail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		connecting, cancel := context.WithTimeout(ctx, t.limits.Connect)
		defer cancel()
		conn, err := (&net.Dialer{}).DialContext(connecting, network, address)
		if err != nil {
			return nil, err
		}
		t.line = &line{Conn: conn}
		t.line.allow(t.limits.Command)
		t.stop = t.during(attempt)
		if !at.encrypted {
			return t.line, nil
		}
		encrypted := tls.Client(t.line, secure)
		return encrypted, encrypted.HandshakeContext(connecting)
	}
}

// end closes the line without a word.
func (t *talk) end() {
	if t.line != nil {
		_ = t.line.Close()
	}
}

// leave ends the conversation.
func (t *talk) leave() {
	t.line.allow(t.limits.Connect)
	_ = t.client.Quit()
	t.end()
}

// during ends the conversation with ctx, so that an abandoned attempt sends
// nothing more. The attempt calls stop when it is over.
func (t *talk) during(ctx context.Context) (stop func() bool) { return context.AfterFunc(ctx, t.end) }

// alive reports whether the server still answers.
func (t *talk) alive(ctx context.Context) bool {
	defer t.during(ctx)()
	t.line.allow(t.limits.Connect)
	err := t.client.Noop()
	t.line.allow(t.limits.Command)
	return err == nil
}

// deliver hands a message to the server. A confirmed message is sent, whatever happens
// to the connection afterwards.
func (t *talk) deliver(ctx context.Context, from, to string, msg *mail.Msg) error {
	defer t.during(ctx)()
	extended := email.NeedsUTF8(from) || email.NeedsUTF8(to)
	if offered, _ := t.client.Extension("SMTPUTF8"); extended && !offered {
		return &Fault{Failure: notification.InvalidAddress, Code: noUTF8}
	}
	t.client.SkipSMTPUTF8(!extended)
	if err := t.envelope(from, to); err != nil {
		if answered(err) && t.client.Reset() != nil {
			t.end()
		}
		return mailFault(err)
	}
	text, err := t.client.Data()
	if err != nil {
		return mailFault(err)
	}
	if _, err = msg.WriteTo(text); err != nil { // without the final dot the server has nothing
		return mailFault(err)
	}
	t.line.allow(t.limits.Taken)
	err = text.Close()
	t.line.allow(t.limits.Command)
	fault := mailFault(err)
	if fault == nil {
		return nil
	}
	fault.Unanswered = fault.Code == "" // the server may have taken it
	return fault
}

// noUTF8 is the code of an address that the server cannot take.
const noUTF8 = "no SMTPUTF8"

// envelope sends the sender and the receiver.
func (t *talk) envelope(from, to string) error {
	if err := t.client.Mail("<" + from + ">"); err != nil {
		return err
	}
	return t.client.Rcpt("<" + to + ">")
}

// answered reports whether an error is a server's answer.
func answered(err error) bool {
	var said *textproto.Error
	return errors.As(err, &said)
}

// dialFault classifies a failed connection. Wrong credentials are permanent, everything
// else may be temporary.
func dialFault(err error) *Fault {
	var refused *textproto.Error
	said := errors.As(err, &refused)
	if said && (refused.Code == 530 || refused.Code == 534 || refused.Code == 535) {
		return &Fault{Failure: notification.CredentialsRefused, Code: strconv.Itoa(refused.Code), Answer: refused.Msg}
	}
	for _, unusable := range []error{mail.ErrPlainAuthNotSupported, mail.ErrNoSupportedAuthDiscovered} {
		if errors.Is(err, unusable) {
			return &Fault{Failure: notification.CredentialsRefused, Cause: err}
		}
	}
	var network net.Error
	if errors.As(err, &network) || !said {
		return &Fault{Failure: notification.Unavailable, Passing: true, Cause: err}
	}
	return &Fault{Failure: notification.Unavailable, Passing: true, Code: strconv.Itoa(refused.Code), Answer: refused.Msg}
}

// enhanced is the status code that many servers begin their texts with (RFC 2034).
var enhanced = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

// mailFault judges a server's answer: 5xx is final, all else may pass.
func mailFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var refused *textproto.Error
	if !errors.As(err, &refused) {
		return &Fault{Failure: notification.Unavailable, Passing: true, Cause: err}
	}
	fault := &Fault{Code: strconv.Itoa(refused.Code), Answer: refused.Error()}
	if status := enhanced.FindString(refused.Msg); status != "" {
		fault.Code = fmt.Sprintf("%d %s", refused.Code, status)
	}
	fault.Failure = notification.JudgeMailReply(fault.Code)
	if refused.Code < 500 {
		fault.Failure, fault.Passing = notification.Unavailable, true
	}
	return fault
}
