package masterdata

import (
	"context"
	"fmt"

	"waybill/api/edge"
	"waybill/domain/masterdata"
)

// created is JSON of something new that a view has shaped.
type created document

// create answers a record of master data that a body describes.
func (h *Handlers) create(ctx context.Context, kind masterdata.Kind, path string, body any) (created, error) {
	kept, err := h.operations.MasterData.CreateRecord(ctx, edge.Caller(ctx), kind, body)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/%s/%d", path, kept.ID))
	edge.Versioned(ctx, kept.Version())
	return created(kept.Document), nil
}

// update answers a record of master data that a body changes.
func (h *Handlers) update(
	ctx context.Context, kind masterdata.Kind, id int64, ifMatch *string, body any,
) (document, error) {
	expected, err := edge.Expected(ifMatch)
	if err != nil {
		return nil, err
	}
	kept, err := h.operations.MasterData.ChangeRecord(ctx, edge.Caller(ctx), kind, id, expected, body)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, kept.Version())
	return document(kept.Document), nil
}
