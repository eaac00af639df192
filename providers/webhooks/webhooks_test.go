package webhooks_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/webhook"
	"waybill/providers/webhooks"
)

func message(url string) webhooks.Message {
	return webhooks.Message{
		URL: url, ID: "evt_1_1", At: time.Now(), Body: []byte(`{}`), Secrets: []string{webhooks.NewSecret()},
	}
}

// The vector is that of the specification of Standard Webhooks.
func TestMessagesAreSignedAsStandardWebhooksSays(t *testing.T) {
	t.Parallel()
	m := webhooks.Message{
		ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", At: time.Unix(1614265330, 0), Body: []byte(`{"test": 2432232314}`),
		Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
	}
	signatures, err := webhooks.Sign(m)
	require.NoError(t, err)
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", signatures)
	m.Secrets = append([]string{webhooks.NewSecret()}, m.Secrets...)
	both, err := webhooks.Sign(m)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(both, " "+signatures), both)
}

func TestPrivateAddressesAreNotSentTo(t *testing.T) {
	t.Parallel()
	asked := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "https://"))
	require.NoError(t, err)
	c := webhooks.New(false)
	for _, url := range []string{
		server.URL, "https://localhost:" + port, "https://[::1]:" + port, "https://[::ffff:127.0.0.1]:" + port,
		"https://127.1:" + port, "http://example.com",
	} {
		answer := c.Send(t.Context(), message(url))
		require.Contains(t, []webhook.Fault{webhook.FaultAddress, webhook.FaultDNS}, answer.Fault, url)
	}
	require.Equal(t, webhook.FaultAddress, c.Send(t.Context(), message("https://localhost:"+port)).Fault,
		"it is the address of the connection that counts, not the name")
	require.False(t, asked)
}

func TestAddressesAreUsableOrNot(t *testing.T) {
	t.Parallel()
	for url, want := range map[string][2]bool{ // on the open internet only, and anywhere
		"https://erp.example.com/hook?a=b":  {true, true},
		"http://erp.example.com/hook":       {false, true},
		"https://10.0.0.1/hook":             {false, true},
		"https://u:p@erp.example.com/hook":  {false, false},
		"https://erp.example.com/hook#part": {false, false},
		"https:erp.example.com":             {false, false},
		"ftp://erp.example.com":             {false, false},
		"/hook":                             {false, false},
		"":                                  {false, false},
	} {
		require.Equal(t, want, [2]bool{webhooks.New(false).Usable(url), webhooks.New(true).Usable(url)}, url)
	}
}

func TestFaultsAreDistinguished(t *testing.T) {
	t.Parallel()
	var elsewhere bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere = true }))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/abort":
			panic(http.ErrAbortHandler)
		case "/long":
			_, _ = w.Write([]byte(strings.Repeat("a", 1023) + "æ" + strings.Repeat("b", 1<<20)))
		}
	}))
	t.Cleanup(server.Close)
	tls := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(tls.Close)
	c := webhooks.New(true)
	for url, want := range map[string]webhook.Fault{
		server.URL + "/redirect": webhook.FaultStatus, server.URL + "/abort": webhook.FaultConnection,
		tls.URL: webhook.FaultTLS, "https://nowhere.invalid": webhook.FaultDNS, server.URL: "",
		strings.Replace(server.URL, "http:", "https:", 1): webhook.FaultTLS,
	} {
		require.Equal(t, want, c.Send(t.Context(), message(url)).Fault, url)
	}
	require.False(t, elsewhere, "no redirect is followed")
	require.Equal(t, strings.Repeat("a", 1023), c.Send(t.Context(), message(server.URL+"/long")).Body, "the first KiB")
}

func TestRequestedPauseIsRead(t *testing.T) {
	t.Parallel()
	inAMinute := time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)
	for asked, want := range map[string][2]time.Duration{ // at least, and at most
		"": {}, "soon": {}, "-5": {}, "Mon, 02 Mar 2026 08:00:00 GMT": {}, "30": {30 * time.Second, 30 * time.Second},
		inAMinute: {50 * time.Second, time.Minute}, "99999999999": {time.Hour, 30 * 24 * time.Hour},
	} {
		for status, sign := range map[int]time.Duration{http.StatusTooManyRequests: 1, http.StatusNoContent: 0} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", asked)
				w.WriteHeader(status)
			}))
			t.Cleanup(server.Close)
			wait := webhooks.New(true).Send(t.Context(), message(server.URL)).Wait
			require.GreaterOrEqual(t, wait, sign*want[0], "%q of a %d", asked, status)
			require.LessOrEqual(t, wait, sign*want[1], "%q of a %d", asked, status)
		}
	}
}
