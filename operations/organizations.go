package operations

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/organization"
	"waybill/store/masterdata"
)

// ApplyOrganization makes an organization and its master data what a document
// says; the caller's organization is that of the document. A document that refers
// to something unknown is refused with organization.Problems.
func (o *Operations) ApplyOrganization(
	ctx context.Context, c caller.Caller, d *organization.Document, options masterdata.Options,
) (masterdata.Applied, error) {
	applied, err := masterdata.Apply(ctx, o.store, c, d, options)
	if err != nil {
		return masterdata.Applied{}, fmt.Errorf("apply organization %s: %w", d.Organization.Slug, err)
	}
	return applied, nil
}
