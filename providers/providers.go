// Package providers calls the mail server and the SMS provider. A provider's
// rejection is a Fault with a name from domain/notification. The provider's own
// words go only to the log of the message, because they may contain personal
// data.
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
	// Passing means that the next attempt may succeed.
	Passing bool
	// Unanswered means that the provider may have accepted the message.
	Unanswered bool
	// Resting means that the provider was not called, because it fails or wants
	// a pause.
	Resting bool
	// RetryAfter is the pause that the provider requests, or 0.
	RetryAfter time.Duration
	// Code is the provider's own code, such as "550 5.1.1".
	Code string
	// Answer is the provider's answer. It may contain the receiver.
	Answer string
	// Cause is the cause of a missing response, such as a failed connection. It
	// is for operators: it may name servers and accounts.
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

// Or returns the secret of a variable, or fallback without a variable. A
// variable that is unset has none: falling back would send in another's name.
func (s Secrets) Or(variable, fallback string) string {
	if variable == "" {
		return fallback
	}
	return s(variable)
}
