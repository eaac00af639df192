package orders

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/domain/outward"
	"waybill/store"
)

// importOrdersV1 imports orders in the legacy form, and computes no prices.
func (h *Handlers) importOrdersV1(w http.ResponseWriter, r *http.Request) error {
	return h.importLegacy(w, r, false)
}

// importOrdersV2 imports orders in the legacy form, with the prices of the
// price lists.
func (h *Handlers) importOrdersV2(w http.ResponseWriter, r *http.Request) error {
	return h.importLegacy(w, r, true)
}

func (h *Handlers) importLegacy(w http.ResponseWriter, r *http.Request, priced bool) error {
	body, err := wire.DecodeLegacy(r.Body)
	if err != nil {
		return err
	}
	warnOfUnknown(w, body.Unknown)
	body.Defaults.ComputePrices = priced
	ctx, org := r.Context(), edge.PrincipalOf(r.Context()).OrgID
	importID, done, err := h.runImport(ctx, org, body, false)
	if err != nil {
		return err
	}
	if !done {
		return h.answerLater(w, r, importID)
	}
	say := edge.LocalizerOf(ctx)
	return edge.StreamObject(w, "orders", func(yield func(json.RawMessage, error) bool) {
		for result, err := range h.store.ImportResults(ctx, org, importID) {
			var encoded json.RawMessage
			if err == nil {
				encoded, err = outward.Marshal(newLegacyResult(result, say))
			}
			if !yield(encoded, err) || err != nil {
				return
			}
		}
	})
}

func newLegacyResult(r store.ImportResult, say edge.Localizer) contract.LegacyImportedOrder {
	out := contract.LegacyImportedOrder{
		OrderID: edge.IDOrNull(r.OrderID), DraftID: edge.IDOrNull(r.DraftID), InternalOrderNumber: r.ExternalID,
		Result: legacyResult(r.Kind), Errors: []contract.ImportReason{},
	}
	if r.Kind != order.DraftCreated && r.Kind != order.FailedUpdate {
		return out // notes on an accepted order are not errors
	}
	out.Errors = newReasons(r.Reasons, say)
	for i := range out.Errors {
		out.Errors[i].Field = snakeCase(out.Errors[i].Field)
	}
	return out
}

func legacyResult(kind order.Kind) contract.LegacyImportedOrderResult {
	switch kind {
	case order.OrderCreated:
		return contract.LegacyImportedOrderResultCreated
	case order.OrderUpdated:
		return contract.LegacyImportedOrderResultUpdated
	case order.OrderMerged:
		return contract.LegacyImportedOrderResultMerged
	case order.DraftCreated:
		return contract.LegacyImportedOrderResultDraft
	case order.FailedUpdate:
	}
	return contract.LegacyImportedOrderResultFailed
}

// snakeCase converts the path of a field to the form of legacy imports. There,
// externalId is the order's number.
func snakeCase(field string) string {
	if field == "externalId" {
		return "internal_order_number"
	}
	var b strings.Builder
	for _, c := range field {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return b.String()
}
