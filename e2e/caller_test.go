package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// answer is the response to a call.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call sends a request with the organization's key. A text body is sent
// unchanged, anything else as JSON; headers are names and values. The test
// fails if the response violates the contract.
func (o *organization) call(t testing.TB, method, path string, body any, headers ...string) answer {
	t.Helper()
	return o.send(t, o.request(t, method, path, body, append([]string{"Authorization", "apikey " + o.key}, headers...)...))
}

// anonymous sends a request without a key.
func (i *installation) anonymous(t testing.TB, method, path string, body any, headers ...string) answer {
	t.Helper()
	return i.send(t, i.request(t, method, path, body, headers...))
}

func (i *installation) request(t testing.TB, method, path string, body any, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+i.address+path, reader(t, body))
	require.NoError(t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	return r
}

func reader(t testing.TB, body any) io.Reader {
	t.Helper()
	switch body := body.(type) {
	case nil:
		return http.NoBody
	case string:
		return strings.NewReader(body)
	case []byte:
		return bytes.NewReader(body)
	case io.Reader:
		return body
	}
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	return bytes.NewReader(encoded)
}

var httpClient = &http.Client{
	Timeout:   2 * time.Minute,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// send passes a request on to serve and holds the answer against the contract, if
// that is the contract of this release.
func (i *installation) send(t testing.TB, r *http.Request) answer {
	t.Helper()
	var failure error
	relayed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := httpClient.Do(r)
		if failure = err; err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		defer func() { _ = response.Body.Close() }()
		for name, values := range response.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(response.StatusCode)
		_, failure = io.Copy(w, response.Body)
	})
	recorded := httptest.NewRecorder()
	handler := http.Handler(relayed)
	if !i.isPrevious {
		handler = apitest.Checked(t, relayed)
	}
	handler.ServeHTTP(recorded, r)
	require.NoError(t, failure)
	return answer{recorded.Code, recorded.Header(), recorded.Body.Bytes()}
}

// expect is a call with an expected status.
func (o *organization) expect(t testing.TB, status int, method, path string, body any, headers ...string) answer {
	t.Helper()
	a := o.call(t, method, path, body, headers...)
	require.Equal(t, status, a.status, "%s %s: %s", method, path, a.body)
	return a
}

// get reads an existing record.
func (o *organization) get(t testing.TB, path string, headers ...string) answer {
	t.Helper()
	return o.expect(t, http.StatusOK, http.MethodGet, path, nil, headers...)
}

// read decodes the body of an answer.
func read[T any](t testing.TB, a answer) T {
	t.Helper()
	var value T
	require.NoError(t, json.Unmarshal(a.body, &value), string(a.body))
	return value
}

// importOrders sends orders and returns their results.
func (o *organization) importOrders(t testing.TB, request any) []contract.ImportResult {
	t.Helper()
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v3/orders/import", request)
	return read[contract.ImportResponse](t, a).Results
}

// await waits for an asynchronous import, and returns its results.
func (o *organization) await(t *testing.T, location string) []contract.ImportResult {
	t.Helper()
	eventually(t, "the import at "+location+" is done", func() bool {
		const query = "select completed_at is not null from imports where org_id = $1 and '/v3/orders/imports/' || id = $2"
		return one[bool](t, o.installation, query, o.id, location)
	})
	progress := read[contract.ImportProgress](t, o.get(t, location))
	require.Equal(t, contract.ImportProgressStateCompleted, progress.State)
	require.NotNil(t, progress.Results)
	return *progress.Results
}

// kinds counts results by their kind.
func kinds(results []contract.ImportResult) map[string]int {
	count := map[string]int{}
	for _, r := range results {
		count[kind(r)]++
	}
	return count
}

func kind(r contract.ImportResult) string {
	switch {
	case r.OrderCreated != nil:
		return "orderCreated"
	case r.DraftCreated != nil:
		return "draftCreated"
	case r.OrderUpdated != nil:
		return "orderUpdated"
	case r.OrderMerged != nil:
		return "orderMerged"
	case r.FailedUpdate != nil:
		return "failedUpdate"
	}
	return "nothing"
}

// orderID is the id of the order that a result speaks of.
func orderID(t testing.TB, r contract.ImportResult) int64 {
	t.Helper()
	for _, imported := range []*contract.ImportedOrder{r.OrderCreated, r.OrderUpdated, r.OrderMerged} {
		if imported != nil {
			require.NotNil(t, imported.OrderID)
			return *imported.OrderID
		}
	}
	t.Fatalf("no order came of it: %s", kind(r))
	return 0
}
