package notification

import "slices"

// Channel is the way that a message takes.
type Channel string

// The channels.
const (
	Email Channel = "EMAIL"
	SMS   Channel = "SMS"
)

// Channels are all of them.
var Channels = []Channel{Email, SMS}

// Status is the status of a message (spec.md, "States and transitions").
type Status string

// The statuses, spelled as the contract does.
const (
	Queued    Status = "queued"
	Dequeued  Status = "job_dequeued"
	Sent      Status = "sent"
	Failed    Status = "failed"
	Delivered Status = "delivered"
	Bounced   Status = "bounced"
	Spam      Status = "spam"
)

// Statuses are all of them.
var Statuses = []Status{Queued, Dequeued, Sent, Failed, Delivered, Bounced, Spam}

// Outcome is something that may move a message's status.
type Outcome string

// The outcomes. Those of providers arrive as reports; Noted is a report that
// changes nothing, such as a delay.
const (
	PickedUp          Outcome = "picked_up"
	HandedOver        Outcome = "handed_over"
	SendingFailed     Outcome = "sending_failed"
	ReportedDelivered Outcome = "delivered"
	ReportedBounced   Outcome = "bounced"
	ReportedSpam      Outcome = "spam"
	Noted             Outcome = "noted"
)

// move is one line of the contract's tables.
type move struct {
	channel Channel
	from    Status
	by      Outcome
}

// moves are the contract's two tables. Other combinations change nothing.
var moves = map[move]Status{
	{Email, Queued, HandedOver}:      Sent,
	{Email, Queued, SendingFailed}:   Failed,
	{Email, Sent, ReportedDelivered}: Delivered,
	{Email, Sent, ReportedBounced}:   Bounced,
	{Email, Sent, ReportedSpam}:      Spam,

	{SMS, Queued, PickedUp}:        Dequeued,
	{SMS, Queued, HandedOver}:      Sent,
	{SMS, Queued, SendingFailed}:   Failed,
	{SMS, Dequeued, HandedOver}:    Sent,
	{SMS, Dequeued, SendingFailed}: Failed,
	{SMS, Sent, ReportedDelivered}: Delivered,
}

// Statuses returns the statuses of messages of the channel, in their usual sequence.
func (c Channel) Statuses() []Status {
	return slices.DeleteFunc(slices.Clone(Statuses), func(s Status) bool {
		for m, to := range moves {
			if m.channel == c && (m.from == s || to == s) {
				return false
			}
		}
		return true
	})
}

// Undelivered returns the statuses of messages of the channel that did not arrive.
func (c Channel) Undelivered() []Status {
	return slices.DeleteFunc(c.Statuses(), func(s Status) bool { return s != Failed && s != Bounced && s != Spam })
}

// Next is the only transition function of statuses. moved is false if the
// outcome changes nothing, because it is late, repeated, out of sequence or
// meaningless for the channel.
func Next(channel Channel, from Status, by Outcome) (to Status, moved bool) {
	to, moved = moves[move{channel, from, by}]
	if !moved {
		return from, false
	}
	return to, true
}

// Before are the statuses from which an outcome leads to another one.
func Before(channel Channel, by Outcome) []Status {
	var before []Status
	for _, from := range Statuses {
		if _, moved := Next(channel, from, by); moved {
			before = append(before, from)
		}
	}
	return before
}

// Waiting reports whether the message has not been sent yet.
func (s Status) Waiting() bool { return s == Queued || s == Dequeued }

// Final reports whether the status can't change any more.
func (s Status) Final() bool { return !s.Waiting() && s != Sent }

// Retryable reports whether a person may have the message sent again: it
// did not reach its receiver, and never will.
func (s Status) Retryable() bool { return s == Failed || s == Bounced }
