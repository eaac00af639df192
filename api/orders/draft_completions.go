package orders

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
)

// maxCompletions is how many drafts one call may complete.
const maxCompletions = 100

// completion is a draft to complete, and its new content.
type completion struct {
	draft   int64
	request order.Request
}

// completeDrafts completes many drafts independently: a problem with one does not stop
// the others.
func (h *Handlers) completeDrafts(w http.ResponseWriter, r *http.Request) error {
	all, err := readCompletions(r)
	if err != nil {
		return err
	}
	out := contract.DraftCompletions{Results: make([]contract.DraftCompletionResult, len(all))}
	for i, c := range all {
		if out.Results[i], err = h.completeOne(r, c); err != nil {
			return err
		}
	}
	return edge.WriteJSON(w, http.StatusOK, out)
}

func readCompletions(r *http.Request) (all []completion, err error) {
	var sent []struct {
		OrderDraftID int64          `json:"orderDraftId"`
		Order        jsontext.Value `json:"order"`
	}
	err = wire.ReadObject(r.Body, func(name string, raw jsontext.Value) error {
		if name != "drafts" {
			return nil
		}
		return wire.ReadValue(raw, name, &sent)
	})
	if err != nil {
		return nil, err
	}
	if len(sent) == 0 || len(sent) > maxCompletions {
		return nil, fault.Field("drafts", fault.Say("draft.completions_count", "max", strconv.Itoa(maxCompletions)))
	}
	all = make([]completion, len(sent))
	for i, c := range sent {
		at := fmt.Sprintf("drafts[%d].", i)
		if c.OrderDraftID < 1 || len(c.Order) == 0 {
			return nil, fault.Field(at+"orderDraftId", fault.Say("draft.completion_incomplete"))
		}
		all[i].draft = c.OrderDraftID
		if all[i].request, err = wire.ReadRequest(c.Order, at+"order"); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// completeOne completes a draft. A fault of the caller's is its result, any other one
// ends the request.
func (h *Handlers) completeOne(r *http.Request, c completion) (contract.DraftCompletionResult, error) {
	say := edge.LocalizerOf(r.Context())
	result := contract.DraftCompletionResult{OrderDraftID: c.draft, Reasons: []contract.ImportReason{}}
	d, err := h.operations.Orders.CompleteDraft(r.Context(), edge.Caller(r.Context()), c.draft, c.request)
	var refused *fault.Error
	switch {
	case errors.As(err, &refused):
		reason, message := edge.ReasonOf(refused.Text), say.Say(refused.Text)
		if len(refused.Violations) > 0 {
			reason, message = edge.ReasonOf(refused.Violations[0].Text), say.Say(refused.Violations[0].Text)
		}
		result.Result, result.Reason, result.Message = contract.DraftCompletionResultResultRefused, &reason, &message
	case err != nil:
		return result, err
	case d.State == order.DraftPromoted:
		result.Result, result.OrderID = contract.DraftCompletionResultResultCompleted, edge.IDOrNone(d.OrderID)
	default:
		result.Result, result.Reasons = contract.DraftCompletionResultResultIncomplete, newReasons(d.Reasons, say)
	}
	return result, nil
}
