package masterdata

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/domain/organization"
	"waybill/store/masterdata"
)

// ApplyOrganization applies a document to an organization; the caller's
// organization must be that of the document. A document that refers to
// something unknown is rejected with organization.Problems. The remaining
// unsigned channels have a sender neither in the organization's documents nor
// in the installation.
func (o *Operations) ApplyOrganization(
	ctx context.Context, c caller.Caller, d *organization.Document, options masterdata.Options,
) (masterdata.Applied, error) {
	applied, err := masterdata.Apply(ctx, o.store, c, d, options)
	if err != nil {
		return masterdata.Applied{}, fmt.Errorf("apply organization %s: %w", d.Organization.Slug, err)
	}
	applied.Unsigned = slices.DeleteFunc(applied.Unsigned, o.signs)
	return applied, nil
}

// signs reports whether the installation has a default sender.
func (o *Operations) signs(channel notification.Channel) bool {
	if channel == notification.Email {
		return o.settings.MailFrom != ""
	}
	return o.settings.SMSFrom != ""
}
