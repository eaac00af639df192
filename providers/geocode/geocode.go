// Package geocode asks a geocoding provider where addresses are. Three kinds of servers are known:
// Photon, Nominatim and Pelias. Only the address is sent, as package place reads it.
package geocode

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"waybill/domain/place"
	"waybill/internal/rest"
)

// provider is a kind of server.
type provider interface {
	// find asks once. Its error is a *Fault or that of the context.
	find(ctx context.Context, q *place.Question) ([]place.Reply, error)
}

// Settings are how a provider is asked.
type Settings struct {
	// URL is photon+https://…, nominatim+https://… or pelias+https://….
	URL string
	// Key is the API key of Pelias, empty without one.
	Key string
	// Contact is how the provider reaches the operator: an address for email or a URL.
	Contact string
	// PerSecond is how many addresses are asked per second, 0 for the default of the kind.
	PerSecond float64
	// Pause is how long a provider is left alone after several failures, 0 for the default.
	Pause time.Duration
}

// Client asks one provider. Its rate and its pauses count for the process.
type Client struct {
	name, attribution string
	provider          provider
	limit             *rate.Limiter
	breaker           *rest.Breaker
	pause             time.Duration
}

// Name is the kind of the provider, as positions name it.
func (c *Client) Name() string { return c.name }

// Attribution is the text to show where the answers are shown.
func (c *Client) Attribution() string { return c.attribution }

// Resting returns how long the provider is still left alone, 0 if it may be asked.
func (c *Client) Resting() time.Duration { return c.breaker.Left() }

// Ask returns the replies of the provider. It waits for its turn. It returns a *Fault, or the
// error of the context.
func (c *Client) Ask(ctx context.Context, q *place.Question) ([]place.Reply, error) {
	if wait := c.breaker.Left(); wait > 0 {
		return nil, &Fault{Kind: Resting, RetryAfter: wait}
	}
	if err := c.limit.Wait(ctx); err != nil {
		return nil, fmt.Errorf("wait for the geocoder's turn: %w", err)
	}
	replies, err := c.provider.find(ctx, q)
	c.heed(ctx, err)
	return replies, err
}

// Check asks for a well-known town, to see whether the provider answers.
func (c *Client) Check(ctx context.Context) error {
	q, _ := place.NewQuestion(place.Address{Address1: "Karl Johans gate 1", PostalCode: "0154", City: "Oslo", Country: "NO"})
	_, err := c.provider.find(ctx, &q)
	return err
}

// FaultKind is why there is no answer.
type FaultKind string

// The kinds.
const (
	// Unavailable is a server that cannot be reached, does not answer in time, or fails.
	Unavailable FaultKind = "unavailable"
	// Limited is a server that wants fewer requests.
	Limited FaultKind = "rate_limited"
	// Refused is a server that refuses the program, such as for its key.
	Refused FaultKind = "refused"
	// Unreadable is an answer that is none of the provider's format.
	Unreadable FaultKind = "unreadable"
	// Rejected is a server that refuses this one address. Asking again would not help.
	Rejected FaultKind = "rejected"
	// Resting is a provider that was not asked, because it failed before.
	Resting FaultKind = "resting"
)

// Fault is why there is no answer. It names neither the address nor the server.
type Fault struct {
	Kind FaultKind
	// Status is the HTTP status, or 0.
	Status int
	// RetryAfter is the pause that the server requests, or 0.
	RetryAfter time.Duration
	Cause      error
}

// Error describes the fault.
func (f *Fault) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("geocoder: %s (%d)", f.Kind, f.Status)
	}
	return fmt.Sprintf("geocoder: %s", f.Kind)
}

// Unwrap returns the cause, if any.
func (f *Fault) Unwrap() error { return f.Cause }

// FaultOf returns the fault of an error, nil for another error.
func FaultOf(err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return nil
}

// How a provider that fails is spared.
const (
	usualPause  = 30 * time.Second
	longestRest = 15 * time.Minute // the longest pause that a server may request
)

// heed records the result of a request. A canceled call and a rejected address do not count.
func (c *Client) heed(ctx context.Context, err error) {
	fault := FaultOf(err)
	switch {
	case err == nil, fault != nil && fault.Kind == Rejected:
		c.breaker.Succeeded()
	case ctx.Err() != nil:
	case fault == nil:
		c.breaker.Failed(0)
	default:
		wait := min(fault.RetryAfter, longestRest)
		if fault.Kind == Limited {
			wait = max(wait, c.pause)
		}
		c.breaker.Failed(wait)
	}
}
