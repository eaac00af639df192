package tracking

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/recipient"
	"waybill/store"
)

// instructions have recipients ask something of the driver.
var instructions = action{
	name: recipient.LeaveInstructions, path: "instructions", form: asks(instructionsForm),
	send: sendInstructions,
}

func sendInstructions(
	ctx context.Context, h *Handlers, c caller.Caller, code string, r *http.Request,
) (store.TrackedStop, error) {
	asked, keepCode, err := instructionsOf(r)
	if err != nil {
		return store.TrackedStop{}, err
	}
	return h.operations.Tracking.Instruct(ctx, c, code, asked, keepCode)
}

// instructionsOf reads what a form or a program sends, and whether the door code stays as it was.
func instructionsOf(r *http.Request) (asked recipient.Instructions, keepCode bool, err error) {
	if isForm(r) {
		sent, err := formOf(r)
		asked = recipient.Instructions{
			Text: sent.Get("instructions"), SafePlace: sent.Get("safePlace"), Note: sent.Get("safePlaceNote"),
			DoorCode: sent.Get("doorCode"), Absent: sent.Get("absent") != "",
		}
		return asked, asked.DoorCode == "" && sent.Get("removeDoorCode") == "", err
	}
	body, err := read[contract.RecipientInstructions](r)
	if err != nil {
		return asked, false, err
	}
	asked.Text, asked.Note = edge.OrEmpty(body.Instructions), edge.OrEmpty(body.SafePlaceNote)
	asked.Absent = body.Absent != nil && *body.Absent
	if place, err := body.SafePlace.Get(); err == nil {
		asked.SafePlace = string(place)
	}
	asked.DoorCode, err = body.DoorCode.Get() // absent or null
	return asked, err != nil, nil
}

// instructionsForm asks what the driver should know. It never contains the door code that is kept: somebody else may
// have the link.
func instructionsForm(say *spoken, stop *store.TrackedStop) form {
	asked := &stop.Instructions
	places := []option{{Text: say.say("safe.none")}}
	for _, place := range recipient.SafePlaces {
		places = append(places, option{Value: place, Text: say.say("safe." + place), Chosen: place == asked.SafePlace})
	}
	code := field{
		Name: "doorCode", Kind: "text", Label: say.say("door_code"), Hint: say.say("door_code.help"),
		Longest: recipient.LongestDoorCode,
	}
	absent := field{Name: "absent", Kind: "check", Label: say.say("absent")}
	if asked.Absent {
		absent.Value = "1"
	}
	all := []field{
		absent,
		{
			Name: "instructions", Kind: "long", Label: say.say("instructions"), Value: asked.Text,
			Longest: recipient.LongestText,
		},
		{Name: "safePlace", Kind: "choice", Label: say.say("safe"), Options: places},
		{
			Name: "safePlaceNote", Kind: "text", Label: say.say("safe.note"), Value: asked.Note,
			Longest: recipient.LongestNote,
		},
	}
	if asked.DoorCode == "" {
		all = append(all, code)
	} else {
		code.Hint += " " + say.say("door_code.kept")
		all = append(all, code, field{Name: "removeDoorCode", Kind: "check", Label: say.say("door_code.remove")})
	}
	return form{Fields: all}
}

// instructionsFact is what the recipient has asked, without the door code.
func instructionsFact(say *spoken, stop *store.TrackedStop) []string {
	asked := &stop.Instructions
	var lines []string
	if asked.Absent {
		lines = append(lines, say.say("absent"))
	}
	lines = append(lines, nonEmpty(asked.Text)...)
	if asked.SafePlace != "" {
		lines = append(lines, say.say("safe."+asked.SafePlace))
	}
	lines = append(lines, nonEmpty(asked.Note)...)
	if asked.DoorCode != "" {
		lines = append(lines, say.say("yours.door_code"))
	}
	return lines
}

// toldInstructions is the same for programs.
func toldInstructions(stop *store.TrackedStop) *contract.TrackedInstructions {
	asked := &stop.Instructions
	if *asked == (recipient.Instructions{}) {
		return nil
	}
	told := &contract.TrackedInstructions{
		Instructions: asked.Text, SafePlaceNote: asked.Note, HasDoorCode: asked.DoorCode != "",
		Absent: asked.Absent,
	}
	if asked.SafePlace != "" {
		told.SafePlace.Set(contract.SafePlace(asked.SafePlace))
	}
	return told
}
