package store

import (
	"context"
	"fmt"

	"waybill/domain/event"
	"waybill/domain/location"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Location reads one location.
func (s *Store) Location(ctx context.Context, org, id int64) (Document, error) {
	doc, err := s.of(org).ReadLocation(ctx, queries.ReadLocationParams{OrgID: org, ID: id})
	return doc, absent("location", id, err)
}

// LocationID returns the id of the location that has an external id.
func (s *Store) LocationID(ctx context.Context, org int64, externalID string) (int64, error) {
	id, err := s.of(org).LocationIDByExternalID(ctx, queries.LocationIDByExternalIDParams{
		OrgID: org, ExternalID: externalID,
	})
	return id, absent("location", externalID, err)
}

// LocationSearch filters locations by external id and by a text that they
// contain. A nil field matches everything.
type LocationSearch struct {
	ExternalID, Text *string
}

// How many locations are found and counted.
const (
	// maxFound bounds how many locations a text finds.
	maxFound = 10_000
	// countedBehind bounds how many are counted behind a page of all.
	countedBehind = 1_000
)

// Locations returns one page of locations and their total number. The total
// counts at most maxFound matches of a text, and without a text at most
// countedBehind locations after the page.
func (s *Store) Locations(ctx context.Context, org int64, search LocationSearch, page Page) ([]Document, int64, error) {
	docs, total, err := s.locations(ctx, org, search, page)
	if err == nil && len(docs) == 0 && page.Number > 1 {
		_, total, err = s.locations(ctx, org, search, countOnly)
	}
	return docs, total, translate(err)
}

func (s *Store) locations(
	ctx context.Context, org int64, search LocationSearch, page Page,
) (docs []Document, total int64, err error) {
	if search.Text != nil {
		rows, err := s.lists(org).SearchLocations(ctx, queries.SearchLocationsParams{
			OrgID: org, Term: *search.Text, Most: maxFound, ExternalID: search.ExternalID,
			PageSize: page.Size, Skip: page.skip(),
		})
		for _, r := range rows {
			docs, total = append(docs, r.Document), r.Total
		}
		return docs, total, err
	}
	rows, err := s.lists(org).PageLocations(ctx, queries.PageLocationsParams{
		OrgID: org, ExternalID: search.ExternalID, PageSize: page.Size, Skip: page.skip(),
		CountTo: page.skip() + page.Size + countedBehind,
	})
	for _, r := range rows {
		docs, total = append(docs, r.Document), r.Total
	}
	return docs, total, err
}

// LocationDocument reads one location as this transaction sees it.
func (t *Tx) LocationDocument(ctx context.Context, id int64) (Document, error) {
	doc, err := t.q.ReadLocation(ctx, queries.ReadLocationParams{OrgID: t.org, ID: id})
	return doc, absent("location", id, err)
}

// LockLocation locks a location for this transaction and returns its details.
func (t *Tx) LockLocation(ctx context.Context, id int64) (location.Details, error) {
	row, err := t.q.LockLocation(ctx, queries.LockLocationParams{OrgID: t.org, ID: id})
	if err != nil {
		return location.Details{}, absent("location", id, err)
	}
	d := location.Details{
		ExternalID: row.ExternalID, Name: row.Name, Opens: clockOrNil(row.Opens), Closes: clockOrNil(row.Closes),
		HoursAreDefault: row.UseOpeningHoursAsDefault, EstimatedTimeOnLocation: row.EstimatedTimeOnLocation,
		Curbside: row.Curbside, CalendarID: row.CalendarID,
		Address: order.Address{
			Address1: row.Address1, Address2: row.Address2, PostalCode: row.PostalCode, City: row.City,
			State: row.State, Country: row.Country, Latitude: row.Latitude, Longitude: row.Longitude,
		},
	}
	if d.ServiceTime, err = serviceTime(row.ServiceTime); err != nil {
		return d, fmt.Errorf("service time: %w", err)
	}
	if d.Pauses, err = readPauses(row.Pauses); err != nil {
		return d, err
	}
	windows, err := t.q.LocationTimeWindows(ctx, queries.LocationTimeWindowsParams{OrgID: t.org, LocationID: id})
	if err != nil {
		return d, fmt.Errorf("time windows: %w", err)
	}
	for _, w := range windows {
		d.Windows = append(d.Windows, location.Window{
			RRule: w.Rrule, Opens: order.Clock(w.Opens), Closes: order.Clock(w.Closes),
		})
	}
	return d, nil
}

// SaveNewLocation adds a location, with its event. An external id in use is a
// Duplicate fault, as is a known place without an external id.
func (t *Tx) SaveNewLocation(ctx context.Context, d *location.Details) (id int64, err error) {
	key := d.Key()
	id, err = t.q.CreateLocation(ctx, queries.CreateLocationParams{
		OrgID: t.org, ExternalID: d.ExternalID, MatchKey: key[:], Name: d.Name,
		Address1: d.Address.Address1, Address2: d.Address.Address2, PostalCode: d.Address.PostalCode,
		City: d.Address.City, State: d.Address.State, Country: d.Address.Country,
		Latitude: d.Address.Latitude, Longitude: d.Address.Longitude,
		Opens: minutes(d.Opens), Closes: minutes(d.Closes), AsDefault: d.HoursAreDefault,
		EstimatedTimeOnLocation: d.EstimatedTimeOnLocation, ServiceTime: ServiceTimeText(d.ServiceTime),
		Pauses: pausesText(d.Pauses), Curbside: d.Curbside, CalendarID: d.CalendarID,
	})
	if err != nil {
		return 0, takenPlace(d, err)
	}
	if err := t.saveTimeWindows(ctx, id, d.Windows); err != nil {
		return 0, err
	}
	if err := t.PlaceLocations(ctx, []int64{id}, nil); err != nil {
		return 0, err
	}
	return id, t.Append(ctx, event.Location{ID: id, ExternalID: d.ExternalID}.Event(event.LocationCreated))
}

// SaveLocation updates a location, with its event. An external id in use is a
// Duplicate fault, as is a known place without an external id.
func (t *Tx) SaveLocation(ctx context.Context, id int64, d *location.Details) error {
	key := d.Key()
	err := t.q.UpdateLocation(ctx, queries.UpdateLocationParams{
		OrgID: t.org, ID: id, ExternalID: d.ExternalID, MatchKey: key[:], Name: d.Name,
		Address1: d.Address.Address1, Address2: d.Address.Address2, PostalCode: d.Address.PostalCode,
		City: d.Address.City, State: d.Address.State, Country: d.Address.Country,
		Latitude: d.Address.Latitude, Longitude: d.Address.Longitude,
		Opens: minutes(d.Opens), Closes: minutes(d.Closes), AsDefault: d.HoursAreDefault,
		EstimatedTimeOnLocation: d.EstimatedTimeOnLocation, ServiceTime: ServiceTimeText(d.ServiceTime),
		Pauses: pausesText(d.Pauses), Curbside: d.Curbside, CalendarID: d.CalendarID,
	})
	if err != nil {
		return takenPlace(d, err)
	}
	if err := t.saveTimeWindows(ctx, id, d.Windows); err != nil {
		return err
	}
	if err := t.PlaceLocations(ctx, []int64{id}, nil); err != nil {
		return err
	}
	return t.Append(ctx, event.Location{ID: id, ExternalID: d.ExternalID}.Event(event.LocationUpdated))
}

func (t *Tx) saveTimeWindows(ctx context.Context, id int64, windows []location.Window) error {
	p := queries.ReplaceTimeWindowsParams{
		OrgID: t.org, LocationID: id, Rrules: []string{}, Opens: []int16{}, Closes: []int16{},
	}
	for _, w := range windows {
		columns.Add(&p.Rrules, w.RRule)
		columns.Add(&p.Opens, int16(w.Opens))
		columns.Add(&p.Closes, int16(w.Closes))
	}
	return t.q.ReplaceTimeWindows(ctx, p)
}

// takenPlace names the conflict with another location: the external id, or else
// the place itself.
func takenPlace(d *location.Details, err error) error {
	if d.ExternalID != "" {
		return taken(d.ExternalID, err)
	}
	return taken(d.Name, err)
}

func minutes(c *order.Clock) *int16 {
	if c == nil {
		return nil
	}
	m := int16(*c)
	return &m
}

func clockOrNil(minutes *int16) *order.Clock {
	if minutes == nil {
		return nil
	}
	c := order.Clock(*minutes)
	return &c
}

// CountActiveTemplatesOfLocation counts the active templates that name a
// location.
func (t *Tx) CountActiveTemplatesOfLocation(ctx context.Context, id int64) (int32, error) {
	return t.q.CountActiveTemplatesOfLocation(ctx, queries.CountActiveTemplatesOfLocationParams{
		OrgID: t.org, LocationID: id,
	})
}

// SaveLocationDeleted deactivates a location, with its event.
func (t *Tx) SaveLocationDeleted(ctx context.Context, id int64, externalID string) error {
	if err := t.q.DeleteLocation(ctx, queries.DeleteLocationParams{OrgID: t.org, ID: id}); err != nil {
		return err
	}
	return t.Append(ctx, event.Location{ID: id, ExternalID: externalID}.Event(event.LocationDeleted))
}
