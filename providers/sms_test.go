package providers_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/testing/stack"
)

func TestSMS(t *testing.T) {
	t.Parallel()
	counterpart, err := stack.NewSMS(stack.SMSOptions{Answer: func(to string) stack.SMSAnswer {
		return map[string]stack.SMSAnswer{
			"+4740000001": {Status: http.StatusBadRequest, Code: 21211},
			"+4740000002": {Status: http.StatusBadRequest, Code: 21610},
			"+4740000003": {Status: http.StatusTooManyRequests, Code: 20429},
			"+4740000004": {Status: http.StatusServiceUnavailable},
			"+4740000005": {Hangup: true},
			"+4740000006": {Status: http.StatusBadRequest, Code: 30006},
		}[to]
	}})
	require.NoError(t, err)
	require.NoError(t, counterpart.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, counterpart.Stop()) })
	sms, err := providers.NewSMS(counterpart.URL())
	require.NoError(t, err)
	account := providers.SMSAccount{ID: stack.SMSAccount, Token: stack.SMSToken}

	id, err := sms.Send(t.Context(), account, providers.Text{From: "Nordfrakt", To: "+4740000000", Body: "Hei på deg"})
	require.NoError(t, err)
	require.Equal(t, id, counterpart.Messages()[0].SID)
	require.Equal(t, "Hei på deg", counterpart.Messages()[0].Body)
	require.WithinDuration(t, time.Now(), counterpart.Messages()[0].At, time.Minute)

	for to, want := range map[string]providers.Fault{
		"+4740000001": {Failure: notification.InvalidAddress, Code: "400 21211"},
		"+4740000002": {Failure: notification.ReceiverOptedOut, Code: "400 21610"},
		"+4740000003": {Failure: notification.Unavailable, Passing: true, Code: "429 20429"},
		"+4740000004": {Failure: notification.Unavailable, Passing: true, Code: "503"},
		"+4740000005": {Failure: notification.Unavailable, Passing: true, Unanswered: true},
		"+4740000006": {Failure: notification.RejectedReceiver, Code: "400 30006"},
	} {
		_, err := sms.Send(t.Context(), account, providers.Text{From: "Nordfrakt", To: to, Body: "Hei"})
		require.Error(t, err, to)
		require.NotContains(t, err.Error(), to, "an error names nobody")
		got := *providers.FaultOf(err)
		got.Answer, got.Cause = "", nil
		require.Equal(t, want, got, to)
	}

	_, err = sms.Send(t.Context(), providers.SMSAccount{ID: "AC1", Token: "x"}, providers.Text{To: "+4740000000"})
	require.Equal(t, notification.CredentialsRefused, providers.FaultOf(err).Failure)
	_, err = sms.Send(t.Context(), providers.SMSAccount{}, providers.Text{To: "+4740000000"})
	require.Equal(t, notification.NotConfigured, providers.FaultOf(err).Failure)
	nobody, err := providers.NewSMS("http://127.0.0.1:1")
	require.NoError(t, err)
	_, err = nobody.Send(t.Context(), account, providers.Text{To: "+4740000000"})
	require.True(t, providers.FaultOf(err).Passing)
	require.False(t, providers.FaultOf(err).Unanswered, "nothing was said")
}
