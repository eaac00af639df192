package orders

import (
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/order"
	"waybill/domain/outward"
	"waybill/store"
)

// writeResults streams the results of an import in the request's order.
func (h *Handlers) writeResults(
	w http.ResponseWriter, r *http.Request, results iter.Seq2[store.ImportResult, error],
) error {
	return edge.StreamObject(w, "results", encodedResults(r, results))
}

// writePreview streams the results that an import would have, and names the
// members that would have no effect.
func (h *Handlers) writePreview(
	w http.ResponseWriter, r *http.Request, results iter.Seq2[store.ImportResult, error], unknown []string,
) error {
	names, err := json.Marshal(append([]string{}, unknown...))
	if err != nil {
		return err
	}
	return edge.StreamObjectWith(w, "results", encodedResults(r, results), "unknownFields", names)
}

func encodedResults(r *http.Request, results iter.Seq2[store.ImportResult, error]) iter.Seq2[json.RawMessage, error] {
	say := edge.LocalizerOf(r.Context())
	return func(yield func(json.RawMessage, error) bool) {
		for result, err := range results {
			var encoded json.RawMessage
			if err == nil {
				encoded, err = outward.Marshal(newResult(result, say))
			}
			if !yield(encoded, err) || err != nil {
				return
			}
		}
	}
}

// warnOfUnknown names members that have no effect in a Warning header (RFC 7234,
// section 5.5: 299 is any other persistent warning), the first of them where
// they are many.
func warnOfUnknown(w http.ResponseWriter, unknown []string) {
	const most = 10
	if len(unknown) == 0 {
		return
	}
	text := strings.Join(unknown[:min(most, len(unknown))], ", ")
	if len(unknown) > most {
		text += ", ..."
	}
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return '?'
		}
		return c
	}, text)
	w.Header().Set("Warning", `299 - "unknown fields have no effect: `+text+`"`)
}

// previewResults returns the results of a preview; nonexistent records have no
// id.
func previewResults(results []order.Result) iter.Seq2[store.ImportResult, error] {
	return func(yield func(store.ImportResult, error) bool) {
		for _, r := range results {
			out := store.ImportResult{
				Kind: r.Kind, ExternalID: r.ExternalID, Status: r.Status, Reasons: slices.Concat(r.Reasons, r.NotApplied),
			}
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

func newResult(r store.ImportResult, say edge.Localizer) contract.ImportResult {
	imported := &contract.ImportedOrder{
		OrderID: edge.IDOrNone(r.OrderID), ExternalID: r.ExternalID, NotApplied: newNotApplied(r.Reasons, say),
		Warnings: newWarnings(r.Reasons, say),
	}
	if r.Status != 0 {
		status := contract.OrderStatusID(r.Status)
		imported.OrderStatusID = &status
	}
	switch r.Kind {
	case order.OrderCreated:
		return contract.ImportResult{OrderCreated: imported}
	case order.OrderUpdated:
		return contract.ImportResult{OrderUpdated: imported}
	case order.OrderMerged:
		return contract.ImportResult{OrderMerged: imported}
	case order.DraftCreated:
		return contract.ImportResult{DraftCreated: &contract.ImportedDraft{
			DraftID: edge.IDOrNone(r.DraftID), ExternalID: r.ExternalID, Reasons: newReasons(r.Reasons, say),
			NotApplied: newNotApplied(r.Reasons, say),
		}}
	}
	return contract.ImportResult{
		FailedUpdate: &contract.FailedUpdate{ExternalID: r.ExternalID, Reasons: newReasons(r.Reasons, say)},
	}
}

// newReasons describes errors in the caller's language.
func newReasons(reasons []order.Reason, say edge.Localizer) []contract.ImportReason {
	out := make([]contract.ImportReason, 0, len(reasons))
	for _, r := range reasons {
		if r.Code.NotApplied() {
			continue
		}
		out = append(out, contract.ImportReason{
			Code: contract.ImportReasonCode(r.Code), Reason: edge.ReasonOf(r.Text), Field: r.Field, Message: say.Say(r.Text),
		})
	}
	return out
}

// newNotApplied lists what was not applied to an order, or nothing if all was.
func newNotApplied(notes []order.Reason, say edge.Localizer) *[]contract.NotApplied {
	var out []contract.NotApplied
	for _, n := range notes {
		if n.Code.NotApplied() {
			out = append(out, contract.NotApplied{
				Reason: contract.NotAppliedReason(n.Code), Field: n.Field, Message: say.Say(n.Text),
			})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &out
}

// newWarnings lists what was applied to an order but looks like a mistake, or
// nothing.
func newWarnings(notes []order.Reason, say edge.Localizer) *[]contract.ImportWarning {
	var out []contract.ImportWarning
	for _, n := range notes {
		if n.Code.Warns() {
			out = append(out, contract.ImportWarning{
				Reason: contract.ImportWarningReason(n.Code), Field: n.Field, Message: say.Say(n.Text),
			})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &out
}
