package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/location"
	"waybill/domain/masterdata"
	"waybill/operations/core"
	"waybill/store"
)

// CreatedLocation is an added location, in the API's form.
type CreatedLocation struct {
	ID       int64
	Document store.Document
}

// CreateLocation adds a location, whose external id no other one may have.
func (o *Operations) CreateLocation(
	ctx context.Context, c caller.Caller, details location.Details,
) (CreatedLocation, error) {
	return core.Once(ctx, o.store, c, func(t *store.Tx) (created CreatedLocation, err error) {
		if err := keepsKnownCalendar(ctx, t, nil, details.CalendarID); err != nil {
			return created, err
		}
		if created.ID, err = t.SaveNewLocation(ctx, &details); err != nil {
			return created, err
		}
		created.Document, err = t.LocationDocument(ctx, created.ID)
		return created, err
	})
}

// ChangeLocation applies change to a location, saves it if it differs, and
// returns it in the API's form. Stops of existing orders don't change.
func (o *Operations) ChangeLocation(
	ctx context.Context, c caller.Caller, id int64, change func(location.Details) (location.Details, error),
) (doc store.Document, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		present, err := t.LockLocation(ctx, id)
		if err != nil {
			return err
		}
		wanted, err := change(present)
		if err != nil {
			return err
		}
		if err := keepsKnownCalendar(ctx, t, present.CalendarID, wanted.CalendarID); err != nil {
			return err
		}
		if !wanted.Same(&present) {
			if err := t.SaveLocation(ctx, id, &wanted); err != nil {
				return err
			}
		}
		doc, err = t.LocationDocument(ctx, id)
		return err
	})
	return doc, err
}

// DeleteLocation deactivates a location, unless active templates need it.
// Orders that were made with it keep it.
func (o *Operations) DeleteLocation(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		present, err := t.LockLocation(ctx, id)
		if err != nil {
			return err
		}
		templates, err := t.CountActiveTemplatesOfLocation(ctx, id)
		if err != nil {
			return err
		}
		if templates > 0 {
			return &fault.Error{
				Kind: fault.Invalid, Text: fault.Say("location.in_use", "count", fmt.Sprint(templates)),
				Resource: "location", Name: fmt.Sprint(id),
			}
		}
		return t.SaveLocationDeleted(ctx, id, present.ExternalID)
	})
}

// keepsKnownCalendar refuses a new calendar of a location that does not exist, or is inactive.
func keepsKnownCalendar(ctx context.Context, t *store.Tx, before, wanted *int64) error {
	if wanted == nil || before != nil && *before == *wanted {
		return nil
	}
	return refuseUnknown(ctx, t, []masterdata.Reference{{Field: "calendar_id", Kind: masterdata.Calendars, ID: *wanted}})
}
