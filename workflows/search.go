package workflows

import "go.temporal.io/sdk/temporal"

// The search attributes by which operators find workflows. The type of one in
// use never changes. Make new ones Keywords, even for ids: Temporal's SQL
// visibility has room for only three integers, and these three use it up.
var (
	searchOrg        = temporal.NewSearchAttributeKeyInt64("WaybillOrg")
	searchOrderID    = temporal.NewSearchAttributeKeyInt64("WaybillOrderId")
	searchTemplate   = temporal.NewSearchAttributeKeyInt64("WaybillTemplateId")
	searchExternalID = temporal.NewSearchAttributeKeyKeyword("WaybillExternalId")
	searchState      = temporal.NewSearchAttributeKeyKeyword("WaybillState")
	searchChannel    = temporal.NewSearchAttributeKeyKeyword("WaybillChannel")
	searchReason     = temporal.NewSearchAttributeKeyKeyword("WaybillReason")
)

// SearchAttributes are all search attributes. A namespace must have them before
// workflows start in it.
func SearchAttributes() []temporal.SearchAttributeKey {
	return []temporal.SearchAttributeKey{
		searchOrg, searchOrderID, searchTemplate, searchExternalID, searchState, searchChannel,
		searchReason,
	}
}
