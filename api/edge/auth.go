package edge

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/fault"
)

// challenge adds the header that says how to authenticate.
const challenge = `apikey realm="waybill"`

// Authenticator identifies the caller by something other than an API key. It
// returns nil if the request has no such credential, and a fault of kind
// Unauthenticated if the credential is invalid.
type Authenticator func(r *http.Request) (*Principal, error)

// authenticate identifies the caller, and refuses unknown ones.
func (e *Edge) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		principal, err := e.principalOf(r)
		if err != nil {
			e.Fail(w, r, err)
			return
		}
		exchangeFrom(r.Context()).principal = principal
		w.Header()["Cache-Control"] = notStored
		next.ServeHTTP(w, r)
	})
}

func (e *Edge) principalOf(r *http.Request) (*Principal, error) {
	for _, authenticate := range e.authenticators {
		if principal, err := authenticate(r); principal != nil || err != nil {
			return principal, err
		}
	}
	if sent := r.Header["Authorization"]; len(sent) > 0 {
		return e.principalOfHeader(r, sent)
	}
	if secret, ok := e.cookies.sessionOf(r); ok {
		return e.principalOfCookie(r, secret)
	}
	return nil, unauthenticated()
}

// principalOfHeader reads "Authorization: apikey <API_KEY>" and
// "Authorization: Bearer <TOKEN>". Several headers, or another scheme, are
// refused, even with a valid cookie.
func (e *Edge) principalOfHeader(r *http.Request, sent []string) (*Principal, error) {
	scheme, credentials, _ := strings.Cut(sent[0], " ")
	credentials = strings.Trim(credentials, " ")
	if len(sent) > 1 {
		return nil, unauthenticated()
	}
	if strings.EqualFold(scheme, "apikey") {
		if key, ok := credential.Parse(credential.APIKey, credentials); ok {
			return e.identify(r, e.keys, key)
		}
	}
	if strings.EqualFold(scheme, "bearer") {
		if token, ok := credential.Parse(credential.Token, credentials); ok {
			return e.identify(r, e.sessions, token)
		}
	}
	return nil, unauthenticated()
}

// identify finds the owner of a secret. A network with too many failures must
// wait before it can try secrets that are not cached.
func (e *Edge) identify(r *http.Request, ring *keyring, secret credential.Secret) (*Principal, error) {
	exchangeFrom(r.Context()).public = secret.Public()
	if !ring.knows(secret.Public()) {
		if err := e.AdmitAnonymous(r); err != nil {
			return nil, err
		}
	}
	principal, err := ring.identify(r.Context(), secret)
	if fault.KindOf(err) == fault.Unauthenticated {
		e.NoteFailedAuthentication(r)
	}
	return principal, err
}

// principalOfCookie finds the owner of a cookie's session. Browsers send
// cookies with requests from other sites, too, so it rejects those.
func (e *Edge) principalOfCookie(r *http.Request, secret credential.Secret) (*Principal, error) {
	principal, err := e.identify(r, e.sessions, secret)
	if err != nil {
		return nil, err
	}
	return principal, e.SameOrigin(r)
}

func unauthenticated() error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("auth.key_needed")}
}

// authorize checks a caller against the contract's x-callers. Operations
// unknown to the contract are forbidden to everyone.
func (e *Edge) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := e.operationOf(r)
		if op == nil {
			e.Fail(w, r, fmt.Errorf("the contract has no operation %s %s", r.Method, routeOf(r.Context())))
			return
		}
		for name, value := range op.Notice {
			w.Header().Set(name, value)
		}
		p := exchangeFrom(r.Context()).principal
		if p.Suspended && !op.WhileSuspended {
			e.Fail(w, r, &fault.Error{Kind: fault.Forbidden, Text: fault.Say("organization.suspended")})
			return
		}
		if !p.may(op) {
			e.Fail(w, r, &forbidden{operation: op, kind: p.Kind})
			return
		}
		if !p.mayRead(op.Personal) {
			e.Fail(w, r, keptFrom(op.Personal))
			return
		}
		if op.Fresh && p.Kind != caller.Key && !p.fresh(e.now()) {
			e.Fail(w, r, &fault.Error{Kind: fault.Forbidden, Text: fault.Say("reauthentication.needed")})
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
	kind      caller.Kind
}

// Error names the operation.
func (e *forbidden) Error() string { return "caller has no permission for " + e.operation.ID }

// text names the missing permission.
func (e *forbidden) text() fault.Text {
	if e.kind == caller.Key {
		return fault.Say("auth.not_for_keys")
	}
	return fault.Say("auth.not_for_role")
}

// metadata has the operation's name and permitted callers.
func (e *forbidden) metadata() map[string]string {
	return map[string]string{"operation": e.operation.ID, "callers": strings.Join(e.operation.Callers, ",")}
}
