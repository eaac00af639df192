package notification_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
)

func TestReplyIsClassifiedByCause(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]notification.Failure{
		"550 5.1.1":  notification.RejectedReceiver,
		"550 5.1.10": notification.RejectedReceiver,
		"550 5.2.1":  notification.RejectedReceiver,
		"552 5.2.2":  notification.RejectedReceiver,
		"550 5.7.1":  notification.RejectedSender,
		"550 5.7.26": notification.RejectedSender,
		"553 5.1.8":  notification.RejectedSender,
		"550 5.7.28": notification.RateLimited,
		"552 5.3.4":  notification.RejectedContent,
		"554 5.6.0":  notification.RejectedContent,
		"554 5.0.0":  notification.Rejected,
		"550":        notification.Rejected,
		"":           notification.Rejected,
	} {
		require.Equal(t, want, notification.JudgeMailReply(code), code)
	}
	for _, code := range []string{"550 5.1.1", "550 5.1.2", "556 5.1.10", "550 5.2.1"} {
		require.True(t, notification.DeadMailbox(code), code)
	}
	for _, code := range []string{"450 4.1.1", "552 5.2.2", "550 5.7.1", "550", ""} {
		require.False(t, notification.DeadMailbox(code), code)
	}
}

func TestEveryFailureHasItsMeaningAndRemedy(t *testing.T) {
	t.Parallel()
	for _, f := range notification.Failures {
		require.NotEqual(t, "the message failed", f.Meaning(), f)
		require.NotEmpty(t, f.Remedy("nordfrakt", 191), f)
	}
	require.Equal(t, "the address is on the suppression list (x)", notification.Suppressed.Said("x"))
	require.Contains(t, notification.RejectedSender.Remedy("nordfrakt", 191),
		"`waybill notifications retry --org nordfrakt --failed --since 24h --reason RejectedSender`")
	require.Contains(t, notification.RejectedReceiver.Remedy("nordfrakt", 191),
		"`waybill notifications retry --org nordfrakt --id 191`")
	require.NotContains(t, notification.Superseded.Remedy("nordfrakt", 191), "retry")
}
