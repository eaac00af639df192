package store

import (
	"context"

	"waybill/domain/event"
	"waybill/store/queries"
)

// Location reads one location.
func (s *Store) Location(ctx context.Context, org, id int64) (Document, error) {
	doc, err := s.of(org).ReadLocation(ctx, queries.ReadLocationParams{OrgID: org, ID: id})
	return doc, absent("location", id, err)
}

// Locations returns one page of the locations, and how many there are in all.
func (s *Store) Locations(ctx context.Context, org int64, page Page) ([]Document, int64, error) {
	rows, err := s.of(org).PageLocations(ctx, queries.PageLocationsParams{
		OrgID: org, PageSize: page.Size, Skip: page.skip(),
	})
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

// LockLocation locks a location for this transaction and returns its external
// id.
func (t *Tx) LockLocation(ctx context.Context, id int64) (externalID string, err error) {
	externalID, err = t.q.LockLocation(ctx, queries.LockLocationParams{OrgID: t.org, ID: id})
	return externalID, absent("location", id, err)
}

// CountActiveTemplatesOfLocation counts the active templates that name a
// location.
func (t *Tx) CountActiveTemplatesOfLocation(ctx context.Context, id int64) (int32, error) {
	return t.q.CountActiveTemplatesOfLocation(ctx, queries.CountActiveTemplatesOfLocationParams{
		OrgID: t.org, LocationID: id,
	})
}

// SaveLocationDeleted takes a location out of use, with its event.
func (t *Tx) SaveLocationDeleted(ctx context.Context, id int64, externalID string) error {
	if err := t.q.DeleteLocation(ctx, queries.DeleteLocationParams{OrgID: t.org, ID: id}); err != nil {
		return err
	}
	return t.Append(ctx, event.Location{ID: id, ExternalID: externalID}.Event(event.LocationDeleted))
}
