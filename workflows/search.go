package workflows

import "go.temporal.io/sdk/temporal"

// The search attributes by which operators find workflows; `waybill migrate`
// registers them.
var (
	searchOrg        = temporal.NewSearchAttributeKeyInt64("WaybillOrg")
	searchOrderID    = temporal.NewSearchAttributeKeyInt64("WaybillOrderId")
	searchExternalID = temporal.NewSearchAttributeKeyKeyword("WaybillExternalId")
	searchTemplate   = temporal.NewSearchAttributeKeyInt64("WaybillTemplateId")
	searchState      = temporal.NewSearchAttributeKeyKeyword("WaybillState")
	searchChannel    = temporal.NewSearchAttributeKeyKeyword("WaybillChannel")
)
