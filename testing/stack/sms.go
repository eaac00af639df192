package stack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"waybill/internal/child"
)

// The account of the local counterpart. It is valid nowhere else.
const (
	SMSAccount = "AC00000000000000000000000000000000"
	SMSToken   = "LocalSMSToken"
)

// SMSOptions says where the counterpart is.
type SMSOptions struct {
	// Port answers the API and shows the messages, on 127.0.0.1; a free one when
	// zero.
	Port int
	// File keeps the messages for the next run; nowhere when empty.
	File string
	// Answer decides the response to a message; the default accepts all but
	// numbers that end in 0000.
	Answer func(to string) SMSAnswer
}

// SMSAnswer is the counterpart's response to a message.
type SMSAnswer struct {
	// Status and Code refuse it; a status of 0 takes it.
	Status, Code int
	// Page refuses it with a page for people, as a gateway does.
	Page bool
	// RetryAfter is sent with a refusal.
	RetryAfter time.Duration
	Delay      time.Duration
	// Hangup breaks the connection, after the message is taken.
	Hangup bool
	// Reports are the statuses that are reported, "sent" and "delivered" when
	// nil.
	Reports []string
}

// SMS implements the part of Twilio's API for sending text messages, stores
// them, and sends signed status callbacks.
type SMS struct {
	options SMSOptions
	http    *http.Server
	done    chan struct{}
	ending  sync.Once
	failure error
	reports sync.WaitGroup
	ctx     context.Context // of the reports
	cancel  context.CancelFunc

	mu       sync.Mutex
	messages []TextMessage
}

// TextMessage is a message that the counterpart took.
type TextMessage struct {
	SID      string    `json:"sid"`
	From     string    `json:"from"`
	To       string    `json:"to"`
	Body     string    `json:"body"`
	Callback string    `json:"callback"`
	At       time.Time `json:"at"`
	// ValidityPeriod is in seconds, and empty when the sender has no bound.
	ValidityPeriod string `json:"validityPeriod,omitempty"`
	// Reported are the reports that the receiver of them has taken.
	Reported []string `json:"reported"`
}

// NewSMS reads the messages of earlier runs.
func NewSMS(options SMSOptions) (*SMS, error) {
	s := &SMS{options: options, done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if options.File != "" {
		text, err := os.ReadFile(options.File)
		if err == nil {
			err = json.Unmarshal(text, &s.messages)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("read the messages of the fake SMS provider: %w", err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2010-04-01/Accounts/{account}/Messages.json", s.create)
	mux.HandleFunc("GET /2010-04-01/Accounts/{account}", s.lookUp)
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /messages", s.page)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: mailboxPatience}
	return s, nil
}

// Start opens the port, which is known from then on.
func (s *SMS) Start(ctx context.Context) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", child.Local(s.options.Port))
	if err != nil {
		return fmt.Errorf("start the fake SMS provider: port %d is in use: %w", s.options.Port, err)
	}
	s.options.Port = portOf(listener)
	go func() { s.end(s.http.Serve(listener)) }()
	return nil
}

func (s *SMS) end(err error) {
	s.ending.Do(func() {
		if err != nil {
			s.failure = fmt.Errorf("the fake SMS provider stopped unexpectedly: %w", err)
		}
		close(s.done)
	})
}

// URL is where the API and the page are.
func (s *SMS) URL() string { return "http://" + child.Local(s.options.Port) }

// Done is closed when the counterpart has ended.
func (s *SMS) Done() <-chan struct{} { return s.done }

// Failure explains why the counterpart ended by itself.
func (s *SMS) Failure() error {
	select {
	case <-s.done:
		return s.failure
	default:
		return nil
	}
}

// Stop closes the port and ends the reports.
func (s *SMS) Stop() error {
	s.end(nil)
	s.cancel()
	err := s.http.Close()
	s.reports.Wait()
	return err
}

// Kill does the same as Stop.
func (s *SMS) Kill() { _ = s.Stop() }

// Messages are the accepted messages, newest first.
func (s *SMS) Messages() []TextMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := slices.Clone(s.messages)
	slices.Reverse(messages)
	return messages
}

// isOurs reports whether a request has the account's credentials; it rejects
// all others.
func isOurs(w http.ResponseWriter, r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	if user != SMSAccount || password != SMSToken || strings.TrimSuffix(r.PathValue("account"), ".json") != SMSAccount {
		refuse(w, http.StatusUnauthorized, 20003, "Authentication Error - invalid username")
		return false
	}
	return true
}

// lookUp shows the account to its owner.
func (s *SMS) lookUp(w http.ResponseWriter, r *http.Request) {
	if isOurs(w, r) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"sid": SMSAccount, "status": "active"})
	}
}

