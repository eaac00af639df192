package edge

import (
	"net/http"

	"waybill/domain/fault"
)

// StillLets reports whether who sent a request would be let through to its operation
// now: whoever signed out, lost a role or was away for too long would not. To be asked is
// no use of a session. While that cannot be found out, the answer is yes.
func (e *Edge) StillLets(r *http.Request) bool {
	x := exchangeFrom(r.Context())
	op := e.operationOf(r)
	if op == nil || x.principal == nil {
		return false
	}
	if x.public == "" { // known by other means than a secret
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
