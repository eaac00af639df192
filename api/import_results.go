package api

import (
	"encoding/json"
	"iter"
	"net/http"

	"waybill/domain/order"
	"waybill/store"
)

// writeResults streams the results of an import in the request's order.
func (s *Server) writeResults(w http.ResponseWriter, r *http.Request, results iter.Seq2[store.ImportResult, error]) error {
	say := LocalizerOf(r.Context())
	return streamObject(w, "results", func(yield func(json.RawMessage, error) bool) {
		for result, err := range results {
			var encoded json.RawMessage
			if err == nil {
				encoded, err = json.Marshal(newResult(result, say))
			}
			if !yield(encoded, err) || err != nil {
				return
			}
		}
	})
}

// foreseen gives the results of a preview; what does not exist has no id.
func foreseen(results []order.Result) iter.Seq2[store.ImportResult, error] {
	return func(yield func(store.ImportResult, error) bool) {
		for _, r := range results {
			out := store.ImportResult{Kind: r.Kind, ExternalID: r.ExternalID, Reasons: r.Reasons}
			if r.Order != nil {
				out.OrderID = r.Order.ID
			}
			if r.Draft != nil {
				out.DraftID = r.Draft.ID
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

func newResult(r store.ImportResult, say Localizer) ImportResult {
	imported := &ImportedOrder{OrderID: idOrNone(r.OrderID), ExternalID: r.ExternalID}
	switch r.Kind {
	case order.OrderCreated:
		return ImportResult{OrderCreated: imported}
	case order.OrderUpdated:
		return ImportResult{OrderUpdated: imported}
	case order.OrderMerged:
		return ImportResult{OrderMerged: imported}
	case order.DraftCreated:
		return ImportResult{DraftCreated: &ImportedDraft{
			DraftID: idOrNone(r.DraftID), ExternalID: r.ExternalID, Reasons: newReasons(r.Reasons, say),
		}}
	}
	return ImportResult{FailedUpdate: &FailedUpdate{ExternalID: r.ExternalID, Reasons: newReasons(r.Reasons, say)}}
}

func idOrNone(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// newReasons says reasons in the caller's language.
func newReasons(reasons []order.Reason, say Localizer) []ImportReason {
	out := make([]ImportReason, len(reasons))
	for i, r := range reasons {
		out[i] = ImportReason{Code: ImportReasonCode(r.Code), Field: r.Field, Message: say.Say(r.Text)}
	}
	return out
}
