package providers_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/testing/stack"
)

// faultyMail is a mail server with the faults that a test sets.
type faultyMail struct {
	address string
	offers  []string // extensions
	// before is called with each received line, including the dot that ends a text;
	// its result is the answer, or the usual one when empty.
	before func(said string) string

	mu    sync.Mutex
	said  []string
	ended chan struct{} // gets a value for each connection that has ended
}

func startFaultyMail(t *testing.T, f *faultyMail) *faultyMail {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f.address, f.ended = "smtp://"+listener.Addr().String(), make(chan struct{}, 100)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go f.serve(conn)
		}
	}()
	return f
}

func (f *faultyMail) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		f.ended <- struct{}{}
	}()
	answer := func(text string) { _, _ = conn.Write([]byte(text + "\r\n")) }
	answer("220 faulty")
	lines := bufio.NewScanner(conn)
	for inText := false; lines.Scan(); {
		said := lines.Text()
		if inText && said != "." {
			continue
		}
		f.note(said)
		usual := "250 ok"
		switch verb, _, _ := strings.Cut(said, " "); verb {
		case "EHLO":
			usual = "250-faulty\r\n250-" + strings.Join(append(f.offers, "8BITMIME"), "\r\n250-") + "\r\n250 ENHANCEDSTATUSCODES"
		case "DATA":
			usual, inText = "354 go on", true
		case ".":
			inText = false
		case "QUIT":
			answer("221 bye")
			return
		}
		if f.before != nil {
			if text := f.before(said); text != "" {
				usual = text
			}
		}
		answer(usual)
	}
}

func (f *faultyMail) note(said string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, said)
}

// heard returns the received lines with a prefix.
func (f *faultyMail) heard(beginning string) (found []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, line := range f.said {
		if strings.HasPrefix(line, beginning) {
			found = append(found, line)
		}
	}
	return found
}

// patientMail has long time limits, except those that a test shortens.
func patientMail(t *testing.T, shorten func(*providers.MailLimits)) *providers.Mail {
	t.Helper()
	limits := providers.MailLimits{Connect: time.Minute, Command: time.Minute, Taken: time.Minute, Turn: time.Minute}
	shorten(&limits)
	mail := providers.NewMailWithin(limits)
	t.Cleanup(mail.Close)
	return mail
}

func TestMailIsAsPatientAsTheProtocol(t *testing.T) {
	t.Parallel()

	t.Run("ByDefault", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, providers.MailLimits{
			Connect: 30 * time.Second, Command: 5 * time.Minute, Taken: 10 * time.Minute, Turn: 2 * time.Second,
		}, providers.NewMail().Limits())
	})

	// As 35 seconds after the text are to a limit of 30 seconds.
	t.Run("AServerThatScansTheTextGetsOneCopy", func(t *testing.T) {
		t.Parallel()
		const command = 2 * time.Second
		server := startFaultyMail(t, &faultyMail{before: func(said string) string {
			if said == "." {
				<-time.After(command * 7 / 6)
			}
			return ""
		}})
		mail := patientMail(t, func(l *providers.MailLimits) { l.Command = command })
		require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
		require.Len(t, server.heard("."), 1)
	})

	t.Run("ASlowCommandTakesNothingFromTheNext", func(t *testing.T) {
		t.Parallel()
		const command = 3 * time.Second
		server := startFaultyMail(t, &faultyMail{before: func(said string) string {
			if strings.HasPrefix(said, "MAIL") || strings.HasPrefix(said, "RCPT") {
				<-time.After(command * 2 / 3)
			}
			return ""
		}})
		mail := patientMail(t, func(l *providers.MailLimits) { l.Command = command })
		require.NoError(t, mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
	})

	t.Run("OneThatNeverSaysSoLeavesADoubt", func(t *testing.T) {
		t.Parallel()
		server := startFaultyMail(t, &faultyMail{before: func(said string) string {
			if said == "." {
				<-t.Context().Done()
			}
			return ""
		}})
		mail := patientMail(t, func(l *providers.MailLimits) { l.Taken = 100 * time.Millisecond })
		fault := providers.FaultOf(mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
		require.True(t, fault.Unanswered)
		require.True(t, fault.Passing)
	})

	t.Run("OneThatTakesNoTextLeavesNone", func(t *testing.T) {
		t.Parallel()
		server := startFaultyMail(t, &faultyMail{before: func(said string) string {
			if said == "DATA" {
				<-t.Context().Done()
			}
			return ""
		}})
		mail := patientMail(t, func(l *providers.MailLimits) { l.Command = 2 * time.Second })
		fault := providers.FaultOf(mail.Send(t.Context(), server.address, mailTo("kari@example.com")))
		require.False(t, fault.Unanswered)
		require.True(t, fault.Passing)
	})
}

// TestAbandonedAttemptSendsNothingMore gives up while the server is
// checking the receiver.
func TestAbandonedAttemptSendsNothingMore(t *testing.T) {
	t.Parallel()
	asked, goOn := make(chan struct{}), make(chan struct{})
	server := startFaultyMail(t, &faultyMail{before: func(said string) string {
		if strings.HasPrefix(said, "RCPT") {
			close(asked)
			<-goOn
		}
		return ""
	}})
	mail := patientMail(t, func(l *providers.MailLimits) { l.Command = time.Hour })
	ctx, giveUp := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mail.Send(ctx, server.address, mailTo("kari@example.com")) }()
	<-asked
	giveUp()
	require.True(t, providers.FaultOf(<-done).Passing)
	close(goOn)
	<-server.ended
	require.Empty(t, server.heard("DATA"))
}

