package waybill

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is a response of the service that is not a success. Compare it with [ErrNotFound] and
// the like by errors.Is, or read its fields after errors.As.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Reason is for programs; it is empty when the response is not from Waybill. Handle an
	// unknown one by the status.
	Reason ErrorReason
	// Message is for people, in the language of the request.
	Message string
	// Code is the canonical code of google.rpc.
	Code int
	// Details name the fields to correct, and more.
	Details []StatusDetail
	// Metadata has the values of the message.
	Metadata map[string]string
	// Header and Body are those of the response, of which Body is at most the first 64 KiB.
	Header http.Header
	Body   []byte

	cause error
}

// Kinds of errors, for errors.Is.
var (
	// ErrInvalid is a request that must be corrected: 400, 413, 415 and 422.
	ErrInvalid = kindOf("invalid request", 400, 413, 415, 422)
	// ErrUnauthorized is a key that is missing, wrong, expired or revoked.
	ErrUnauthorized = kindOf("unauthorized", 401)
	// ErrForbidden is an operation that the key may not call.
	ErrForbidden = kindOf("forbidden", 403)
	// ErrNotFound is a record that does not exist, or belongs to another organization.
	ErrNotFound = kindOf("not found", 404)
	// ErrConflict is a record that does not allow this in its present state.
	ErrConflict = kindOf("conflict", 409)
	// ErrGone is a token of a feed that is older than the feed.
	ErrGone = kindOf("gone", 410)
	// ErrPreconditionFailed is a record that no longer has the ETag of [IfMatch].
	ErrPreconditionFailed = kindOf("precondition failed", 412)
	// ErrRateLimited is one request too many. The client has retried it.
	ErrRateLimited = kindOf("rate limited", 429)
	// ErrUnavailable is a fault of the service, or of a proxy before it. The client has retried it.
	ErrUnavailable = kindOf("unavailable", 500, 502, 503, 504)
	// ErrNotModified is a record that still has the ETag of [IfNoneMatch].
	ErrNotModified = kindOf("not modified", 304)
)

// kind is the error of some statuses.
type kind struct {
	name     string
	statuses []int
}

func kindOf(name string, statuses ...int) error { return &kind{name, statuses} }

func (k *kind) Error() string { return "waybill: " + k.name }

// Error says what the service said.
func (e *Error) Error() string {
	text := fmt.Sprintf("waybill: %d", e.Status)
	if e.Reason != "" {
		text += " " + string(e.Reason)
	}
	text += ": " + e.Message
	if id := e.RequestID(); id != "" {
		text += " (request " + id + ")"
	}
	return text
}

// Is reports whether an error is of a kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(*kind)
	if !ok {
		return false
	}
	for _, status := range k.statuses {
		if status == e.Status {
			return true
		}
	}
	return target == ErrUnavailable && e.Status >= http.StatusInternalServerError
}

// Unwrap returns why a successful response could not be read.
func (e *Error) Unwrap() error { return e.cause }

// RequestID identifies the request in the logs of the service. Quote it when you ask for help.
func (e *Error) RequestID() string { return e.Header.Get("X-Request-ID") }

// RetryAfter is how long the service asks you to wait, and false when it doesn't.
func (e *Error) RetryAfter() (time.Duration, bool) {
	text := e.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}
