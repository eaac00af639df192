package tracking

import (
	"net/http"
	"strconv"

	"waybill/api/contract"
	"waybill/domain/recipient"
	"waybill/operations/tracking"
	"waybill/store"
)

// preferences have recipients say how they want to hear of a delivery.
var preferences = action{
	name: recipient.ChooseMessages, path: "preferences", form: asks(preferencesForm),
	send: sends(preferencesOf, (*tracking.Operations).Prefer),
}

// preferencesOf reads what a form or a program sends. Messages are wanted unless it says otherwise.
func preferencesOf(r *http.Request) (said recipient.Preferences, err error) {
	if isForm(r) {
		sent, err := formOf(r)
		return recipient.Preferences{
			Language: sent.Get("language"), Unwanted: sent.Get("messages") == "false",
		}, err
	}
	body, err := read[contract.RecipientPreferences](r)
	if language, absent := body.Language.Get(); absent == nil {
		said.Language = string(language)
	}
	said.Unwanted = body.Messages != nil && !*body.Messages
	return said, err
}

// preferencesForm asks whether messages are wanted, and in which language.
func preferencesForm(say *spoken, stop *store.TrackedStop) form {
	chosen := &stop.Preferences
	wanted := field{Name: "messages", Kind: "choice", Label: say.say("messages")}
	for _, yes := range []bool{true, false} {
		value := strconv.FormatBool(yes)
		wanted.Options = append(wanted.Options, option{
			Value: value, Text: say.say("messages." + value), Chosen: yes != chosen.Unwanted,
		})
	}
	language := field{
		Name: "language", Kind: "choice", Label: say.say("message_language"),
		Options: []option{{Text: say.say("message_language.usual")}},
	}
	for _, tag := range recipient.MessageLanguages {
		language.Options = append(language.Options, option{
			Value: tag, Text: say.say("message_language." + tag), Chosen: tag == chosen.Language,
		})
	}
	return form{Fields: []field{wanted, language}}
}

// preferencesFact is how the recipient wants to hear of the delivery.
func preferencesFact(say *spoken, stop *store.TrackedStop) []string {
	switch chosen := &stop.Preferences; {
	case chosen.Unwanted:
		return []string{say.say("messages.false")}
	case chosen.Language != "":
		return []string{say.say("message_language." + chosen.Language)}
	}
	return nil
}

// toldPreferences is the same for programs.
func toldPreferences(stop *store.TrackedStop) *contract.RecipientPreferences {
	chosen := &stop.Preferences
	if *chosen == (recipient.Preferences{}) {
		return nil
	}
	told := &contract.RecipientPreferences{Messages: new(!chosen.Unwanted)}
	if chosen.Language != "" {
		told.Language.Set(contract.MessageLanguage(chosen.Language))
	}
	return told
}
