package waybill

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// headerIdempotencyKey makes the service carry out a request once, however often it gets it.
const headerIdempotencyKey = "Idempotency-Key"

// largestError is how much of an error that is not the service's own is kept.
const largestError = 64 << 10

// core sends the requests of all resources.
type core struct {
	base, key string
	opts      []Option
	retries   Retries
}

// call is a request of an operation.
type call struct {
	method, path string
	query        query
	body         any
}

// file is the body of a response that is not JSON.
type file = []byte

// fetch returns the body of a successful response.
func fetch[T any](ctx context.Context, c *core, call call, opts []Option) (T, error) {
	var answer, none T
	if err := c.do(ctx, call, opts, func(int) any { return &answer }); err != nil {
		return none, err
	}
	return answer, nil
}

// do sends a request and decodes the response into what target returns for its status; nil
// discards it.
func (c *core) do(ctx context.Context, call call, opts []Option, target func(status int) any) error {
	s := c.settings(call, opts)
	var body []byte
	if call.body != nil {
		var err error
		if body, err = json.Marshal(call.body); err != nil {
			return fmt.Errorf("waybill: encode the request: %w", err)
		}
	}
	address := c.base + call.path
	if query := url.Values(s.query).Encode(); query != "" {
		address += "?" + query
	}
	return s.retries.do(ctx, call.method, func(ctx context.Context) error {
		return s.send(ctx, call.method, address, body, target)
	})
}

// settings are those of all requests, and then those of this one.
func (c *core) settings(call call, opts []Option) *settings {
	s := &settings{
		client: http.DefaultClient, retries: &c.retries, timeout: DefaultTimeout, query: query{},
		header: http.Header{
			"Authorization": {"apikey " + c.key}, "Accept": {"application/json, */*;q=0.5"},
			"User-Agent": {"waybill-go/" + Version + " " + runtime.Version()},
		},
	}
	for name, values := range call.query {
		s.query[name] = values
	}
	if call.method == http.MethodPost {
		s.header.Set(headerIdempotencyKey, rand.Text())
	}
	if call.body != nil {
		s.header.Set("Content-Type", "application/json")
	}
	for _, opt := range c.opts {
		opt(s)
	}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// send sends a request once.
func (s *settings) send(ctx context.Context, method, address string, body []byte, target func(int) any) error {
	ctx, stop := context.WithTimeout(ctx, s.timeout)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("waybill: %w", err)
	}
	request.Header = s.header.Clone()
	response, err := s.client.Do(request)
	if err != nil {
		return &unanswered{err}
	}
	defer func() { _ = response.Body.Close() }()
	if s.response != nil {
		*s.response = Response{Status: response.StatusCode, Header: response.Header}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return errorOf(response)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return &unanswered{err}
	}
	return decode(response, text, target)
}

// unanswered is a request that got no response, or not all of it.
type unanswered struct{ err error }

func (u *unanswered) Error() string { return "waybill: no response: " + u.err.Error() }
func (u *unanswered) Unwrap() error { return u.err }

func decode(response *http.Response, text []byte, target func(int) any) error {
	if target == nil || response.StatusCode == http.StatusNoContent {
		return nil
	}
	into := target(response.StatusCode)
	if raw, ok := into.(*file); ok {
		*raw = text
		return nil
	}
	if into == nil {
		return &Error{Status: response.StatusCode, Message: "unexpected status", Header: response.Header, Body: text}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // a custom field can have more digits than a float64
	if err := decoder.Decode(into); err != nil {
		return &Error{
			Status: response.StatusCode, Header: response.Header, Body: text, cause: err,
			Message: "the response is not the expected JSON; is there a proxy in between?",
		}
	}
	return nil
}

// errorOf is the error of a response. That of a proxy can be of any form.
func errorOf(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, largestError)) // what cannot be read is missing in the message
	e := &Error{Status: response.StatusCode, Header: response.Header, Body: text}
	var status struct {
		Code    int
		Message string
		Details []json.RawMessage
	}
	if json.Unmarshal(text, &status) == nil {
		e.Code, e.Message = status.Code, status.Message
		for _, raw := range status.Details {
			var detail StatusDetail
			if json.Unmarshal(raw, &detail) == nil {
				e.Details = append(e.Details, detail)
			}
		}
	}
	e.Message = cmp.Or(e.Message, http.StatusText(e.Status))
	for _, detail := range e.Details {
		if strings.HasSuffix(detail.Type, "/google.rpc.ErrorInfo") {
			e.Reason, e.Metadata = detail.Reason, detail.Metadata
		}
	}
	return e
}

// cancelled reports whether the caller gave up, in contrast to the timeout of one try.
func cancelled(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}

// wait waits on the clock.
func wait(ctx context.Context, pause time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
