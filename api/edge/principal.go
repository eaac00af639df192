package edge

import (
	"context"
	"time"

	"waybill/domain/caller"
)

// Principal is the caller of a request: an API key and its organization.
type Principal struct {
	OrgID    int64
	KeyID    int64
	Zone     *time.Location // the organization's time zone
	Language string         // the organization's language
}

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
// operations know it; its cause is the request.
func Caller(ctx context.Context) caller.Caller {
	p := PrincipalOf(ctx)
	return caller.Caller{OrgID: p.OrgID, Kind: caller.Key, ID: p.KeyID, Cause: RequestID(ctx)}
}
