// Package providers is the world outside: the mail server and the sender of
// text messages. A provider's no is a Fault with a name from
// domain/notification; its own words are for the log of the message alone,
// because they may name a person.
package providers

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"waybill/domain/notification"
)

// Fault is why a message was not taken.
type Fault struct {
	Failure notification.Failure
	// Passing is a fault that may be gone at the next attempt.
	Passing bool
	// Unanswered is a fault after which the message may have been taken.
	Unanswered bool
	// Resting reports that the provider was not called, because it fails or wants a
	// pause.
	Resting bool
	// RetryAfter is the pause that the provider asks for; 0 for none.
	RetryAfter time.Duration
	// Code is the provider's own, such as "550 5.1.1".
	Code string
	// Answer is the provider's answer. It may contain the receiver.
	Answer string
	// Cause is what kept us from an answer, such as a connection that did not come
	// about. It is for operators: it may name servers and accounts.
	Cause error
}

// Error describes the fault without personal data.
func (f *Fault) Error() string {
	if reason := reasonOf(f.Cause); f.Code == "" && reason != "" {
		return f.Failure.Said(reason)
	}
	return f.Failure.Said(f.Code)
}

// reasonOf describes why there was no answer, without servers and accounts.
func reasonOf(cause error) string {
	var system syscall.Errno
	var name *net.DNSError
	var network net.Error
	switch {
	case errors.As(cause, &system):
		return system.Error()
	case errors.As(cause, &name):
		return "its host name was not found"
	case errors.As(cause, &network) && network.Timeout(), errors.Is(cause, context.DeadlineExceeded):
		return "no answer in time"
	}
	return ""
}

// FaultOf returns the fault in err's chain. Any other error is a provider that
// is out of reach.
func FaultOf(err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &Fault{Failure: notification.Unavailable, Passing: true, Cause: err}
}

// Secrets returns the value of a variable that an organization's document
// names.
type Secrets func(variable string) string

// EnvironmentSecrets are those of the process's environment.
func EnvironmentSecrets(variable string) string { return os.Getenv(variable) }

// Or returns the secret of a variable, or fallback where none is named. A
// variable that is named and not set has none: falling back would send in
// another's name.
func (s Secrets) Or(variable, fallback string) string {
	if variable == "" {
		return fallback
	}
	return s(variable)
}
