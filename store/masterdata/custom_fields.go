package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) customFields(ctx context.Context) (counts, error) {
	params := queries.ApplyCustomFieldsParams{OrgID: a.org}
	for i := range a.document.CustomFields {
		f := &a.document.CustomFields[i]
		columns.Add(&params.ExternalIds, f.ExternalID)
		columns.Add(&params.Labels, f.Label)
		columns.Add(&params.Titles, f.Title)
		columns.Add(&params.Descriptions, f.Description)
		columns.Add(&params.Icons, f.Icon)
		columns.Add(&params.ColorBackgrounds, f.ColorScheme.Background)
		columns.Add(&params.ColorTexts, f.ColorScheme.Text)
		columns.Add(&params.SortOrderBatches, f.SortOrderBatch)
		columns.Add(&params.DisplayOns, f.DisplayOn)
		columns.Add(&params.DisplayStyles, f.DisplayStyle)
	}
	n, err := a.q.ApplyCustomFields(ctx, params)
	return counts(n), err
}

func (a *applier) pruneCustomFields(ctx context.Context) (int64, error) {
	ids := columns.Of(a.document.CustomFields, func(f organization.CustomField) string { return f.ExternalID })
	return a.q.PruneCustomFields(ctx, queries.PruneCustomFieldsParams{OrgID: a.org, ExternalIds: ids})
}
