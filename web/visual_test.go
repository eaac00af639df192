package web_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

type storedAnswer struct {
	Status int             `json:"status"`
	ETag   string          `json:"etag"`
	Body   json.RawMessage `json:"body"`
}

// TestStoredAnswersMeetTheContract checks what web/tests/visual.test.mjs has pages show: after
// a change of the contract, the stored answers of the service must be recorded again.
func TestStoredAnswersMeetTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("tests/visual/answers.json")
	require.NoError(t, err)
	var stored struct {
		Answers map[string]storedAnswer            `json:"answers"`
		Pages   map[string]map[string]storedAnswer `json:"pages"`
	}
	require.NoError(t, json.Unmarshal(text, &stored))
	require.Greater(t, len(stored.Answers), 20)
	for _, answers := range append(slices.Collect(maps.Values(stored.Pages)), stored.Answers) {
		for call, answer := range answers {
			method, rest, _ := strings.Cut(call, " ")
			target, _, _ := strings.Cut(rest, " ")
			stored := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("X-Request-Id", "recorded")
				if answer.ETag != "" {
					w.Header().Set("ETag", answer.ETag)
				}
				w.WriteHeader(answer.Status)
				_, _ = w.Write(answer.Body)
			})
			apitest.Checked(t, stored).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), method, target, nil))
		}
	}
}
