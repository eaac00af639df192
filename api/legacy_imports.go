package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode"

	"github.com/oapi-codegen/nullable"

	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/store"
)

// legacyImportV1 is the path whose errors are plain text.
const legacyImportV1 = "/v1/import/orders"

// importOrdersV1 imports orders in the legacy form, and computes no prices.
func (s *Server) importOrdersV1(w http.ResponseWriter, r *http.Request) error {
	return s.importLegacy(w, r, false)
}

// importOrdersV2 imports orders in the legacy form, with the prices of the
// price lists.
func (s *Server) importOrdersV2(w http.ResponseWriter, r *http.Request) error {
	return s.importLegacy(w, r, true)
}

func (s *Server) importLegacy(w http.ResponseWriter, r *http.Request, priced bool) error {
	body, err := wire.DecodeLegacy(r.Body)
	if err != nil {
		return err
	}
	body.Defaults.ComputePrices = priced
	ctx, org := r.Context(), PrincipalOf(r.Context()).OrgID
	importID, done, err := s.runImport(ctx, org, body, false)
	if err != nil {
		return err
	}
	if !done {
		return s.answerLater(w, r, importID)
	}
	say := LocalizerOf(ctx)
	return streamObject(w, "orders", func(yield func(json.RawMessage, error) bool) {
		for result, err := range s.store.ImportResults(ctx, org, importID) {
			var encoded json.RawMessage
			if err == nil {
				encoded, err = json.Marshal(newLegacyResult(result, say))
			}
			if !yield(encoded, err) || err != nil {
				return
			}
		}
	})
}

func newLegacyResult(r store.ImportResult, say Localizer) LegacyImportedOrder {
	out := LegacyImportedOrder{
		OrderID: idOrNull(r.OrderID), DraftID: idOrNull(r.DraftID), InternalOrderNumber: r.ExternalID,
		Result: legacyResult(r.Kind), Errors: newReasons(r.Reasons, say),
	}
	for i := range out.Errors {
		out.Errors[i].Field = snakeCase(out.Errors[i].Field)
	}
	return out
}

func idOrNull(id int64) nullable.Nullable[int64] { return orNull(idOrNone(id)) }

func legacyResult(kind order.Kind) LegacyImportedOrderResult {
	switch kind {
	case order.OrderCreated:
		return LegacyImportedOrderResultCreated
	case order.OrderUpdated:
		return LegacyImportedOrderResultUpdated
	case order.OrderMerged:
		return LegacyImportedOrderResultMerged
	case order.DraftCreated:
		return LegacyImportedOrderResultDraft
	case order.FailedUpdate:
	}
	return LegacyImportedOrderResultFailed
}

// snakeCase writes the path of a field as the legacy imports write it. What is
// externalId elsewhere is the order's number here.
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

// wantsPlainErrors reports whether a request's errors are answered as plain
// text.
func wantsPlainErrors(r *http.Request) bool {
	return r.Method == http.MethodPut && r.URL.Path == legacyImportV1
}

// plainText writes an error for people, with a line for each field.
func plainText(message string, details []StatusDetail) string {
	lines := []string{message}
	for _, d := range details {
		bad, err := d.AsBadRequestDetail()
		if err != nil {
			continue
		}
		for _, v := range bad.FieldViolations {
			lines = append(lines, v.Field+": "+v.Description)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
