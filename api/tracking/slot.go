package tracking

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/domain/booking"
	"waybill/domain/recipient"
	"waybill/operations/tracking"
	"waybill/store"
)

// slot has recipients choose another slot of the day.
var slot = action{
	name: recipient.ChooseSlot, path: "slot", form: slotForm, tell: tellSlots,
	send: sends(slotOf, (*tracking.Operations).ChooseSlot),
}

// slotOf reads what a form or a program sends. A form without a slot has the slot 0, which nobody offers.
func slotOf(r *http.Request) (booking.IntervalID, error) {
	if isForm(r) {
		sent, err := formOf(r)
		id, _ := strconv.ParseInt(sent.Get("slot"), 10, 64)
		return booking.IntervalID(id), err
	}
	body, err := read[contract.RecipientSlotChoice](r)
	return booking.IntervalID(body.Slot), err
}

// slotForm asks for one of the slots that are free. Their windows are those of the delivery.
func slotForm(ctx context.Context, h *Handlers, say *spoken, stop *store.TrackedStop) (form, error) {
	slots, has, err := h.operations.Tracking.Slots(ctx, stop)
	if err != nil {
		return form{}, err
	}
	if len(slots) == 0 {
		return form{Empty: say.say("slot.none")}, nil
	}
	choice := field{Name: "slot", Kind: "pick", Label: say.say("slot")}
	for i := range slots {
		s := &slots[i]
		choice.Options = append(choice.Options, option{
			Value: strconv.FormatInt(int64(s.ID), 10), Chosen: s.ID == has,
			Text: strings.Join(say.between(s.Delivery.Earliest, s.Delivery.Latest), ", "),
		})
	}
	return form{Fields: []field{choice}}, nil
}

// tellSlots is the same for programs.
func tellSlots(ctx context.Context, h *Handlers, stop *store.TrackedStop) (any, error) {
	slots, has, err := h.operations.Tracking.Slots(ctx, stop)
	if err != nil {
		return nil, err
	}
	told := contract.RecipientSlots{Slots: make([]contract.RecipientSlot, len(slots))}
	for i := range slots {
		s := &slots[i]
		told.Slots[i] = contract.RecipientSlot{
			ID: int64(s.ID), Earliest: s.Delivery.Earliest.UTC(), Latest: s.Delivery.Latest.UTC(), Chosen: s.ID == has,
		}
	}
	return told, nil
}
