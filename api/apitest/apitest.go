// Package apitest checks responses against the contract, for tests of any
// server.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"waybill/api/contract"
	"waybill/api/edge"
)

// read reads the contract, once for all tests of a package.
var read = sync.OnceValues(readContract)

type document struct {
	doc    *openapi3.T
	router routers.Router
}

func readContract() (document, error) {
	doc, err := openapi3.NewLoader().LoadFromData(contract.Document())
	if err != nil {
		return document{}, err
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation()); err != nil {
		return document{}, err
	}
	router, err := gorillamux.NewRouter(doc)
	return document{doc: doc, router: router}, err
}

func load(t testing.TB) document {
	t.Helper()
	d, err := read()
	if err != nil {
		t.Fatalf("read the contract: %v", err)
	}
	return d
}

// Document returns the contract.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	return load(t).doc
}

// Checked wraps a handler so that the test fails for every response that the
// contract does not describe: an undeclared status, a missing header, a body
// that does not match its schema. Paths that the contract does not have must
// return an error in the usual form.
func Checked(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	d := load(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		d.check(t, r, recorded)
		for name, values := range recorded.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(recorded.Code)
		_, _ = io.Copy(w, recorded.Body)
	})
}

func (d document) check(t testing.TB, r *http.Request, answer *httptest.ResponseRecorder) {
	t.Helper()
	if r.Method == http.MethodHead {
		return
	}
	route, params, err := d.router.FindRoute(withoutSlash(r))
	if err != nil {
		if answer.Code < http.StatusBadRequest {
			t.Errorf("%s %s answers %d, but is not in the contract", r.Method, r.URL.Path, answer.Code)
			return
		}
		Status(t, answer.Body.Bytes())
		return
	}
	media, _, _ := mime.ParseMediaType(answer.Header().Get("Content-Type"))
	err = openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 answer.Code,
		Header:                 answer.Header(),
		Body:                   io.NopCloser(bytes.NewReader(answer.Body.Bytes())),
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			ExcludeResponseBody:   media != "application/json" && (answer.Code/100 == 2 || describes(route, answer.Code, media)),
		},
	})
	if err != nil {
		t.Errorf("%s %s answers %d against the contract: %v\n%s", r.Method, r.URL.Path, answer.Code, err, answer.Body)
	}
	if media == "application/json" {
		d.checkInstants(t, route, answer)
	}
	if answer.Code >= http.StatusBadRequest && media == "application/json" && isError(route, answer.Code) {
		Status(t, answer.Body.Bytes())
	}
}

// withoutSlash is a request for a tracking page without the slash that people copy with its link: the contract has
// the page once.
func withoutSlash(r *http.Request) *http.Request {
	if !strings.HasPrefix(r.URL.Path, edge.TrackingPath) || !strings.HasSuffix(r.URL.Path, "/") {
		return r
	}
	bare := r.Clone(r.Context())
	bare.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
	return bare
}

// isError reports whether the contract describes an answer as an error.
func isError(route *routers.Route, status int) bool {
	answer := route.Operation.Responses.Status(status)
	if answer == nil || answer.Value.Content["application/json"] == nil {
		return false
	}
	return answer.Value.Content["application/json"].Schema.Ref == "#/components/schemas/ApiError"
}

// describes reports whether the contract has an answer the media type.
func describes(route *routers.Route, status int, media string) bool {
	answer := route.Operation.Responses.Status(status)
	return answer != nil && answer.Value.Content[media] != nil
}

// Status reads the body of an error and checks that it has the contract's
// form, with a reason as its last detail.
func Status(t testing.TB, body []byte) contract.APIError {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("an error is not JSON: %v\n%s", err, body)
	}
	schema := load(t).doc.Components.Schemas["ApiError"].Value
	if err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.VisitAsResponse()); err != nil {
		t.Errorf("an error is not of the schema ApiError: %v\n%s", err, body)
	}
	var status contract.APIError
	if err := json.Unmarshal(body, &status); err != nil {
		t.Fatalf("an error cannot be read: %v\n%s", err, body)
	}
	if Reason(status) == "" {
		t.Errorf("an error has no reason:\n%s", body)
	}
	return status
}

// Refusal is why an answer refuses: of each field that it names, or else in one word.
func Refusal(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	status := Status(t, w.Body.Bytes())
	bad, err := status.Details[0].AsBadRequestDetail()
	if err != nil || len(bad.FieldViolations) == 0 {
		return string(Reason(status))
	}
	all := make([]string, len(bad.FieldViolations))
	for i, v := range bad.FieldViolations {
		all[i] = v.Field + " " + string(v.Reason)
	}
	return strings.Join(all, ", ")
}

// Reason returns the reason of an error, or "".
func Reason(status contract.APIError) contract.ErrorReason {
	if len(status.Details) == 0 {
		return ""
	}
	last := status.Details[len(status.Details)-1]
	if kind, err := last.Discriminator(); err != nil || kind != string(contract.ErrorInfoDetailTypeErrorInfo) {
		return ""
	}
	info, err := last.AsErrorInfoDetail()
	if err != nil {
		return ""
	}
	return info.Reason
}
