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

// ApplyOrganization makes an organization and its master data what a document
// says; the caller's organization is that of the document. A document that refers
// to something unknown is refused with organization.Problems. What remains unsigned
// is neither by the organization's documents nor by the installation.
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

// signs reports whether the installation says whom messages are from, where an
// organization does not.
func (o *Operations) signs(channel notification.Channel) bool {
	if channel == notification.Email {
		return o.settings.MailFrom != ""
	}
	return o.settings.SMSFrom != ""
}
