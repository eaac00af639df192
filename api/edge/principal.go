package edge

import (
	"context"
	"time"

	"waybill/domain/caller"
)

// Principal is the caller of a request, with what every request needs to know
// of its organization.
type Principal struct {
	caller.Caller // without a cause, which each request is anew

	Zone     *time.Location // the organization's time zone
	Language string         // the organization's language
}

// actor tells principals apart; identifiers are only certain to differ within
// one organization and kind.
type actor struct {
	org  int64
	kind caller.Kind
	id   int64
}

func (p *Principal) actor() actor { return actor{org: p.OrgID, kind: p.Kind, id: p.ID} }

// PrincipalOf returns the caller of the request that the context belongs to. It
// panics where no caller was asked for, so that nothing is ever done in the
// name of nobody.
func PrincipalOf(ctx context.Context) Principal {
	if x := exchangeFrom(ctx); x != nil && x.principal != nil {
		return *x.principal
	}
	panic("edge: this route has no caller")
}

// Caller returns the caller of the request that the context belongs to as
// operations know it; its cause is the request, which may be one to carry out
// once.
func Caller(ctx context.Context) caller.Caller {
	c := PrincipalOf(ctx).Caller
	c.Cause = RequestID(ctx)
	c.Repeat = exchangeFrom(ctx).attempt
	return c
}