// TestSlowServerDoesNotDelayOthers sends more messages to a server that never answers
// than it may have at a time. The others must wait and retry, and another server gets its
// message.
func TestSlowServerDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	const busy = 6
	begun := make(chan struct{}, 2*busy)
	slow := startFaultyMail(t, &faultyMail{before: func(said string) string {
		if strings.HasPrefix(said, "RCPT") {
			begun <- struct{}{}
			<-t.Context().Done()
		}
		return ""
	}})
	mail := patientMail(t, func(l *providers.MailLimits) { l.Turn = 50 * time.Millisecond })
	for range busy {
		go func() { _ = mail.Send(t.Context(), slow.address, mailTo("kari@example.com")) }()
	}
	for range busy {
		<-begun
	}
	for range 2 * busy {
		fault := providers.FaultOf(mail.Send(t.Context(), slow.address, mailTo("kari@example.com")))
		require.True(t, fault.Resting)
		require.Positive(t, fault.RetryAfter)
	}
	require.Empty(t, begun)
	require.NoError(t, mail.Send(t.Context(), startFaultyMail(t, &faultyMail{}).address, mailTo("kari@example.com")))
}

// TestMailGoesToTheConfiguredPortOnly uses a port without a server.
func TestMailGoesToTheConfiguredPortOnly(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	err = providers.NewMail().Send(t.Context(), "smtp://"+address, mailTo("kari@example.com"))
	require.ErrorContains(t, providers.FaultOf(err).Cause, address)
}

func TestAddressesOfOtherAlphabets(t *testing.T) {
	t.Parallel()
	plain, extended := startFaultyMail(t, &faultyMail{}), startFaultyMail(t, &faultyMail{offers: []string{"SMTPUTF8"}})
	mail := patientMail(t, func(*providers.MailLimits) {})
	send := func(server *faultyMail, to string) error { return mail.Send(t.Context(), server.address, mailTo(to)) }

	require.NoError(t, send(plain, "kari@blåbær.no"))
	require.NoError(t, send(plain, `"to ord"@example.no`))
	fault := providers.FaultOf(send(plain, "åse@example.no"))
	require.Equal(t, notification.InvalidAddress, fault.Failure)
	require.False(t, fault.Passing)
	require.Equal(t, "no SMTPUTF8", fault.Code)
	require.Equal(t, []string{"RCPT TO:<kari@xn--blbr-roah.no>", `RCPT TO:<"to ord"@example.no>`}, plain.heard("RCPT"))
	require.NotContains(t, strings.Join(plain.heard("MAIL"), " "), "SMTPUTF8")

	require.NoError(t, send(extended, "kari@blåbær.no"))
	require.NoError(t, send(extended, "åse@blåbær.no"))
	require.Equal(t, []string{"RCPT TO:<kari@xn--blbr-roah.no>", "RCPT TO:<åse@xn--blbr-roah.no>"}, extended.heard("RCPT"))
	asked := extended.heard("MAIL")
	require.NotContains(t, asked[0], "SMTPUTF8", "nothing needs it")
	require.Contains(t, asked[1], "SMTPUTF8")
}

