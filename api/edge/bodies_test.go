package edge_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
)

const mebibyte = 1 << 20

// bodies is a service that reads request bodies, with room for four mebibytes
// in total and two per organization.
type bodies struct {
	*apitest.Bundle
	server *httptest.Server
}

func newBodies(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *bodies {
	t.Helper()
	b := apitest.New(t, append(edit, func(c *api.Config, _ *api.Dependencies) {
		c.MaxBody, c.BodyBytes, c.BodyShare = 3*mebibyte, 4*mebibyte, 2*mebibyte
	})...)
	read := b.Server.Edge.AroundCallers(func(w http.ResponseWriter, r *http.Request) error {
		all, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = w.Write(all)
		}
		return err
	})
	server := httptest.NewServer(read)
	t.Cleanup(server.Close)
	return &bodies{b, server}
}

func (b *bodies) keyOf(t *testing.T, org int64) string {
	return b.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = org })
}

// begin sends the head of a request, and the beginning of its body.
func begin(t *testing.T, server *httptest.Server, key, head, beginning string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /x HTTP/1.1\r\nHost: x\r\nAuthorization: apikey %s\r\n%s\r\n\r\n%s",
		key, head, beginning)
	require.NoError(t, err)
	return conn
}

// announced is the head of a body of so many bytes.
func announced(n int) string { return fmt.Sprintf("Content-Length: %d", n) }

// answerOn reads the response on a connection.
func answerOn(t *testing.T, conn net.Conn) answer {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return answer{status: r.StatusCode, header: r.Header, last: r.Close, text: string(text)}
}

// answer is a response on a connection; last means that the connection closes
// after it.
type answer struct {
	status int
	header http.Header
	last   bool
	text   string
}

// send returns the status of the answer.
func (b *bodies) send(t *testing.T, key, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/x", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Authorization", "apikey "+key)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, answer.Body)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

