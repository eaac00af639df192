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
	// Rejected is a final no whose code does not say whose fault it is.
	Rejected Failure = "Rejected"
	// RejectedReceiver is a final no to the receiver: there is no such mailbox or
	// number, or it takes nothing.
	RejectedReceiver Failure = "RejectedReceiver"
	// RejectedSender is a final no to us: the sender, its domain or its server is
	// blocked or not trusted.
	RejectedSender Failure = "RejectedSender"
	// RejectedContent is a final no to what the message says, or to its size.
	RejectedContent Failure = "RejectedContent"
	// RateLimited is a no because we send too much at a time.
	RateLimited Failure = "RateLimited"
	// ReceiverOptedOut is a receiver who wants no messages from the sender.
	ReceiverOptedOut Failure = "ReceiverOptedOut"
	// Suppressed is an address that bounced or complained before.
	Suppressed Failure = "Suppressed"
	// Expired is a message whose latest time to be sent has passed.
	Expired Failure = "Expired"
	// Uncertain is a message that may have arrived: nothing came back from two
	// attempts, or from one before its latest time. It counts as sent, with a flag.
	Uncertain Failure = "Uncertain"
	// Superseded is a message that no longer holds: the order is cancelled, the stop is
	// over, the receiver is gone, or its time has passed. Nobody needs to act on it.
	Superseded Failure = "Superseded"
	// Cancelled is a message whose workflow was cancelled before it was sent.
	Cancelled Failure = "Cancelled"
	// TooMany is a message beyond what an organization or a receiver may get on a day.
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
	if f == Expired || f == Superseded {
		return Uncertain
	}
	return f
}

// meanings say the failures in plain words.
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

// Meaning says a failure in plain words, without anything of the receiver.
func (f Failure) Meaning() string {
	if said, is := meanings[f]; is {
		return said
	}
	return "the message failed"
}

// Said is the meaning of a failure with the provider's own code for it, if there is one.
func (f Failure) Said(code string) string {
	if code == "" {
		return f.Meaning()
	}
	return f.Meaning() + " (" + code + ")"
}
