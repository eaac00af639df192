package geocode

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"waybill/domain/place"
)

const (
	// timeout bounds one question.
	timeout = 10 * time.Second
	// maxAnswer limits the size of an answer in bytes; some results have a few KiB.
	maxAnswer = 1 << 20
	// mostReplies is how many results are requested.
	mostReplies = 5
)

// server is a server with an HTTP API.
type server struct {
	base   *url.URL
	agent  string
	client *http.Client
}

func newServer(base *url.URL, contact string) server {
	agent := "waybill"
	if contact != "" {
		agent += " (" + contact + ")"
	}
	return server{base: base, agent: agent, client: &http.Client{
		Timeout: timeout,
		// Redirects lead away from the configured server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// get sends a request and reads the response.
func (s server) get(ctx context.Context, path string, query url.Values, answer any) error {
	address := s.base.JoinPath(path)
	address.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return &Fault{Kind: Unavailable}
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", s.agent)
	response, err := s.client.Do(request)
	if err != nil {
		return broken(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return refusal(response, time.Now())
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return broken(ctx, err)
	case len(body) > maxAnswer:
		return &Fault{Kind: Unreadable}
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return &Fault{Kind: Unreadable} // the cause may quote the answer
	}
	return nil
}

// broken is a fault of the connection. The cause is left out where it would name the address.
func broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed, ok := err.(*url.Error); ok { //nolint:errorlint // the client returns it unwrapped
		err = failed.Err
	}
	return &Fault{Kind: Unavailable, Cause: err}
}

// refusal classifies a status other than 200.
func refusal(response *http.Response, now time.Time) *Fault {
	f := &Fault{Kind: Unavailable, Status: response.StatusCode, RetryAfter: retryAfter(response.Header.Get("Retry-After"), now)}
	switch response.StatusCode {
	case http.StatusTooManyRequests:
		f.Kind = Limited
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired:
		f.Kind = Refused
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestURITooLong:
		f.Kind = Rejected
	}
	return f
}

// retryAfter is the pause of a header, in seconds or as a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestRest/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// line is the question in one line.
func line(q *place.Question) string {
	text := q.Street
	if house := q.House.String(); house != "" && text != "" {
		text += " " + house
	}
	town := q.PostalCode
	if q.City != "" {
		if town != "" {
			town += " "
		}
		town += q.City
	}
	if text != "" {
		text += ", "
	}
	return text + town
}

// set adds a parameter that has a value.
func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}
