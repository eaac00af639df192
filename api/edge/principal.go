package edge

import (
	"context"
	"slices"
	"time"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/fault"
)

// Principal is the caller of a request, with the settings of its organization
// that every request needs.
type Principal struct {
	caller.Caller // without a cause, which differs for each request

	Zone     *time.Location // the organization's time zone
	Language string         // the person's language, or else the organization's

	// Suspended reports that the organization is suspended: only its feeds
	// are available.
	Suspended bool
	// SessionID is the id of the person's or device's credential; 0 for a
	// key.
	SessionID int64
	// SignedInAt is when the user last signed in, or zero for credentials
	// without sign-in, such as a personal token.
	SignedInAt time.Time
	// DriverID is whose device it is; 0 for the others.
	DriverID int64
	// Personal are the kinds of personal data that a key may read. Nil means
	// all of them, as for users.
	Personal []caller.Personal
}

// ByAdmin reports whether a request is an administrator's.
func ByAdmin(ctx context.Context) bool { return slices.Contains(PrincipalOf(ctx).Roles, caller.Admin) }

// mayRead reports whether the principal may read a kind of personal data, which
// may be empty.
func (p *Principal) mayRead(kind caller.Personal) bool {
	return kind == "" || p.Personal == nil || slices.Contains(p.Personal, kind)
}

// RequirePersonal returns an error when the caller must not read a kind of personal data.
func RequirePersonal(ctx context.Context, kind caller.Personal) error {
	p := PrincipalOf(ctx)
	if p.mayRead(kind) {
		return nil
	}
	return keptFrom(kind)
}

// keptFrom returns the error for a key that must not read a kind of
// personal data.
func keptFrom(kind caller.Personal) error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("auth.key_without_data", "kind", string(kind))}
}

// freshness is how long after sign-in a user may do what a stolen session must
// not.
const freshness = 10 * time.Minute

// may reports whether the principal may call an operation at all.
func (p *Principal) may(op *contract.Operation) bool {
	if op.IsForTelephones() && p.DriverID == 0 {
		return false
	}
	if len(p.Grants) == 0 {
		return op.Callers.Has(p.Caller)
	}
	return slices.ContainsFunc(p.Grants, func(g caller.Grant) bool {
		as := caller.Caller{Kind: p.Kind, Roles: []caller.Role{g.Role}}
		return op.Callers.Has(as) && (g.Covers(op.Tags) || op.IsOwnAccount())
	})
}

// fresh reports whether the principal signed in a moment ago.
func (p *Principal) fresh(now time.Time) bool {
	return !p.SignedInAt.IsZero() && now.Sub(p.SignedInAt) <= freshness
}

// actor identifies a principal; ids are unique only within one organization
// and kind.
type actor struct {
	org  int64
	kind caller.Kind
	id   int64
}

func (p *Principal) actor() actor { return actor{org: p.OrgID, kind: p.Kind, id: p.ID} }

// PrincipalOf returns the caller of the context's request. It panics without
// authentication, so that nothing is ever done without an actor.
func PrincipalOf(ctx context.Context) Principal {
	if x := exchangeFrom(ctx); x != nil && x.principal != nil {
		return *x.principal
	}
	panic("edge: this route has no caller")
}

// Caller returns the caller of the context's request for operations. Its cause
// is the request, which may have an idempotency key.
func Caller(ctx context.Context) caller.Caller {
	c := PrincipalOf(ctx).Caller
	c.Cause = RequestID(ctx)
	c.Repeat = exchangeFrom(ctx).attempt
	return c
}
