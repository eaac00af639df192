package edge_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
)

// zipped is a text in gzip.
func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestBodiesInGzip(t *testing.T) {
	t.Parallel()
	b := apitest.New(t, func(c *api.Config, _ *api.Dependencies) {
		c.MaxBody, c.BodyBytes, c.BodyShare = mebibyte, 4*mebibyte, 2*mebibyte
	})
	read := b.Server.Edge.AroundImports(func(w http.ResponseWriter, r *http.Request) error {
		all, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = w.Write(all)
		}
		return err
	})
	key := b.Keys.Add(t, func(k *edge.APIKey) { k.OrgID = 1 })
	text := bytes.Repeat([]byte("order "), 20_000)
	corrupt := zipped(t, text)
	corrupt[len(corrupt)/2] ^= 0xff
	full := bytes.Repeat([]byte(" "), mebibyte)
	for name, c := range map[string]struct {
		encoding string
		body     []byte
		status   int
		refused  string
	}{
		"Plain":         {"", text, 200, ""},
		"Identity":      {"identity", text, 200, ""},
		"Gzip":          {"gzip", zipped(t, text), 200, ""},
		"XGzip":         {"X-GZIP", zipped(t, text), 200, ""},
		"AsLargeAsIs":   {"gzip", zipped(t, full), 200, ""},
		"ABomb":         {"gzip", zipped(t, append(full, ' ')), 413, "REQUEST_TOO_LARGE"},
		"NotGzip":       {"gzip", text, 400, "body REQUEST_NOT_GZIP"},
		"Corrupt":       {"gzip", corrupt, 400, "body REQUEST_NOT_GZIP"},
		"Brotli":        {"br", text, 415, "REQUEST_UNKNOWN_ENCODING"},
		"Twice":         {"gzip, gzip", text, 415, "REQUEST_UNKNOWN_ENCODING"},
		"NothingAtAll":  {"gzip", nil, 200, ""},
		"OnlyIdentity,": {"identity, ", text, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", bytes.NewReader(c.body))
			r.Header.Set("Authorization", "apikey "+key)
			if c.encoding != "" {
				r.Header.Set("Content-Encoding", c.encoding)
			}
			w := httptest.NewRecorder()
			read.ServeHTTP(w, r)
			require.Equal(t, c.status, w.Code, w.Body)
			if c.refused != "" {
				require.Equal(t, c.refused, apitest.Refusal(t, w))
			}
			if c.status == http.StatusUnsupportedMediaType {
				require.Equal(t, "gzip", w.Header().Get("Accept-Encoding"))
			}
			if name == "Gzip" {
				require.Equal(t, text, w.Body.Bytes())
			}
		})
	}
}
