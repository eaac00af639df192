package recurring

import (
	"context"
	"errors"

	"waybill/domain/recurring"
)

// errEditedMeanwhile means that an order was edited between reading a
// template's orders and locking them. The step starts again, and then sees the
// edit.
var errEditedMeanwhile = errors.New("an order was edited in the meantime")

// unedited returns errEditedMeanwhile if one of these locked orders has been
// edited since they were read.
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
