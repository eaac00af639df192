package caller_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
)

func TestActor(t *testing.T) {
	t.Parallel()
	require.Equal(t, "system", caller.Service(1, "export/1/2").Actor())
	require.Equal(t, "key:3", caller.Caller{Kind: caller.Key, ID: 3}.Actor())
	require.Equal(t, "user:12", caller.Caller{Kind: caller.Person, ID: 12}.Actor())
	require.Equal(t, "device:7", caller.Caller{Kind: caller.Device, ID: 7}.Actor())
	require.Equal(t, "carrier:postnord", caller.Caller{Kind: caller.Carrier, Name: "postnord"}.Actor())
	require.Equal(t, "provider:twilio", caller.Caller{Kind: caller.Provider, Name: "twilio"}.Actor())
	require.Equal(t, "recipient", caller.Caller{Kind: caller.Recipient}.Actor())
}
