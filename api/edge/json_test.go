package edge_test

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
)

// elements returns some elements, and then the error, if any.
func elements(n int, err error) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for range n {
			if !yield(json.RawMessage(`{"a":1}`), nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func TestStreamedArrays(t *testing.T) {
	t.Parallel()
	stream := func(b *apitest.Bundle, n int, err error) http.Handler {
		return b.Server.Edge.Around(func(w http.ResponseWriter, _ *http.Request) error {
			return edge.StreamArray(w, elements(n, err))
		})
	}

	t.Run("AreJSONOfAnyLength", func(t *testing.T) {
		t.Parallel()
		for _, n := range []int{0, 1, 2, 20_000} {
			w := apitest.Serve(stream(apitest.New(t), n, nil), http.MethodGet, "/x", "")
			require.Equal(t, http.StatusOK, w.Code)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			var all []json.RawMessage
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &all))
			require.Len(t, all, n)
		}
	})

	t.Run("AnswerAnErrorThatComesEarlyAsUsual", func(t *testing.T) {
		t.Parallel()
		w := apitest.Serve(stream(apitest.New(t), 3, errors.New("lost")), http.MethodGet, "/x", "")
		require.Equal(t, http.StatusInternalServerError, w.Code)
		require.NotContains(t, w.Body.String(), `"a"`)
	})

	t.Run("BreakTheConnectionAtAnErrorThatComesLate", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		server := httptest.NewServer(stream(b, 20_000, errors.New("lost")))
		defer server.Close()
		answer, err := http.Get(server.URL + "/x")
		require.NoError(t, err)
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.True(t, strings.HasPrefix(string(body), `[{"a":1},`))
		require.Len(t, b.Logs.Records(t, "request failed"), 1)
	})
}
