package store

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// EventLocationDeleted is a location that was taken out of use.
const EventLocationDeleted order.EventKind = "location.deleted"

// Location reads one location.
func (s *Store) Location(ctx context.Context, org, id int64) (Document, error) {
	doc, err := s.of(org).ReadLocation(ctx, queries.ReadLocationParams{OrgID: org, ID: id})
	return doc, absent("location", id, err)
}

// Locations gives one page of the locations, and how many there are in all.
func (s *Store) Locations(ctx context.Context, org int64, page Page) ([]Document, int64, error) {
	rows, err := s.of(org).PageLocations(ctx, queries.PageLocationsParams{OrgID: org, PageSize: page.Size, Skip: page.skip()})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.Locations(ctx, org, countOnly)
		return nil, total, err
	}
	docs, total := make([]Document, len(rows)), int64(0)
	for i, r := range rows {
		docs[i], total = r.Document, r.Total
	}
	return docs, total, translate(err)
}

// DeleteLocation takes a location out of use, unless active templates need it.
// Orders that were made with it keep it.
func (s *Store) DeleteLocation(ctx context.Context, by caller.Caller, id int64) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		externalID, err := t.q.LockLocation(ctx, queries.LockLocationParams{OrgID: by.OrgID, ID: id})
		if err != nil {
			return absent("location", id, err)
		}
		templates, err := t.q.CountActiveTemplatesOfLocation(ctx, queries.CountActiveTemplatesOfLocationParams{OrgID: by.OrgID, LocationID: id})
		if err != nil {
			return err
		}
		if templates > 0 {
			return &fault.Error{
				Kind: fault.Invalid, Text: fault.Say("location.in_use", "count", fmt.Sprint(templates)),
				Resource: "location", Name: fmt.Sprint(id),
			}
		}
		if err := t.q.DeleteLocation(ctx, queries.DeleteLocationParams{OrgID: by.OrgID, ID: id}); err != nil {
			return err
		}
		return t.appendEvent(ctx, EventLocationDeleted, externalID)
	})
}
