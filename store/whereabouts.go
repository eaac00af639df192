package store

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"waybill/domain/driving"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Duty says whether a driver is on duty, since when, and by how much their
// clock is behind.
type Duty struct {
	On    bool
	Since time.Time
	Skew  time.Duration
}

// LoadDuty reads whether a driver is on duty. Drivers who never reported it are
// not.
func (t *Tx) LoadDuty(ctx context.Context, driverID int64) (Duty, error) {
	row, err := t.q.ReadWhereabouts(ctx, queries.ReadWhereaboutsParams{OrgID: t.org, DriverID: driverID})
	if errors.Is(translate(err), ErrNotFound) {
		return Duty{}, nil
	}
	return Duty{On: row.OnDuty, Since: row.DutySince, Skew: time.Duration(row.ClockSkewMs) * time.Millisecond}, err
}

// SaveDuty writes whether a driver is on duty from now on.
func (t *Tx) SaveDuty(ctx context.Context, driverID int64, on bool, now time.Time) (Duty, error) {
	row, err := t.q.SetDuty(ctx, queries.SetDutyParams{OrgID: t.org, DriverID: driverID, OnDuty: on, At: now})
	return Duty{On: row.OnDuty, Since: row.DutySince}, err
}

// SavePositions keeps where a driver was, and returns how many are new. Of a driver who is off
// duty, it keeps only what comes late of a route. It tells of positions that are of legs which
// were driven a while before now.
func (t *Tx) SavePositions(
	ctx context.Context, driverID int64, onDuty bool, positions []driving.Position, now time.Time,
) (int, error) {
	if len(positions) == 0 {
		return 0, nil
	}
	if err := t.lockWhereabouts(ctx, driverID); err != nil {
		return 0, err
	}
	p := queries.AddPositionsParams{OrgID: t.org, DriverID: driverID, OnDuty: onDuty}
	last := driving.Position{}
	for _, at := range lastOfEach(positions) {
		columns.Add(&p.Ats, at.At)
		columns.Add(&p.Latitudes, at.Latitude)
		columns.Add(&p.Longitudes, at.Longitude)
		columns.Add(&p.Accuracies, at.Accuracy)
		if at.At.After(last.At) {
			last = at
		}
	}
	kept, err := t.q.AddPositions(ctx, p)
	if err != nil || kept == 0 {
		return int(kept), err
	}
	if err := t.tellLatePositions(ctx, driverID, positions, now); err != nil || !onDuty {
		return int(kept), err
	}
	return int(kept), t.q.MoveWhereabouts(ctx, queries.MoveWhereaboutsParams{
		OrgID: t.org, DriverID: driverID, Latitude: last.Latitude, Longitude: last.Longitude, Accuracy: last.Accuracy,
		At: last.At,
	})
}

// lastOfEach returns one position for each moment, the last reported.
func lastOfEach(positions []driving.Position) []driving.Position {
	places := make(map[time.Time]int, len(positions))
	var kept []driving.Position
	for _, p := range positions {
		place, known := places[p.At]
		if known {
			kept[place] = p
			continue
		}
		places[p.At] = len(kept)
		kept = append(kept, p)
	}
	return kept
}

// Picture is a picture whose bytes are in the object storage.
type Picture struct {
	SHA256      string // in hex
	ContentType string
	Size        int64
	StorageKey  string
	DriverID    int64
}

// HasPicture reports whether the bytes of a picture are stored.
func (s *Store) HasPicture(ctx context.Context, org int64, sha256 string) (bool, error) {
	sum, err := hex.DecodeString(sha256)
	if err != nil {
		return false, err
	}
	found, err := s.of(org).FindPicture(ctx, queries.FindPictureParams{OrgID: org, Sha256: sum})
	return found, translate(err)
}

// SentPictures is the number and size of the pictures that a driver sent.
type SentPictures struct{ Count, Bytes int64 }

// PicturesSince returns the number and size of a driver's pictures since a
// moment.
func (s *Store) PicturesSince(ctx context.Context, org, driverID int64, since time.Time) (SentPictures, error) {
	row, err := s.of(org).PicturesSince(ctx, queries.PicturesSinceParams{OrgID: org, DriverID: driverID, Since: since})
	return SentPictures{Count: row.Pictures, Bytes: row.Bytes}, translate(err)
}

// SavePicture records that the bytes of a picture are stored, and reports
// whether it is the first to do so.
func (t *Tx) SavePicture(ctx context.Context, p *Picture) (bool, error) {
	sum, err := hex.DecodeString(p.SHA256)
	if err != nil {
		return false, err
	}
	kept, err := t.q.KeepPicture(ctx, queries.KeepPictureParams{
		OrgID: t.org, Sha256: sum, ContentType: p.ContentType, Size: p.Size, StorageKey: p.StorageKey, DriverID: p.DriverID,
	})
	return kept > 0, err
}

// DayUnderWay returns the day whose route a driver drives at a moment, or would
// if there were one.
func (s *Store) DayUnderWay(ctx context.Context, org, driverID int64, at time.Time) (time.Time, error) {
	day, err := s.lookups(org).DayUnderWay(ctx, queries.DayUnderWayParams{OrgID: org, DriverID: driverID, At: at})
	return day.UTC(), translate(err)
}

// DriverRoute reads a driver's route on a day, as a document for the driver.
func (s *Store) DriverRoute(ctx context.Context, org, driverID int64, day time.Time, contacts bool) (Document, error) {
	doc, err := s.lookups(org).DriverRoute(ctx, queries.DriverRouteParams{
		OrgID: org, DriverID: driverID, Day: day, WithContacts: contacts,
	})
	return doc, absent("driver", driverID, err)
}
