package order

import "waybill/domain/fault"

// DraftState is the state of a draft.
type DraftState string

// The states of a draft. A promoted draft has become an order, for good; a
// discarded one is opened again only when its number is imported again.
const (
	DraftIncomplete DraftState = "incomplete"
	DraftPromoted   DraftState = "promoted"
	DraftDiscarded  DraftState = "discarded"
)

// DraftStates are all of them.
var DraftStates = []DraftState{DraftIncomplete, DraftPromoted, DraftDiscarded}

// NumberFor returns the number of the order that a request makes of a draft. A
// draft that has a number keeps it, so the request may leave it out but not
// name another one; a draft without a number takes the request's.
func (d *Draft) NumberFor(req *Request) (string, error) {
	switch {
	case d.ExternalID == "" || req.ExternalID == d.ExternalID:
		return req.ExternalID, nil
	case req.ExternalID == "":
		return d.ExternalID, nil
	}
	return "", &fault.Error{
		Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
		Violations: []fault.Violation{{
			Field: "externalId", Text: fault.Say("draft.other_number", "name", fault.Clip(d.ExternalID)),
		}},
	}
}

// Taken reports whether the number of a snapshot belongs to an order or to
// another draft.
func (d *Draft) Taken(s *Snapshot, number string) bool {
	if n, known := s.Numbers[number]; known && n.OrderID != 0 {
		return true
	}
	other := s.index.drafts[number]
	return number != "" && other != nil && other.ID != d.ID
}

// Complete checks a request that completes a draft, by the rules of an import:
// the draft is promoted if it is valid, and otherwise stays with the request
// and its reasons. The snapshot must be one for that request, and its number
// free.
func Complete(s *Snapshot, defaults Defaults, draft *Draft, req Request) Plan {
	d := newDecider(s, defaults)
	d.completing = draft
	if req.ExternalID != "" {
		s.index.drafts[req.ExternalID] = draft
	}
	d.plan.Results = []Result{d.entry(&req)}
	return d.plan
}
