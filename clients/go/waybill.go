// Package waybill calls Waybill, a transport management service. The contract generates the
// types and a method for each operation that an API key may call, grouped by resource:
//
//	client, err := waybill.New("https://waybill.example", os.Getenv("WAYBILL_API_KEY"))
//	answer, err := client.Orders.Import(ctx, waybill.ImportRequest{Orders: orders})
//
// The client tries again what failed for now, and sends an Idempotency-Key with each POST, so
// that nothing happens twice. Errors of the service are an [*Error], which you can also
// compare with [ErrNotFound] and the like:
//
//	var refused *waybill.Error
//	if errors.As(err, &refused) {
//		log.Println(refused.Reason, refused.RequestID)
//	}
//
// Methods whose name ends in All return an iterator, which reads page after page.
// [Client.FollowStatusChanges] follows the status feed, [Client.WaitForImport] waits for an
// import, and the package webhook verifies webhooks.
package waybill

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultTimeout is how long the client waits for one response. Each try has its own.
const DefaultTimeout = 2 * time.Minute

// New returns a client of the service at a URL, such as https://waybill.example. Options apply
// to every request; a request's own options override them.
func New(baseURL, key string, opts ...Option) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(baseURL, "/"))
	if err != nil {
		return nil, err
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, errors.New("waybill: the URL of the service must begin with https:// or http://")
	}
	if key == "" {
		return nil, errors.New("waybill: the API key is missing")
	}
	return newClient(&core{base: base.String(), key: key, opts: opts, retries: Retries{}.withDefaults()}), nil
}

// settings are what options set.
type settings struct {
	client   *http.Client
	retries  *Retries
	timeout  time.Duration
	header   http.Header
	query    query
	response *Response
}

// Option changes how the client calls the service, for all requests ([New]) or for one.
type Option func(*settings)

// WithHTTPClient sends requests with another client than [http.DefaultClient].
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) { s.client = client }
}

// WithRetries changes how often the client tries again. With Retries{Tries: 1} it doesn't.
func WithRetries(retries Retries) Option {
	return func(s *settings) {
		complete := retries.withDefaults()
		s.retries = &complete
	}
}

// WithTimeout changes how long the client waits for one response. Each try has its own; the
// context limits all of them.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithHeader sends a header.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.header.Set(name, value) }
}

// WithLanguage chooses the language of messages: en, nb or da.
func WithLanguage(language string) Option { return WithHeader("Accept-Language", language) }

// WithIdempotencyKey makes the service carry out a request once, however often you send it
// with this key. Without it, the client makes a key for each POST.
func WithIdempotencyKey(key string) Option { return WithHeader(headerIdempotencyKey, key) }

// IfMatch changes a record only if it still has this ETag. Otherwise the error is
// [ErrPreconditionFailed].
func IfMatch(etag string) Option { return WithHeader("If-Match", etag) }

// IfNoneMatch reads a record only if it no longer has this ETag. Otherwise the error is
// [ErrNotModified].
func IfNoneMatch(etag string) Option { return WithHeader("If-None-Match", etag) }

// RespondAsync returns from an import at once. [Client.WaitForImport] gets its results.
func RespondAsync() Option { return WithHeader("Prefer", "respond-async") }

// WithResponse notes the status and the headers of the response.
func WithResponse(response *Response) Option {
	return func(s *settings) { s.response = response }
}

// withQuery adds to the query.
func withQuery(add func(query)) Option {
	return func(s *settings) { add(s.query) }
}

// Response is what a response has besides its body.
type Response struct {
	Status int
	Header http.Header
}

// RequestID identifies the request in the logs of the service. Quote it when you ask for help.
func (r *Response) RequestID() string { return r.Header.Get("X-Request-ID") }

// ETag is the version of the record, for [IfMatch] and [IfNoneMatch].
func (r *Response) ETag() string { return r.Header.Get("ETag") }
