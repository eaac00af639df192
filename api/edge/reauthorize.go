package edge

import (
	"net/http"

	"waybill/domain/fault"
)

// StillLets reports whether the caller of a running request is still permitted to use its
// operation: not after signing out, losing the role, or the end of the session. The check
// does not extend the session. While it is not possible, the result is true.
func (e *Edge) StillLets(r *http.Request) bool {
	x := exchangeFrom(r.Context())
	op := e.operationOf(r)
	if op == nil || x.principal == nil {
		return false
	}
	if x.public == "" { // identified without a secret
		principal, err := e.principalOf(r)
		return err == nil && principal.may(op)
	}
	found, fresh := e.sessions.recall(x.public)
	if !fresh {
		var err error
		if found, err = e.sessions.look(r.Context(), x.public); err != nil {
			return fault.KindOf(err) != fault.Unauthenticated
		}
	}
	return (found.end == nil || e.now().Before(*found.end)) && found.principal.may(op)
}
