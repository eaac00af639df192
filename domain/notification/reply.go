package notification

import (
	"regexp"
	"slices"
	"strings"
)

// mailCode is a server's reply: the code, and the enhanced code of RFC 3463 where it
// sends one.
var mailCode = regexp.MustCompile(`^([45])\d\d(?: [245]\.(\d{1,3}\.\d{1,3}))?$`)

// The details of enhanced codes (RFC 3463 and the registry of RFC 5248), by whose fault
// they are. Every other code of class 7 is about the sender, and of class 6 about the content.
var (
	deadMailbox   = []string{"1.1", "1.2", "1.10", "2.1"}
	faultReceiver = append([]string{"1.3", "1.6", "2.2", "2.4", "7.13", "7.17", "7.18"}, deadMailbox...)
	faultSender   = []string{"1.7", "1.8"}
	faultContent  = []string{"2.3", "3.4"}
	faultRate     = []string{"7.28"}
)

// DeadEnds are the failures of messages that fail again until the receiver's
// address changes.
var DeadEnds = []Failure{InvalidAddress, RejectedReceiver, ReceiverOptedOut, Suppressed}

// JudgeMailReply classifies a mail server's final rejection by its code, such
// as "550 5.1.1". A code without details is Rejected.
func JudgeMailReply(code string) Failure {
	detail := mailDetail(code)
	switch {
	case slices.Contains(faultReceiver, detail):
		return RejectedReceiver
	case slices.Contains(faultRate, detail):
		return RateLimited
	case slices.Contains(faultContent, detail), strings.HasPrefix(detail, "6."):
		return RejectedContent
	case slices.Contains(faultSender, detail), strings.HasPrefix(detail, "7."):
		return RejectedSender
	}
	return Rejected
}

// DeadMailbox reports whether a mail server's code means that the mailbox does not
// exist or is closed.
func DeadMailbox(code string) bool {
	return strings.HasPrefix(code, "5") && slices.Contains(deadMailbox, mailDetail(code))
}

func mailDetail(code string) string {
	if parts := mailCode.FindStringSubmatch(code); parts != nil {
		return parts[2]
	}
	return ""
}
