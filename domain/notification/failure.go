package notification

import (
	"slices"
	"strings"
)

// Failure is why a message failed. It is stored in the log and is the error
// type with which its workflow ends; it never contains personal data.
type Failure string

// The failures.
const (
	// InvalidAddress is an invalid address or number.
	InvalidAddress Failure = "InvalidAddress"
	// InvalidTemplate is a rule whose texts cannot be filled in.
	InvalidTemplate Failure = "InvalidTemplate"
	// NotConfigured is a channel without a provider or a sender.
	NotConfigured Failure = "NotConfigured"
	// CredentialsRefused is a provider that does not let us in.
	CredentialsRefused Failure = "CredentialsRefused"
	// Rejected is a permanent rejection whose code does not give the cause.
	Rejected Failure = "Rejected"
	// RejectedReceiver is a permanent rejection of the receiver: the mailbox or
	// number does not exist, or accepts nothing.
	RejectedReceiver Failure = "RejectedReceiver"
	// RejectedSender is a final no to us: the sender, its domain or its server is
	// blocked or not trusted.
	RejectedSender Failure = "RejectedSender"
	// RejectedContent is a permanent rejection of the message's content or
	// size.
	RejectedContent Failure = "RejectedContent"
	// RateLimited is a rejection because too much is sent at a time.
	RateLimited Failure = "RateLimited"
	// ReceiverOptedOut means that the receiver wants no messages from the
	// sender.
	ReceiverOptedOut Failure = "ReceiverOptedOut"
	// Suppressed is an address that bounced or complained before.
	Suppressed Failure = "Suppressed"
	// Expired is a message whose latest time to be sent has passed.
	Expired Failure = "Expired"
	// Uncertain means that the message may have arrived: two attempts had no
	// answer, or one before its latest time. It counts as sent, with a flag.
	Uncertain Failure = "Uncertain"
	// Superseded is a message that no longer applies: the order is cancelled, the stop
	// is over, the receiver is gone or wants none, or its time has passed. Nobody needs to act on it.
	Superseded Failure = "Superseded"
	// Cancelled is a message whose workflow was cancelled before it was sent.
	Cancelled Failure = "Cancelled"
	// TooMany is a message beyond the daily quota of an organization or a receiver.
	TooMany Failure = "TooMany"
	// Unavailable is a provider that is out of reach or busy for now.
	Unavailable Failure = "Unavailable"
)

// Failures are all of them.
var Failures = []Failure{
	InvalidAddress, InvalidTemplate, NotConfigured, CredentialsRefused, Rejected, RejectedReceiver, RejectedSender,
	RejectedContent, RateLimited, ReceiverOptedOut, Suppressed, Expired, Uncertain, Superseded, Cancelled, TooMany,
	Unavailable,
}

// Known returns the failure, or Uncertain for an unknown one, from a message
// that could not be processed.
func (f Failure) Known() Failure {
	if f == "" || slices.Contains(Failures, f) {
		return f
	}
	return Uncertain
}

// JoinCode is how a failure and the provider's own word for it are kept.
func JoinCode(f Failure, said string) string { return strings.TrimSpace(string(f) + " " + said) }

// SplitCode reverses JoinCode; a report has only the provider's code.
func SplitCode(code string) (f Failure, said string) {
	first, rest, _ := strings.Cut(code, " ")
	if slices.Contains(Failures, Failure(first)) {
		return Failure(first), rest
	}
	return "", code
}

// Unanswered returns the failure of a message with an unanswered attempt: if
// its time runs out then, it may still have arrived.
func (f Failure) Unanswered() Failure {
	if f == Expired || f == Superseded {
		return Uncertain
	}
	return f
}

// meanings explains the failures.
var meanings = map[Failure]string{
	InvalidAddress:     "the recipient has no valid address",
	InvalidTemplate:    "the rule's template cannot be rendered",
	NotConfigured:      "no provider or sender is configured for this channel",
	CredentialsRefused: "the provider refused the credentials",
	Rejected:           "the provider or the recipient's server permanently refused the message",
	RejectedReceiver:   "the recipient's mailbox or number does not exist or accepts no messages",
	RejectedSender:     "the recipient's server or the provider refused the sender",
	RejectedContent:    "the recipient's server or the provider refused the content or size of the message",
	RateLimited:        "the provider or the recipient's server limited the sending rate",
	ReceiverOptedOut:   "the recipient has opted out",
	Suppressed:         "the address is on the suppression list",
	Expired:            "the message could not be sent before its deadline",
	Uncertain:          "the provider did not answer, so the message may have arrived",
	Superseded:         "the message was out of date and not sent",
	Cancelled:          "the message was cancelled; it may have arrived if it was being sent at that moment",
	TooMany:            "the organization or this recipient reached the daily limit of messages",
	Unavailable:        "the provider is unavailable or busy",
}

// Meaning explains a failure, without anything about the receiver.
func (f Failure) Meaning() string {
	if said, is := meanings[f]; is {
		return said
	}
	return "the message failed"
}

// Said returns the meaning of a failure with the provider's own code, if any.
func (f Failure) Said(code string) string {
	if code == "" {
		return f.Meaning()
	}
	return f.Meaning() + " (" + code + ")"
}
