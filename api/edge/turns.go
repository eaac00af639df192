package edge

import (
	"context"
	"net/http"
	"time"

	"waybill/domain/fault"
	"waybill/internal/limit"
)

// turnPatience is how long a heavy request waits for its turn.
const turnPatience = 10 * time.Second

// turns limits how many heavy requests run at a time, in total and per
// organization, because they take connections and processors that quick
// requests of others need. The rest wait, first among their own organization's.
type turns struct {
	patience time.Duration
	own      *limit.PerKey[int64]
	all      *limit.PerKey[struct{}]
}

// newTurns returns turns for some heavy requests; 0 means unlimited.
func newTurns(altogether, few int, patience time.Duration) *turns {
	if few <= 0 {
		return nil
	}
	return &turns{
		patience: patience, own: limit.New[int64](few), all: limit.New[struct{}](max(altogether, few)),
	}
}

// take waits for a turn of an organization. The holder calls leave, which may
// be called repeatedly.
func (t *turns) take(ctx context.Context, org int64) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	leaveOwn, err := t.own.Acquire(waiting, org)
	if err != nil {
		return nil, outOfPatience(ctx, &fault.Error{
			Kind: fault.RateLimited, Text: fault.Say("turns.share_in_use", "count", "2"),
		})
	}
	leaveAll, err := t.all.Acquire(waiting, struct{}{})
	if err != nil {
		leaveOwn()
		return nil, outOfPatience(ctx, &fault.Error{Kind: fault.Unavailable, Text: fault.Say("turns.too_many")})
	}
	return func() {
		leaveAll()
		leaveOwn()
	}, nil
}

// outOfPatience is why there was no turn: the request's own end takes
// precedence.
func outOfPatience(ctx context.Context, otherwise error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return otherwise
}

// takeTurns has requests wait for their turn whose operation is heavy.
func (e *Edge) takeTurns(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := e.operationOf(r)
		if e.turns == nil || op == nil || !op.Heavy {
			next.ServeHTTP(w, r)
			return
		}
		x := exchangeFrom(r.Context())
		leave, err := e.turns.take(r.Context(), x.principal.OrgID)
		if err != nil {
			e.Fail(w, r, err)
			return
		}
		defer leave()
		x.leave = leave
		next.ServeHTTP(w, r)
	})
}

// OnlyWaits marks a request that only waits from now on: it releases its memory
// share and its turn.
func OnlyWaits(ctx context.Context) {
	x := exchangeFrom(ctx)
	if x == nil {
		return
	}
	if x.body != nil {
		x.body.done()
	}
	if x.leave != nil {
		x.leave()
	}
}
