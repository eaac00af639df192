package edge

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/domain/apikey"
	"waybill/domain/fault"
)

// challenge tells a caller without a usable key how to authenticate.
const challenge = `apikey realm="waybill"`

// authenticate finds out who calls, and refuses whom we do not know.
func (e *Edge) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, ok := keyOf(r)
		if !ok {
			e.Fail(w, r, unauthenticated())
			return
		}
		principal, err := e.keys.identify(r.Context(), key)
		if err != nil {
			e.Fail(w, r, err)
			return
		}
		exchangeFrom(r.Context()).principal = principal
		next.ServeHTTP(w, r)
	})
}

// As lets requests through in the name of a caller whom something else has
// authenticated.
func (e *Edge) As(p Principal) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			exchangeFrom(r.Context()).principal = &p
			next.ServeHTTP(w, r)
		})
	}
}

// keyOf reads the header "Authorization: apikey <API_KEY>". People's tokens
// (Bearer) are not issued yet, so no other scheme passes.
func keyOf(r *http.Request) (apikey.Key, bool) {
	sent := r.Header["Authorization"]
	if len(sent) != 1 {
		return apikey.Key{}, false
	}
	scheme, credentials, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "apikey") {
		return apikey.Key{}, false
	}
	return apikey.Parse(strings.Trim(credentials, " "))
}

func unauthenticated() error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("auth.key_needed")}
}

// authorize lets a caller through to what the contract's x-callers allow it.
// What the contract does not know is allowed to nobody.
func (e *Edge) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := e.operationOf(r)
		if op == nil {
			e.Fail(w, r, fmt.Errorf("the contract has no operation %s %s", r.Method, routeOf(r.Context())))
			return
		}
		if !op.AllowsKeys {
			e.Fail(w, r, &forbidden{operation: op})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// operationOf returns the contract's operation for the route that a request took.
func (e *Edge) operationOf(r *http.Request) *contract.Operation {
	c := chi.RouteContext(r.Context())
	if c == nil {
		return nil
	}
	return e.operations[contract.Route{Method: c.RouteMethod, Pattern: c.RoutePattern()}]
}

// forbidden is the error of a caller outside its surface.
type forbidden struct {
	operation *contract.Operation
}

// Error names the operation.
func (e *forbidden) Error() string {
	return e.operation.ID + " is not for API keys"
}
