package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	answered := func(t *testing.T, headers ...string) string {
		t.Helper()
		var seen string
		h := apitest.New(t).Server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error {
			seen = edge.RequestID(r.Context())
			return nil
		})
		w := apitest.Serve(h, http.MethodGet, "/x", "", headers...)
		require.Equal(t, seen, w.Header().Get("X-Request-ID"))
		return seen
	}

	t.Run("OfTheCallerIsKept", func(t *testing.T) {
		t.Parallel()
		for _, id := range []string{"a", "erp-7/2026:!~", strings.Repeat("x", 128)} {
			require.Equal(t, id, answered(t, "X-Request-ID", id))
		}
	})

	t.Run("ThatCannotBeUsedIsReplaced", func(t *testing.T) {
		t.Parallel()
		for _, id := range []string{"", "with space", "tab\t", "æ", "line\nbreak", strings.Repeat("x", 129)} {
			made := answered(t, "X-Request-ID", id)
			require.NotEqual(t, id, made)
			_, err := uuid.Parse(made)
			require.NoError(t, err)
		}
	})

	t.Run("IsNeverTheSameTwice", func(t *testing.T) {
		t.Parallel()
		require.NotEqual(t, answered(t), answered(t))
	})

	t.Run("IsOnEveryAnswer", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for _, target := range []string{"/healthz", "/v1/orders/today", "/nowhere", "/docs", "/metrics", "/%ff"} {
			require.Equal(t, "abc", b.Send(http.MethodGet, target, "", "X-Request-ID", "abc").Header().Get("X-Request-ID"))
		}
	})
}
