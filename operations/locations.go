package operations

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// DeleteLocation takes a location out of use, unless active templates need it.
// Orders that were made with it keep it.
func (o *Operations) DeleteLocation(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		externalID, err := t.LockLocation(ctx, id)
		if err != nil {
			return err
		}
		templates, err := t.CountActiveTemplatesOfLocation(ctx, id)
		if err != nil {
			return err
		}
		if templates > 0 {
			return &fault.Error{
				Kind: fault.Invalid, Text: fault.Say("location.in_use", "count", fmt.Sprint(templates)),
				Resource: "location", Name: fmt.Sprint(id),
			}
		}
		return t.SaveLocationDeleted(ctx, id, externalID)
	})
}