// metric returns the value of a gauge, or the first of a counter.
func metric(t *testing.T, registry *prometheus.Registry, name string) int {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() == name {
			return int(f.GetMetric()[0].GetGauge().GetValue() + f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

func (b *bodies) waitFor(t *testing.T, bytes int) {
	t.Helper()
	require.Eventually(t, func() bool {
		return metric(t, b.Registry, "waybill_http_body_bytes") == bytes
	}, 30*time.Second, 5*time.Millisecond)
}

func TestSlowBodiesDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	b := newBodies(t)
	holder, other, third := b.keyOf(t, 8), b.keyOf(t, 9), b.keyOf(t, 10)
	most := strings.Repeat(" ", mebibyte/2)
	held := []net.Conn{
		begin(t, b.server, holder, announced(mebibyte), most), begin(t, b.server, holder, announced(mebibyte), most),
	}
	b.waitFor(t, 2*mebibyte)

	got := answerOn(t, begin(t, b.server, holder, announced(mebibyte), "")) // not a byte is read
	require.Equal(t, http.StatusTooManyRequests, got.status)
	require.Equal(t, "2", got.header.Get("Retry-After"))
	require.Contains(t, got.text, `"BODIES_SHARE_IN_USE"`)
	require.Equal(t, http.StatusOK, b.send(t, other, strings.Repeat(" ", 2*mebibyte)))

	begin(t, b.server, other, announced(2*mebibyte), most)
	b.waitFor(t, 4*mebibyte)
	got = answerOn(t, begin(t, b.server, third, announced(mebibyte), ""))
	require.Equal(t, http.StatusServiceUnavailable, got.status)
	require.NotEmpty(t, got.header.Get("Retry-After"))
	require.Contains(t, got.text, `"BODIES_TOO_MANY"`)
	require.Equal(t, http.StatusOK, b.send(t, third, "small ones need no room"))

	for _, conn := range held {
		require.NoError(t, conn.Close())
	}
	b.waitFor(t, 2*mebibyte)
	require.Equal(t, http.StatusOK, b.send(t, third, strings.Repeat(" ", 2*mebibyte)))
}

func TestBodiesOfUnknownLengthCountAsTheyGrow(t *testing.T) {
	t.Parallel()
	b := newBodies(t)
	conn := begin(t, b.server, b.Key, "Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n", 3*mebibyte))
	_, _ = io.WriteString(conn, strings.Repeat(" ", 2*mebibyte+freeBody)) // it may be refused meanwhile
	_, _ = io.WriteString(conn, strings.Repeat(" ", mebibyte-freeBody)+"\r\n0\r\n\r\n")
	require.Eventually(t, func() bool {
		return metric(t, b.Registry, "waybill_http_bodies_refused_total") == 1 // of an organization
	}, 30*time.Second, 5*time.Millisecond)
	b.waitFor(t, 0)
	require.Equal(t, http.StatusOK, b.send(t, b.Key, strings.Repeat(" ", 2*mebibyte)))
}

// freeBody is how large a body is that needs no share.
const freeBody = 64 << 10

func TestOversizedBodyIsRefusedEarly(t *testing.T) {
	t.Parallel()
	b := newBodies(t)
	got := answerOn(t, begin(t, b.server, b.Key, announced(3*mebibyte+1), ""))
	require.Equal(t, http.StatusRequestEntityTooLarge, got.status)
}

func TestSlowBodies(t *testing.T) {
	t.Parallel()
	const patience = 3 * time.Second
	patient := func(c *api.Config, _ *api.Dependencies) { c.BodyPatience = patience }

	t.Run("ThoseThatDoNotComeAreGivenUp", func(t *testing.T) {
		t.Parallel()
		b := newBodies(t, patient)
		conn := begin(t, b.server, b.Key, announced(mebibyte), strings.Repeat(" ", mebibyte/2))
		got := answerOn(t, conn)
		require.Equal(t, http.StatusBadRequest, got.status)
		require.Contains(t, got.text, `"REQUEST_TOO_SLOW"`)
		require.True(t, got.last, "the connection has ended")
		b.waitFor(t, 0)
	})

	t.Run("ThoseOfStrangersToo", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, patient)
		server := httptest.NewServer(b.Server.Routes())
		t.Cleanup(server.Close)
		for _, path := range []string{"/v3/orders/import", "/webhooks/sms/twilio/x"} {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n", path, announced(mebibyte))
			require.NoError(t, err)
			got := answerOn(t, conn)
			require.Contains(t, []int{http.StatusBadRequest, http.StatusUnauthorized}, got.status, path)
			_, err = conn.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF, "the connection has ended")
		}
	})

	t.Run("OnesThatKeepComingAreRead", func(t *testing.T) {
		t.Parallel()
		b := newBodies(t, patient)
		const pieces, size = 25, 8 << 10
		conn := begin(t, b.server, b.Key, announced(pieces*size), "")
		for range pieces {
			_, err := io.WriteString(conn, strings.Repeat(" ", size))
			require.NoError(t, err)
			time.Sleep(2 * patience / pieces) // twice as long as we wait without a byte
		}
		got := answerOn(t, conn)
		require.Equal(t, http.StatusOK, got.status)
		require.Len(t, got.text, pieces*size)
	})

	t.Run("WhoeverHasSentAllMayWait", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, patient)
		server := httptest.NewServer(b.Server.Edge.AroundCallers(func(w http.ResponseWriter, r *http.Request) error {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return err
			}
			select {
			case <-r.Context().Done():
				return r.Context().Err()
			case <-time.After(2 * patience):
				w.WriteHeader(http.StatusNoContent)
				return nil
			}
		}))
		t.Cleanup(server.Close)
		got := answerOn(t, begin(t, server, b.Key, announced(3), "all"))
		require.Equal(t, http.StatusNoContent, got.status)
	})
}

func TestMalformedBodiesAreClientErrors(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	server := httptest.NewServer(b.Server.Routes())
	t.Cleanup(server.Close)
	key := "Authorization: apikey " + b.Key + "\r\n"
	for _, target := range []string{
		"POST /webhooks/carriers/x", "POST /webhooks/sms/twilio/x", "POST /webhooks/email/sendgrid/x",
		"POST /webhooks/email/postmark/x", "POST /v3/orders/import", "PUT /v2/import/orders", "POST /v1/recurring_orders",
		"PUT /v2/drafts/1", "PUT /v1/import/orders",
	} {
		for name, body := range map[string]string{
			"no length":        "zz\r\n",
			"a length of 2^64": "10000000000000000\r\n{",
			"no end of a line": "1\n{\n",
			"ends half-way":    "5\r\n{",
		} {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			_, err = fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: x\r\n%sContent-Type: application/json\r\n"+
				"Transfer-Encoding: chunked\r\n\r\n%s", target, key, body)
			require.NoError(t, err)
			require.NoError(t, conn.(*net.TCPConn).CloseWrite())
			got := answerOn(t, conn)
			require.Contains(t, []int{http.StatusBadRequest, http.StatusForbidden}, got.status,
				"%s %s: %s", target, name, got.text)
		}
	}
	require.Empty(t, b.Logs.Records(t, "request failed"))
}
