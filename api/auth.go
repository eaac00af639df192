package api

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/domain/apikey"
	"waybill/domain/fault"
)

// challenge tells a caller without a usable key how to authenticate.
const challenge = `apikey realm="waybill"`

// authenticate finds out who calls, and refuses whom we do not know.
func (s *Server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, ok := keyOf(r)
		if !ok {
			s.fail(w, r, unauthenticated())
			return
		}
		principal, err := s.keys.identify(r.Context(), key)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		exchangeFrom(r.Context()).principal = principal
		next.ServeHTTP(w, r)
	})
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
func (s *Server) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := s.operationOf(r)
		if op == nil {
			s.fail(w, r, fmt.Errorf("the contract has no operation %s %s", r.Method, routeOf(r.Context())))
			return
		}
		if !op.allowsKeys {
			s.fail(w, r, &forbidden{operation: op})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// operationOf gives the contract's operation for the route that a request took.
func (s *Server) operationOf(r *http.Request) *operation {
	c := chi.RouteContext(r.Context())
	if c == nil {
		return nil
	}
	return s.contract.byRoute[route{c.RouteMethod, c.RoutePattern()}]
}

// forbidden is the error of a caller outside its surface.
type forbidden struct {
	operation *operation
}

// Error names the operation.
func (e *forbidden) Error() string {
	return e.operation.ID + " is not for API keys"
}
