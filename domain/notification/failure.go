package notification

import (
	"slices"
	"strings"
)

// Failure is why a message failed. It is kept in the log, and is the type of
// the error with which its workflow ends; it never names anybody.
type Failure string

// The failures.
const (
	// InvalidAddress is a receiver that is no address or number.
	InvalidAddress Failure = "InvalidAddress"
	// InvalidTemplate is a rule whose texts cannot be filled in.
	InvalidTemplate Failure = "InvalidTemplate"
	// NotConfigured is a channel without a provider or a sender.
	NotConfigured Failure = "NotConfigured"
	// CredentialsRefused is a provider that does not let us in.
	CredentialsRefused Failure = "CredentialsRefused"
	// Rejected is a provider's or receiver's final no.
	Rejected Failure = "Rejected"
	// ReceiverOptedOut is a receiver who wants no messages from the sender.
	ReceiverOptedOut Failure = "ReceiverOptedOut"
	// Suppressed is an address that bounced or complained before.
	Suppressed Failure = "Suppressed"
	// Expired is a message whose latest time to be sent has passed.
	Expired Failure = "Expired"
	// Uncertain is a message that may have arrived: nothing came back from two
	// attempts, or from one before its latest time.
	Uncertain Failure = "Uncertain"
	// Cancelled is a message whose workflow was cancelled before it was sent.
	Cancelled Failure = "Cancelled"
	// TooMany is a message beyond what an organization or a receiver may get on a day.
	TooMany Failure = "TooMany"
	// Unavailable is a provider that is out of reach or busy for now.
	Unavailable Failure = "Unavailable"
)

// Failures are all of them.
var Failures = []Failure{
	InvalidAddress, InvalidTemplate, NotConfigured, CredentialsRefused, Rejected, ReceiverOptedOut, Suppressed, Expired,
	Uncertain, Cancelled, TooMany, Unavailable,
}

// Known returns the failure, and Uncertain for one that is none of ours: how a
// message ended that could not even be worked on.
func (f Failure) Known() Failure {
	if f == "" || slices.Contains(Failures, f) {
		return f
	}
	return Uncertain
}

// JoinCode is how a failure and the provider's own word for it are kept.
func JoinCode(f Failure, said string) string { return strings.TrimSpace(string(f) + " " + said) }

// SplitCode returns what JoinCode made one of; of a report, there is only the
// provider's word.
func SplitCode(code string) (f Failure, said string) {
	first, rest, _ := strings.Cut(code, " ")
	if slices.Contains(Failures, Failure(first)) {
		return Failure(first), rest
	}
	return "", code
}

// Unanswered returns the failure of a message of which an attempt has no answer
// yet: when its time is up then, it may have arrived all the same.
func (f Failure) Unanswered() Failure {
	if f == Expired {
		return Uncertain
	}
	return f
}

// Meaning says a failure in plain words, without anything of the receiver.
func (f Failure) Meaning() string {
	switch f {
	case InvalidAddress:
		return "the receiver has no usable address"
	case InvalidTemplate:
		return "the rule's texts cannot be filled in"
	case NotConfigured:
		return "no provider or sender is configured for this channel"
	case CredentialsRefused:
		return "the provider refused our credentials"
	case Rejected:
		return "the provider or the receiver's server refused it for good"
	case ReceiverOptedOut:
		return "the receiver has opted out"
	case Suppressed:
		return "the address is on the suppression list"
	case Expired:
		return "it could not be sent before its latest time"
	case Uncertain:
		return "nothing came back from the provider, so it may have arrived"
	case Cancelled:
		return "it was cancelled; if it was being sent just then, it may have arrived"
	case TooMany:
		return "as many messages as may be were made that day, by the organization or for this receiver"
	case Unavailable:
		return "the provider is out of reach or busy"
	}
	return "it failed"
}
