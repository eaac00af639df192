package edge_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
)

// reads is a service whose answers to one read the test decides.
type reads struct {
	*apitest.Bundle
	handler http.Handler
	body    string
	version string
}

func newReads(t *testing.T) *reads {
	t.Helper()
	r := &reads{Bundle: apitest.New(t), body: `{"order_id":1}`}
	answer := func(w http.ResponseWriter, _ *http.Request) error {
		if r.version != "" {
			w.Header().Set("ETag", `"`+r.version+`"`)
		}
		w.Header().Set("Content-Type", "application/json")
		_, err := io.Copy(w, strings.NewReader(r.body))
		return err
	}
	r.handler = r.Server.Edge.AroundOperations(map[string]func(http.ResponseWriter, *http.Request) error{
		"/v1/orders/{orderId}": answer,
	})
	return r
}

func (r *reads) get(target string, headers ...string) *httptest.ResponseRecorder {
	return apitest.Serve(r.handler, http.MethodGet, target, "", append(headers, "Authorization", "apikey "+r.Key)...)
}

func TestReadsAreAnsweredOnceWhileNothingChanges(t *testing.T) {
	t.Parallel()

	t.Run("TheSameAnswerHasNoBody", func(t *testing.T) {
		t.Parallel()
		r := newReads(t)
		tag := r.get("/v1/orders/1").Header().Get("ETag")
		require.Regexp(t, `^"[0-9a-f]{20}"$`, tag)
		for _, sent := range []string{tag, "W/" + tag, `"other", ` + tag, strings.TrimSuffix(tag, `"`) + `-gzip"`, "*"} {
			w := r.get("/v1/orders/1", "If-None-Match", sent)
			require.Equal(t, http.StatusNotModified, w.Code, sent)
			require.Empty(t, w.Body.String(), sent)
			require.Empty(t, w.Header().Get("Content-Type"), sent)
			require.NotEmpty(t, w.Header().Get("X-Request-ID"), sent)
		}
	})

	t.Run("AnotherAnswerHas", func(t *testing.T) {
		t.Parallel()
		r := newReads(t)
		tag := r.get("/v1/orders/1").Header().Get("ETag")
		r.body = `{"order_id":2}`
		w := r.get("/v1/orders/1", "If-None-Match", tag)
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, r.body, w.Body.String())
		require.NotEqual(t, tag, w.Header().Get("ETag"))
	})

	t.Run("ATagCoversWhatTheVersionDoesNot", func(t *testing.T) {
		t.Parallel()
		r := newReads(t)
		r.version = "h8q2m1c0xk"
		tag := r.get("/v1/orders/1").Header().Get("ETag")
		require.Regexp(t, `^"h8q2m1c0xk\.[0-9a-f]{20}"$`, tag)
		r.body = `{"order_id":1,"driver":"renamed"}`
		require.Equal(t, http.StatusOK, r.get("/v1/orders/1", "If-None-Match", tag).Code)
		for _, sent := range []string{tag, strings.TrimSuffix(tag, `"`) + `-gzip"`} {
			expected, err := edge.Expected(&sent)
			require.NoError(t, err)
			require.NoError(t, expected.Check("h8q2m1c0xk", "order", "1"), "a change may say which version it is of by it")
			require.Error(t, expected.Check("another", "order", "1"))
		}
	})

	t.Run("LongAnswersAreStreamedWithoutATag", func(t *testing.T) {
		t.Parallel()
		r := newReads(t)
		r.body = `"` + strings.Repeat("x", 300<<10) + `"`
		w := r.get("/v1/orders/1", "If-None-Match", "*")
		require.Equal(t, http.StatusOK, w.Code)
		require.Empty(t, w.Header().Get("ETag"))
		require.Equal(t, r.body, w.Body.String())
	})
}

func TestLongAnswersAreCompressedOnRequest(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	const long = 4 << 10
	r.body = `"` + strings.Repeat("x", long) + `"`
	plain := r.get("/v1/orders/1")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	w := r.get("/v1/orders/1", "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
	require.Contains(t, w.Header().Values("Vary"), "Accept-Encoding")
	require.Less(t, w.Body.Len(), long/10)
	unpacked, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err)
	body, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Equal(t, r.body, string(body))
	require.NotEqual(t, plain.Header().Get("ETag"), w.Header().Get("ETag"), "other bytes have another tag")
	again := r.get("/v1/orders/1", "Accept-Encoding", "gzip", "If-None-Match", w.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Equal(t, w.Header().Get("ETag"), again.Header().Get("ETag"))

	r.body = `"` + strings.Repeat("x", 1<<10) + `"`
	require.Empty(t, r.get("/v1/orders/1", "Accept-Encoding", "gzip").Header().Get("Content-Encoding"),
		"what is short may hold a secret that is shown once")
}

func TestDeprecatedOperationsAreMarked(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	route := contract.Route{Method: http.MethodGet, Pattern: "/v1/orders/{orderId}"}
	op := *b.Server.Edge.Operation(route)
	op.Notice = map[string]string{"Deprecation": "@1772409600", "Sunset": "Wed, 02 Sep 2026 00:00:00 GMT"}
	b.Server.Edge.Declare(&op)
	handler := b.Server.Edge.AroundAuthorized(map[string]func(http.ResponseWriter, *http.Request) error{
		"/v1/orders/{orderId}": func(http.ResponseWriter, *http.Request) error { return nil },
		"/v1/orders/today":     func(http.ResponseWriter, *http.Request) error { return nil },
	})
	w := apitest.Serve(handler, http.MethodGet, "/v1/orders/1", "", "Authorization", "apikey "+b.Key)
	require.Equal(t, "@1772409600", w.Header().Get("Deprecation"))
	require.Equal(t, "Wed, 02 Sep 2026 00:00:00 GMT", w.Header().Get("Sunset"))
	w = apitest.Serve(handler, http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+b.Key)
	require.Equal(t, http.StatusOK, w.Code)
	require.Empty(t, w.Header().Get("Deprecation"))
	require.Empty(t, w.Header().Get("Sunset"))
}
