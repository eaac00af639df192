package e2e_test

import (
	"io"
	"net"
	"net/mail"
	"sync"
	"syscall"
	"testing"
	"time"

	"waybill/api/contract"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// hesitant is a mail server that accepts messages without confirming, for each
// receiver as often as it is listed.
type hesitant struct {
	mu    sync.Mutex
	mute  map[string]int
	taken map[string][]string // the Message-IDs, by receiver
	gone  chan struct{}       // closed when it answers at last
	once  sync.Once
}

func startHesitant(t *testing.T, mute map[string]int) (h *hesitant, url string) {
	t.Helper()
	h = &hesitant{mute: mute, taken: map[string][]string{}, gone: make(chan struct{})}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &hesitation{server: h}, nil }))
	server.Domain = "localhost"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() {
		h.answer()
		_ = server.Close()
	})
	return h, "smtp://" + listener.Addr().String()
}

// answer makes the server confirm all its messages.
func (h *hesitant) answer() { h.once.Do(func() { close(h.gone) }) }

// messages are the Message-IDs for a receiver.
func (h *hesitant) messages(receiver string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.taken[receiver]...)
}

type hesitation struct {
	server *hesitant
	to     string
}

func (s *hesitation) Mail(string, *smtp.MailOptions) error { return nil }
func (s *hesitation) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}
func (s *hesitation) Reset()        {}
func (s *hesitation) Logout() error { return nil }
func (s *hesitation) Data(r io.Reader) error {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, message.Body); err != nil {
		return err
	}
	s.server.mu.Lock()
	s.server.taken[s.to] = append(s.server.taken[s.to], message.Header.Get("Message-Id"))
	mute := s.server.mute[s.to] > 0
	s.server.mute[s.to]--
	s.server.mu.Unlock()
	if mute {
		<-s.server.gone
	}
	return nil
}

// TestSendingOutlivesItsWorker kills the worker when the mail server has a
// message without having confirmed it. Its delivery is then unknown, so it is
// sent once more, minutes later, with the same Message-ID; if that ends the
// same way, it counts as sent, marked as uncertain, and is not sent again.
func TestSendingOutlivesItsWorker(t *testing.T) {
	t.Parallel()
	const once, twice = "killed-once@example.com", "killed-twice@example.com"
	server, url := startHesitant(t, map[string]int{once: 1, twice: 2})
	i := install(t, "serve")
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL="+url))
	o := i.organization(t)
	results := o.importOrders(t, orders(o.reachable("K-1", once, ""), o.reachable("K-2", twice, "")))
	arrived := func(ofOnce, ofTwice int) {
		t.Helper()
		eventually(t, "the mail server has taken the messages", func() bool {
			return len(server.messages(once)) == ofOnce && len(server.messages(twice)) == ofTwice
		})
	}
	arrived(1, 1)
	i.kill("work")
	o.attemptsWereLongAgo(t)
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL="+url))
	arrived(2, 2)
	o.awaitMessage(t, orderID(t, results[0]), contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	i.kill("work")
	o.attemptsWereLongAgo(t)
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL="+url))
	doubtful := o.awaitMessage(t, orderID(t, results[1]), contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.NotNil(t, doubtful.Email.Uncertain)
	require.True(t, *doubtful.Email.Uncertain)
	require.Nil(t, doubtful.Email.FailureReason)
	arrived(2, 2)
	for _, receiver := range []string{once, twice} {
		ids := server.messages(receiver)
		require.Equal(t, ids[0], ids[1], "receivers can tell that it is the same message")
		require.NotEmpty(t, ids[0])
	}
}

// attemptsWereLongAgo has messages wait no longer for reports of their attempts.
func (o *organization) attemptsWereLongAgo(t *testing.T) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), `update notification_steps set at = at - interval '1 hour'
		where org_id = $1 and kind = 'attempt'`, o.id)
	require.NoError(t, err)
}

// TestSlowWorkerSendsOnce stops the worker for some seconds, as a busy
// machine does, while a slow mail server has a message. The worker still has its
// attempt then: another one would be a second copy.
func TestSlowWorkerSendsOnce(t *testing.T) {
	t.Parallel()
	const receiver = "slow@example.com"
	server, url := startHesitant(t, map[string]int{receiver: 1})
	i := install(t, "serve")
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL="+url))
	o := i.organization(t)
	results := o.importOrders(t, orders(o.reachable("SLOW", receiver, "")))
	eventually(t, "the mail server has the message", func() bool { return len(server.messages(receiver)) == 1 })
	i.processes["work"].Signal(syscall.SIGSTOP)
	time.Sleep(7 * time.Second) // longer than Temporal waited for a heartbeat in v0.2.0
	i.processes["work"].Signal(syscall.SIGCONT)
	// If the attempt had been given up, the next one would begin a second
	// later.
	require.Never(t, func() bool { return len(server.messages(receiver)) > 1 }, 3*time.Second, 100*time.Millisecond)
	server.answer()
	o.awaitMessage(t, orderID(t, results[0]), contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.Len(t, server.messages(receiver), 1)
}
