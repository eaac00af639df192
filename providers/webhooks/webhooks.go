// Package webhooks sends events to integrators' endpoints, signed according to
// Standard Webhooks, and returns the results. The selection of events and the
// retries belong elsewhere.
package webhooks

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"waybill/domain/webhook"
	"waybill/providers/internet"
)

// Bounds of an attempt.
const (
	// Timeout is how long an endpoint may take to answer.
	Timeout = 15 * time.Second
	// KeptAnswer is how much of an answer is kept.
	KeptAnswer = 1 << 10
	// mostRead is how much of one is read at most, so that its connection can be used again.
	mostRead    = 32 << 10
	mostHeaders = 16 << 10
	// idleHosts and idleOfHost are how many connections are kept for the next event.
	idleHosts  = 256
	idleOfHost = 16
	// mostSeconds is the longest accepted Retry-After.
	mostSeconds = 7 * 24 * 3600
)

// Client sends events.
type Client struct {
	http         *http.Client
	allowPrivate bool
}

// New returns a client. Unless private addresses are allowed, endpoints must
// use https and resolve to the public internet, which is checked for each
// connection.
func New(allowPrivate bool) *Client {
	dialer := &net.Dialer{Timeout: Timeout}
	if !allowPrivate {
		dialer.Control = internet.Control
	}
	transport := &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: Timeout,
		MaxResponseHeaderBytes: mostHeaders, MaxIdleConns: idleHosts, MaxIdleConnsPerHost: idleOfHost,
		IdleConnTimeout: time.Minute,
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		http: &http.Client{Transport: transport, CheckRedirect: stay, Timeout: Timeout}, allowPrivate: allowPrivate,
	}
}

// Usable reports whether an address has a valid form. What its name resolves to
// is checked for each delivery.
func (c *Client) Usable(address string) bool {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" || at.User != nil || at.Fragment != "" || at.Opaque != "" {
		return false
	}
	if c.allowPrivate {
		return at.Scheme == "https" || at.Scheme == "http"
	}
	if ip, err := netip.ParseAddr(at.Hostname()); err == nil && !internet.IsOpen(ip) {
		return false
	}
	return at.Scheme == "https"
}

// NewSecret returns a secret as Standard Webhooks writes it.
func NewSecret() string {
	secret := make([]byte, 24)
	_, _ = rand.Read(secret) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}

// Message is an event to deliver. Secrets sign it, newest first.
type Message struct {
	URL     string
	ID      string
	At      time.Time
	Body    []byte
	Secrets []string
}

// Answer is the result of an attempt. Status is 0 without a response.
type Answer struct {
	Fault  webhook.Fault
	Status int
	// Body is the beginning of the endpoint's answer.
	Body     string
	Duration time.Duration
	// Wait is the pause that an endpoint requests when it does not accept an
	// event, or 0.
	Wait time.Duration
}

// Send makes one attempt to deliver a message.
func (c *Client) Send(ctx context.Context, m Message) Answer {
	began := time.Now()
	answer := c.send(ctx, m)
	answer.Duration = time.Since(began)
	return answer
}

func (c *Client) send(ctx context.Context, m Message) Answer {
	if !c.Usable(m.URL) {
		return Answer{Fault: webhook.FaultAddress}
	}
	request, err := newRequest(ctx, m)
	if err != nil {
		return Answer{Fault: webhook.FaultAddress}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{Fault: faultOf(err)}
	}
	defer func() { _ = response.Body.Close() }()
	answer := Answer{Status: response.StatusCode, Body: begin(response.Body)}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		answer.Fault = webhook.FaultStatus
		answer.Wait = waitOf(response.Header.Get("Retry-After"), time.Now())
	}
	return answer
}

// waitOf parses a Retry-After: seconds, or a time. Invalid and past values mean no wait.
func waitOf(text string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), mostSeconds)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

func newRequest(ctx context.Context, m Message) (*http.Request, error) {
	signatures, err := Sign(m)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Waybill-Webhooks",
		standardwebhooks.HeaderWebhookID: m.ID, standardwebhooks.HeaderWebhookTimestamp: strconv.FormatInt(m.At.Unix(), 10),
		standardwebhooks.HeaderWebhookSignature: signatures,
	} {
		request.Header.Set(name, value)
	}
	return request, nil
}

// Sign returns the signatures of a message, one per secret.
func Sign(m Message) (string, error) {
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return "", err
		}
		if signatures[i], err = hook.Sign(m.ID, m.At, m.Body); err != nil {
			return "", err
		}
	}
	return strings.Join(signatures, " "), nil
}

// begin returns the beginning of an answer, as text that can be kept. It reads a little
// more, so that the connection can be used again.
func begin(answer io.Reader) string {
	kept, _ := io.ReadAll(io.LimitReader(answer, KeptAnswer))
	_, _ = io.Copy(io.Discard, io.LimitReader(answer, mostRead))
	for cut := 0; cut < utf8.UTFMax && len(kept) > 0; cut++ { // a character that was cut in two
		if r, size := utf8.DecodeLastRune(kept); r != utf8.RuneError || size != 1 {
			break
		}
		kept = kept[:len(kept)-1]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(kept), "�"), "\x00", "�")
}

// faultOf classifies a missing answer. The error's text may name internal servers, and is
// not exposed.
func faultOf(err error) webhook.Fault {
	var (
		unknown   *net.DNSError
		timeout   interface{ Timeout() bool }
		untrusted *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
		alert     tls.AlertError
	)
	switch {
	case errors.Is(err, internet.ErrPrivate):
		return webhook.FaultAddress
	case errors.As(err, &unknown) && !unknown.IsTimeout:
		return webhook.FaultDNS
	case errors.As(err, &untrusted), errors.As(err, &authority), errors.As(err, &record), errors.As(err, &alert),
		errors.Is(err, http.ErrSchemeMismatch):
		return webhook.FaultTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return webhook.FaultTimeout
	}
	return webhook.FaultConnection
}
