package stack

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"waybill/internal/child"
)

// MailboxOptions says where the mailbox is.
type MailboxOptions struct {
	// Dir is the folder that gets a file for each message.
	Dir string
	// SMTPPort takes messages and HTTPPort shows them, both on 127.0.0.1; free
	// ones when zero.
	SMTPPort, HTTPPort int
}

// Mailbox takes every message for everybody but those at reject.example, keeps
// it as an .eml file and sends it nowhere. People read it on a page, tests in the folder.
type Mailbox struct {
	options MailboxOptions
	smtp    *smtp.Server
	http    *http.Server
	done    chan struct{}
	ending  sync.Once
	failure error
}

// A message may be this large, and reading or writing one may take so long.
const (
	mailboxMessageBytes = 32 << 20
	mailboxPatience     = time.Minute
)

// NewMailbox returns the folder.
func NewMailbox(options MailboxOptions) (*Mailbox, error) {
	m := &Mailbox{options: options, done: make(chan struct{})}
	ids := &messageIDs{}
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the mailbox folder: %w", err)
	}
	m.smtp = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &delivery{dir: options.Dir, ids: ids}, nil
	}))
	m.smtp.Domain, m.smtp.AllowInsecureAuth = "localhost", true
	m.smtp.MaxMessageBytes, m.smtp.MaxRecipients = mailboxMessageBytes, 1000
	m.smtp.ReadTimeout, m.smtp.WriteTimeout = mailboxPatience, mailboxPatience
	m.smtp.ErrorLog = silence{}
	m.http = &http.Server{Handler: mailboxPages(options.Dir), ReadHeaderTimeout: mailboxPatience}
	return m, nil
}

// Start opens both ports. Ports that were zero are known from then on.
func (m *Mailbox) Start(ctx context.Context) error {
	var lc net.ListenConfig
	mails, err := lc.Listen(ctx, "tcp", child.Local(m.options.SMTPPort))
	if err != nil {
		return fmt.Errorf("start the mailbox: port %d is in use: %w", m.options.SMTPPort, err)
	}
	pages, err := lc.Listen(ctx, "tcp", child.Local(m.options.HTTPPort))
	if err != nil {
		_ = mails.Close()
		return fmt.Errorf("start the mailbox: port %d is in use: %w", m.options.HTTPPort, err)
	}
	m.options.SMTPPort, m.options.HTTPPort = portOf(mails), portOf(pages)
	go func() { m.end(m.smtp.Serve(mails)) }()
	go func() { m.end(m.http.Serve(pages)) }()
	return nil
}

// end keeps why the mailbox ended, the first time.
func (m *Mailbox) end(err error) {
	m.ending.Do(func() {
		if err != nil {
			m.failure = fmt.Errorf("the mailbox stopped unexpectedly: %w", err)
		}
		close(m.done)
	})
}

// SMTPURL is the URL for sending messages.
func (m *Mailbox) SMTPURL() string { return "smtp://" + child.Local(m.options.SMTPPort) }

// PageURL is where people read them.
func (m *Mailbox) PageURL() string { return "http://" + child.Local(m.options.HTTPPort) }

// Dir is the folder with a file for each message.
func (m *Mailbox) Dir() string { return m.options.Dir }

// Done is closed when the mailbox has ended.
func (m *Mailbox) Done() <-chan struct{} { return m.done }

// Failure explains why the mailbox ended by itself.
func (m *Mailbox) Failure() error {
	select {
	case <-m.done:
		return m.failure
	default:
		return nil
	}
}

// Stop closes both ports. Messages stay in the folder.
func (m *Mailbox) Stop() error {
	m.end(nil)
	return errors.Join(m.smtp.Close(), m.http.Close())
}

// Kill does the same as Stop.
func (m *Mailbox) Kill() { _ = m.Stop() }

// delivery is one sender's connection.
type delivery struct {
	dir  string
	ids  *messageIDs
	from string
	to   []string
}

// AuthMechanisms offers a login, for senders that insist on one.
func (d *delivery) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth lets everybody in.
func (d *delivery) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(string, string, string) error { return nil }), nil
}

// Mail begins a message.
func (d *delivery) Mail(from string, _ *smtp.MailOptions) error {
	d.from, d.to = from, nil
	return nil
}

// rejectedDomain is a domain whose mail is rejected, to show what happens to a
// failed message.
const rejectedDomain = "@reject.example"

// Rcpt adds a receiver.
func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasSuffix(strings.ToLower(to), rejectedDomain) {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<" + to + "> is unknown here"}
	}
	d.to = append(d.to, to)
	return nil
}

// Data stores the message, after lines with its sender and receivers. The file
// gets its name when it is complete.
func (d *delivery) Data(r io.Reader) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "Return-Path: <%s>\r\n", d.from)
	for _, to := range d.to {
		fmt.Fprintf(&text, "Delivered-To: %s\r\n", to)
	}
	if _, err := text.ReadFrom(r); err != nil {
		return err
	}
	name := filepath.Join(d.dir, d.ids.next(time.Now()))
	if err := os.WriteFile(name+".part", text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(name+".part", name+messageSuffix)
}

// Reset forgets a message that was begun.
func (d *delivery) Reset() { d.from, d.to = "", nil }

// Logout ends the connection.
func (d *delivery) Logout() error { return nil }

const messageSuffix = ".eml"

// messageIDs begin with the time, so that names sort by age.
type messageIDs struct {
	mu   sync.Mutex
	last time.Time
}

// next is an ID later than all before it, whatever the machine's clock does.
func (m *messageIDs) next(now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	now = now.UTC().Round(0)
	if !now.After(m.last) {
		now = m.last.Add(time.Nanosecond)
	}
	m.last = now
	return now.Format("20060102T150405.000000000") + "-" + rand.Text()[:8]
}

// silence discards errors of senders: they get a response.
type silence struct{}

func (silence) Printf(string, ...any) {}
func (silence) Println(...any)        {}
