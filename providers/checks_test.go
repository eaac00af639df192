package providers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/testing/stack"
)

func TestAMailServerIsCheckedWithoutAMessage(t *testing.T) {
	t.Parallel()
	server, mail := startSecureMailServer(t, false)
	require.NoError(t, mail.Check(t.Context(), server.address))
	wrong := mail.Check(t.Context(), strings.Replace(server.address, ":right@", ":wrong@", 1))
	require.Error(t, wrong)
	require.Equal(t, notification.CredentialsRefused, providers.FaultOf(wrong).Failure)
	require.Empty(t, server.texts)
}

func TestAnSMSAccountIsCheckedWithoutAMessage(t *testing.T) {
	t.Parallel()
	counterpart, err := stack.NewSMS(stack.SMSOptions{})
	require.NoError(t, err)
	require.NoError(t, counterpart.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, counterpart.Stop()) })
	sms, err := providers.NewSMS(counterpart.URL())
	require.NoError(t, err)
	require.NoError(t, sms.Check(t.Context(), providers.SMSAccount{ID: stack.SMSAccount, Token: stack.SMSToken}))
	wrong := sms.Check(t.Context(), providers.SMSAccount{ID: stack.SMSAccount, Token: "wrong"})
	require.Error(t, wrong)
	require.Equal(t, notification.CredentialsRefused, providers.FaultOf(wrong).Failure, "%v", wrong)
	odd := sms.Check(t.Context(), providers.SMSAccount{ID: stack.SMSAccount, Token: "no-token"})
	require.Error(t, odd)
	require.Equal(t, notification.NotConfigured, providers.FaultOf(odd).Failure, "%v", odd)
	require.Empty(t, counterpart.Messages())
}
