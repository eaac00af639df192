package identity_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/providers/identity"
)

func TestPrivateNetworksAreRefused(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	open := identity.New(false, time.Now)
	for _, issuer := range []string{
		server.URL, "http://example.com", "https://user@example.com", "https://example.com?x=1", "ftp://example.com", "https://",
	} {
		require.False(t, open.CheckIssuer(issuer), issuer)
	}
	require.True(t, open.CheckIssuer("https://accounts.example.com/tenant"))
	_, err := open.Address(t.Context(), identity.Provider{Issuer: server.URL}, identity.Asked{})
	require.ErrorContains(t, err, "not on the public internet")
	require.Zero(t, asked)

	private := identity.New(true, time.Now)
	require.True(t, private.CheckIssuer(server.URL))
	_, err = private.Address(t.Context(), identity.Provider{Issuer: server.URL}, identity.Asked{})
	require.Error(t, err)
	require.Equal(t, 1, asked)
}
