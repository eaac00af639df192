package tracking

import (
	"net/http"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/recipient"
	"waybill/operations/tracking"
	"waybill/store"
)

// rating has recipients say what they think of a delivery.
var rating = action{
	name: recipient.RateDelivery, path: "rating", form: asks(ratingForm),
	send: sends(ratingOf, (*tracking.Operations).Rate),
}

// ratingOf reads what a form or a program sends. A form without stars has 0 of them, which are too few.
func ratingOf(r *http.Request) (recipient.Rating, error) {
	if isForm(r) {
		sent, err := formOf(r)
		stars, _ := strconv.Atoi(sent.Get("stars"))
		return recipient.Rating{Stars: stars, Comment: sent.Get("comment")}, err
	}
	body, err := read[contract.RecipientRating](r)
	return recipient.Rating{Stars: int(body.Stars), Comment: edge.OrEmpty(body.Comment)}, err
}

// ratingForm asks for stars, the best first, and a comment.
func ratingForm(say *spoken, stop *store.TrackedStop) form {
	stars := field{Name: "stars", Kind: "pick", Label: say.say("stars")}
	for n := recipient.MostStars; n > 0; n-- {
		value := strconv.Itoa(n)
		stars.Options = append(stars.Options, option{
			Value: value, Text: say.say("stars." + value), Chosen: stop.Rating.Stars == n,
		})
	}
	return form{Fields: []field{stars, {
		Name: "comment", Kind: "long", Label: say.say("comment"), Hint: say.say("comment.help"),
		Value: stop.Rating.Comment, Longest: recipient.LongestText,
	}}}
}

// ratingFact is what the recipient thinks of the delivery.
func ratingFact(say *spoken, stop *store.TrackedStop) []string {
	if stop.Rating.Stars == 0 {
		return nil
	}
	return append([]string{say.say("stars." + strconv.Itoa(stop.Rating.Stars))}, nonEmpty(stop.Rating.Comment)...)
}

// toldRating is the same for programs.
func toldRating(stop *store.TrackedStop) *contract.TrackedRating {
	if stop.Rating.Stars == 0 {
		return nil
	}
	return &contract.TrackedRating{Stars: int32(stop.Rating.Stars), Comment: stop.Rating.Comment}
}