// clock is moved by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 24, 5, 0, 0, 0, time.UTC)} }

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// TestUnavailableServerIsPaused uses a server that closes every connection, and
// recovers.
func TestUnavailableServerIsPaused(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	away, greeted := true, 0
	server := startFaultyMail(t, &faultyMail{before: func(said string) string {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(said, "EHLO") {
			greeted++
		}
		if away {
			return "421 4.3.2 not now"
		}
		return ""
	}})
	now := newClock()
	mail := patientMail(t, func(*providers.MailLimits) {})
	mail.Now(now.read)
	send := func() *providers.Fault {
		err := mail.Send(t.Context(), server.address, mailTo("kari@example.com"))
		if err == nil {
			return nil
		}
		return providers.FaultOf(err)
	}
	asked := func() int {
		mu.Lock()
		defer mu.Unlock()
		return greeted
	}
	for range 3 {
		fault := send()
		require.True(t, fault.Passing)
		require.False(t, fault.Resting)
	}
	before := asked()
	for range 100 {
		fault := send()
		require.True(t, fault.Resting)
		require.True(t, fault.Passing)
		require.False(t, fault.Unanswered)
		require.Equal(t, 30*time.Second, fault.RetryAfter)
	}
	require.Equal(t, before, asked(), "nobody knocks")

	now.pass(30 * time.Second)
	require.False(t, send().Resting, "one asks")
	require.True(t, send().Resting, "and the others wait again")

	mu.Lock()
	away = false
	mu.Unlock()
	now.pass(30 * time.Second)
	require.Nil(t, send())
	require.Nil(t, send())
}

// TestGatewayErrorMeansMessageWasNotAccepted is of the pages that load balancers answer with.
func TestGatewayErrorMeansMessageWasNotAccepted(t *testing.T) {
	t.Parallel()
	counterpart, err := stack.NewSMS(stack.SMSOptions{Answer: func(to string) stack.SMSAnswer {
		return map[string]stack.SMSAnswer{
			"+4740000502": {Status: http.StatusBadGateway, Page: true},
			"+4740000503": {Status: http.StatusServiceUnavailable, Page: true, RetryAfter: 90 * time.Second},
			"+4740000500": {Status: http.StatusInternalServerError, Page: true},
			"+4740000404": {Status: http.StatusNotFound, Page: true},
			"+4740000429": {Status: http.StatusTooManyRequests, Code: 20429, RetryAfter: time.Minute},
		}[to]
	}})
	require.NoError(t, err)
	require.NoError(t, counterpart.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, counterpart.Stop()) })
	account := providers.SMSAccount{ID: stack.SMSAccount, Token: stack.SMSToken}
	for to, want := range map[string]providers.Fault{
		"+4740000502": {Failure: notification.Unavailable, Passing: true, Code: "502"},
		"+4740000503": {Failure: notification.Unavailable, Passing: true, Code: "503", RetryAfter: 90 * time.Second},
		"+4740000500": {Failure: notification.Unavailable, Passing: true, Code: "500"},
		"+4740000404": {Failure: notification.Rejected, Code: "404"},
		"+4740000429": {Failure: notification.Unavailable, Passing: true, Code: "429 20429", RetryAfter: time.Minute},
	} {
		sms, err := providers.NewSMS(counterpart.URL())
		require.NoError(t, err)
		_, err = sms.Send(t.Context(), account, providers.Text{From: "Nordfrakt", To: to, Body: "Hei"})
		got := *providers.FaultOf(err)
		got.Answer, got.Cause = "", nil
		require.Equal(t, want, got, to)
	}

	// A server that requests a pause gets it from others' messages, too.
	now := newClock()
	sms, err := providers.NewSMS(counterpart.URL())
	require.NoError(t, err)
	sms.Now(now.read)
	_, err = sms.Send(t.Context(), account, providers.Text{From: "Nordfrakt", To: "+4740000429", Body: "Hei"})
	require.Error(t, err)
	text := providers.Text{From: "Nordfrakt", To: "+4740000007", Body: "Hei", Validity: 15 * time.Minute}
	_, err = sms.Send(t.Context(), account, text)
	require.True(t, providers.FaultOf(err).Resting)
	require.Equal(t, time.Minute, providers.FaultOf(err).RetryAfter)
	require.Empty(t, counterpart.Messages())
	now.pass(time.Minute)
	_, err = sms.Send(t.Context(), account, text)
	require.NoError(t, err)
	require.Equal(t, "900", counterpart.Messages()[0].ValidityPeriod)
	text.Validity = 48 * time.Hour
	_, err = sms.Send(t.Context(), account, text)
	require.NoError(t, err)
	require.Equal(t, "36000", counterpart.Messages()[0].ValidityPeriod, "as long as the provider keeps it at most")
}
