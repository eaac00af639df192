package workflows

import "go.temporal.io/sdk/temporal"

// The search attributes by which operators find workflows. The type of one that
// is in use never changes. A new one is a Keyword, an id too: Temporal's SQL
// visibility has room for three integers in all, and these three take it.
var (
	searchOrg        = temporal.NewSearchAttributeKeyInt64("WaybillOrg")
	searchOrderID    = temporal.NewSearchAttributeKeyInt64("WaybillOrderId")
	searchTemplate   = temporal.NewSearchAttributeKeyInt64("WaybillTemplateId")
	searchExternalID = temporal.NewSearchAttributeKeyKeyword("WaybillExternalId")
	searchState      = temporal.NewSearchAttributeKeyKeyword("WaybillState")
	searchChannel    = temporal.NewSearchAttributeKeyKeyword("WaybillChannel")
	searchReason     = temporal.NewSearchAttributeKeyKeyword("WaybillReason")
)

// SearchAttributes are all search attributes; a namespace must know them before
// a workflow starts in it.
func SearchAttributes() []temporal.SearchAttributeKey {
	return []temporal.SearchAttributeKey{
		searchOrg, searchOrderID, searchTemplate, searchExternalID, searchState, searchChannel,
		searchReason,
	}
}