// create takes a message, or refuses it, as Twilio does.
func (s *SMS) create(w http.ResponseWriter, r *http.Request) {
	if !isOurs(w, r) {
		return
	}
	answer := s.answer(r.FormValue("To"))
	select {
	case <-time.After(answer.Delay):
	case <-r.Context().Done():
		return
	}
	if answer.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(answer.RetryAfter.Seconds())))
	}
	if answer.Page {
		http.Error(w, "<html><body>"+http.StatusText(answer.Status)+"</body></html>", answer.Status)
		return
	}
	if answer.Status != 0 {
		refuse(w, answer.Status, answer.Code, "The number "+r.FormValue("To")+" cannot be reached")
		return
	}
	m := TextMessage{
		SID: newSID(), From: r.FormValue("From"), To: r.FormValue("To"), Body: r.FormValue("Body"),
		Callback: r.FormValue("StatusCallback"), At: time.Now().UTC(), ValidityPeriod: r.FormValue("ValidityPeriod"),
	}
	s.keep(m)
	s.reports.Go(func() { s.report(m, answer.Reports) })
	if answer.Hangup {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may be gone
		"sid": m.SID, "account_sid": SMSAccount, "to": m.To, "from": m.From, "body": m.Body, "status": "queued",
	})
}

func (s *SMS) answer(to string) SMSAnswer {
	answer := SMSAnswer{}
	if s.options.Answer != nil {
		answer = s.options.Answer(to)
	} else if strings.HasSuffix(to, "0000") {
		answer.Status, answer.Code = http.StatusBadRequest, 21211
	}
	if answer.Reports == nil {
		answer.Reports = []string{"sent", "delivered"}
	}
	return answer
}

func refuse(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The caller may be gone.
	_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "message": message, "status": status})
}

func newSID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return "SM" + hex.EncodeToString(b[:])
}

func (s *SMS) keep(m TextMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.IndexFunc(s.messages, func(k TextMessage) bool { return k.SID == m.SID }); at >= 0 {
		s.messages[at] = m
	} else {
		s.messages = append(s.messages, m)
	}
	if s.options.File == "" {
		return
	}
	_ = os.MkdirAll(filepath.Dir(s.options.File), 0o700)
	if text, err := json.MarshalIndent(s.messages, "", "  "); err == nil {
		_ = os.WriteFile(s.options.File, text, 0o600) // the messages of one run are no loss
	}
}

// How reports are made.
const (
	reportPause = 300 * time.Millisecond
	reportTries = 20
)

// report sends the status callback of a message, with retries.
func (s *SMS) report(m TextMessage, statuses []string) {
	if m.Callback == "" {
		return
	}
	for _, status := range statuses {
		for range reportTries {
			select {
			case <-time.After(reportPause):
			case <-s.ctx.Done():
				return
			}
			if s.Post(s.ctx, m, status) == nil {
				m.Reported = append(m.Reported, status)
				s.keep(m)
				break
			}
		}
	}
}

// Post makes one signed report.
func (s *SMS) Post(ctx context.Context, m TextMessage, status string) error {
	form := url.Values{
		"AccountSid": {SMSAccount}, "MessageSid": {m.SID}, "SmsSid": {m.SID}, "MessageStatus": {status},
		"To": {m.To}, "From": {m.From},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Callback, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Twilio-Signature", SignSMS(SMSToken, m.Callback, form))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the status callback returned %d", response.StatusCode)
	}
	return nil
}

// SignSMS signs a report as Twilio does: the address and the sorted
// parameters, by the account's token.
func SignSMS(token, address string, form url.Values) string {
	var text bytes.Buffer
	text.WriteString(address)
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		text.WriteString(name + form.Get(name))
	}
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write(text.Bytes())
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// page shows the messages to people and programs.
func (s *SMS) page(w http.ResponseWriter, r *http.Request) {
	messages := s.Messages()
	if wantsJSON(r) {
		writeJSON(w, map[string]any{"messages": messages})
		return
	}
	writePage(w, "sms.html", messages)
}
