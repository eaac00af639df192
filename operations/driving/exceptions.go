package driving

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/store"
)

// ResolveException says that somebody has seen to an exception. One that is accepted
// has what the driver did count, from the moment on at which it happened. Resolving
// it again in the same way changes nothing.
func (o *Operations) ResolveException(
	ctx context.Context, c caller.Caller, id int64, as driving.Resolution, comment string,
) error {
	name := strconv.FormatInt(id, 10)
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		x, err := t.LockException(ctx, id)
		switch {
		case err != nil || x.Resolution == as:
			return err
		case x.Resolution != "":
			return fault.Illegal("exception.resolved", "exception", name)
		case !x.Kind.May(as):
			return fault.Field("resolution", fault.Say("request.not_one_of", "allowed", listed(x.Kind.Resolutions())))
		case as == driving.Accepted:
			if err := accept(ctx, t, name, &x); err != nil {
				return err
			}
		}
		return t.SaveResolved(ctx, id, as, comment)
	})
	if err != nil {
		return fmt.Errorf("resolve exception: %w", err)
	}
	return nil
}

// accept has the deed that an exception is about count.
func accept(ctx context.Context, t *store.Tx, name string, x *store.LockedException) error {
	of, h, err := t.LoadHistory(ctx, x.OrderID)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(h.Facts, func(f driving.Fact) bool { return f.ID == x.ActionID })
	if at < 0 {
		return fault.Illegal("exception.in_the_way", "exception", name)
	}
	clearing := x.Kind.Clearing(h.Facts[at])
	if a := h.With(of, clearing); a.After.Effects[x.ActionID] != driving.Moved {
		return fault.Illegal("exception.in_the_way", "exception", name)
	}
	return t.SaveCleared(ctx, of, h, clearing)
}

// listed writes resolutions for messages.
func listed(all []driving.Resolution) string {
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = string(r)
	}
	return strings.Join(texts, ", ")
}
