package store

import (
	"context"

	"waybill/domain/recipient"
	"waybill/store/queries"
)

// SaveRecipientInstructions keeps what the recipient of an order asks of the driver, with the event.
func (t *Tx) SaveRecipientInstructions(ctx context.Context, orderID int64, asked recipient.Instructions) error {
	return translate(t.q.SaveRecipientInstructions(ctx, queries.SaveRecipientInstructionsParams{
		OrgID: t.org, OrderID: orderID, Instructions: asked.Text, SafePlace: asked.SafePlace, SafePlaceNote: asked.Note,
		DoorCode: asked.DoorCode, Absent: asked.Absent,
	}))
}

// SaveRecipientRating keeps what the recipient of an order thinks of the delivery, with the event.
func (t *Tx) SaveRecipientRating(ctx context.Context, orderID int64, r recipient.Rating) error {
	return translate(t.q.SaveRecipientRating(ctx, queries.SaveRecipientRatingParams{
		OrgID: t.org, OrderID: orderID, Stars: int64(r.Stars), Comment: r.Comment,
	}))
}

// SaveRecipientPreferences keeps how the recipient of an order wants to hear of the delivery, with the event.
func (t *Tx) SaveRecipientPreferences(ctx context.Context, orderID int64, p recipient.Preferences) error {
	return translate(t.q.SaveRecipientPreferences(ctx, queries.SaveRecipientPreferencesParams{
		OrgID: t.org, OrderID: orderID, Language: p.Language, Unwanted: p.Unwanted,
	}))
}

// OrderRecipient reads what the recipient of an order has said, as v1 shows it.
func (s *Store) OrderRecipient(ctx context.Context, org, orderID int64) (Document, error) {
	doc, err := s.of(org).OrderRecipient(ctx, queries.OrderRecipientParams{OrgID: org, OrderID: orderID})
	return doc, absent("order", orderID, err)
}
