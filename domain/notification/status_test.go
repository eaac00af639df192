package notification_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/notification"
)

const (
	email = notification.Email
	sms   = notification.SMS
)

var outcomes = []notification.Outcome{
	notification.PickedUp, notification.HandedOver, notification.SendingFailed, notification.ReportedDelivered,
	notification.ReportedBounced, notification.ReportedSpam, notification.Noted,
}

// TestTransitionsMatchTheContract repeats the contract's two tables line by line, and
// checks that no other combination changes a status.
func TestTransitionsMatchTheContract(t *testing.T) {
	t.Parallel()
	type line struct {
		channel notification.Channel
		from    notification.Status
		by      notification.Outcome
	}
	table := map[line]notification.Status{
		{email, "queued", notification.SendingFailed}:     "failed",
		{email, "queued", notification.HandedOver}:        "sent",
		{email, "sent", notification.ReportedDelivered}:   "delivered",
		{email, "sent", notification.ReportedBounced}:     "bounced",
		{email, "sent", notification.ReportedSpam}:        "spam",
		{sms, "queued", notification.PickedUp}:            "job_dequeued",
		{sms, "queued", notification.HandedOver}:          "sent",
		{sms, "queued", notification.SendingFailed}:       "failed",
		{sms, "job_dequeued", notification.HandedOver}:    "sent",
		{sms, "job_dequeued", notification.SendingFailed}: "failed",
		{sms, "sent", notification.ReportedDelivered}:     "delivered",
	}
	for _, channel := range []notification.Channel{email, sms} {
		for _, from := range notification.Statuses {
			for _, by := range outcomes {
				want, moves := table[line{channel, from, by}]
				if !moves {
					want = from
				}
				to, moved := notification.Next(channel, from, by)
				require.Equal(t, moves, moved, "%s %s %s", channel, from, by)
				require.Equal(t, want, to, "%s %s %s", channel, from, by)
			}
		}
	}
}

// rank is the progress of a message; it never decreases.
var rank = map[notification.Status]int{
	"queued": 0, "job_dequeued": 1, "sent": 2, "failed": 3, "delivered": 3, "bounced": 3, "spam": 3,
}

func TestAChannelKnowsItsStatuses(t *testing.T) {
	t.Parallel()
	for channel, known := range map[notification.Channel][]notification.Status{
		notification.Email: {"queued", "sent", "failed", "delivered", "bounced", "spam"},
		notification.SMS:   {"queued", "job_dequeued", "sent", "failed", "delivered"},
	} {
		require.Equal(t, known, channel.Statuses())
	}
}

func TestStatusesNeverGoBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		channel := rapid.SampledFrom([]notification.Channel{email, sms}).Draw(t, "channel")
		status := notification.Queued
		for _, by := range rapid.SliceOf(rapid.SampledFrom(outcomes)).Draw(t, "outcomes") {
			to, moved := notification.Next(channel, status, by)
			if moved && (rank[to] <= rank[status] || status.Final()) {
				t.Fatalf("%s: %s moves %s to %s", channel, by, status, to)
			}
			if again, twice := notification.Next(channel, to, by); twice && by != notification.Noted {
				t.Fatalf("%s: %s counts twice and gives %s", channel, by, again)
			}
			status = to
		}
	})
}

func TestKeysAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := notification.Key{
			EventID: rapid.Int64Min(0).Draw(t, "event"), RuleID: rapid.Int64Min(0).Draw(t, "rule"),
			Receiver: rapid.Int32Min(0).Draw(t, "receiver"),
		}
		read, err := notification.ParseKey(key.String())
		if err != nil || read != key {
			t.Fatalf("%s: %v %v", key, read, err)
		}
	})
	for _, bad := range []string{"", "1", "1-2", "1-2-3-4", "a-b-c", " 1-2-3", "1-2-3 "} {
		_, err := notification.ParseKey(bad)
		require.Error(t, err, bad)
	}
}

func TestFailureIsStoredWithProviderCode(t *testing.T) {
	t.Parallel()
	for _, failure := range notification.Failures {
		for _, said := range []string{"", "550 5.1.1"} {
			found, rest := notification.SplitCode(notification.JoinCode(failure, said))
			require.Equal(t, failure, found)
			require.Equal(t, said, rest)
		}
		require.Equal(t, failure, failure.Known())
	}
	failure, said := notification.SplitCode("bounce Bounced")
	require.Empty(t, failure, "a report has no failure of ours")
	require.Equal(t, "bounce Bounced", said)
	require.Equal(t, notification.Uncertain, notification.Failure("TimeoutError").Known())
	require.Empty(t, notification.Failure("").Known())
}
