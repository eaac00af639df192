package edge

import "waybill/domain/fault"

// IllegalState is the refusal of an order, by its number, whose state does not
// allow what is asked.
func IllegalState(text, number string) error {
	return &fault.Error{
		Kind: fault.IllegalState, Text: fault.Say(text, "name", number), Resource: "order", Name: number,
	}
}
