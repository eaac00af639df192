package recurring

import (
	"context"
	"errors"

	"waybill/domain/recurring"
)

// errEditedMeanwhile says that somebody edited an order between the look at what a
// template had generated and the lock on it. The step begins again, and then sees it.
var errEditedMeanwhile = errors.New("an order was edited in the meantime")

// unedited reports errEditedMeanwhile when one of these orders, which are locked, has
// been edited since they were looked at.
func (g *generating) unedited(ctx context.Context, existing []recurring.Existing) error {
	var ids []int64
	for i := range existing {
		if e := &existing[i]; e.OrderID != 0 && !e.Edited {
			ids = append(ids, e.OrderID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	edited, err := g.tx.AnyEdited(ctx, ids)
	if err == nil && edited {
		err = errEditedMeanwhile
	}
	return err
}
