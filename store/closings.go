package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/calendar"
)

// closings tells when those who keep a calendar of an organization have closed.
type closings struct {
	calendars calendar.Stored
	found     calendar.Closings
}

func readClosings(document []byte, zone *time.Location) (*closings, error) {
	stored, err := calendar.Read(document, zone)
	return &closings{calendars: stored}, err
}

// closings reads when those who keep calendars have closed.
func (s *Store) closings(ctx context.Context, org int64, zone *time.Location) (*closings, error) {
	document, err := s.of(org).Calendars(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("calendars: %w", translate(err))
	}
	return readClosings(document, zone)
}

// closed reports whether those who keep a calendar have closed on a day. The calendar 0 is none.
func (c *closings) closed(calendarID int64, date time.Time) (bool, error) {
	of, err := c.calendars.Of(calendarID)
	if err != nil {
		return false, err
	}
	_, closed := of.On(date)
	return closed, nil
}

// kept are the ids of the calendars that the parties of an order keep, 0 for none.
type kept struct{ department, customer, pickup, delivery int64 }

func (c *closings) parties(of kept) (p calendar.Parties, err error) {
	for _, one := range []struct {
		id int64
		to **calendar.Calendar
	}{
		{of.department, &p.Department}, {of.customer, &p.Customer}, {of.pickup, &p.Pickup}, {of.delivery, &p.Delivery},
	} {
		if *one.to, err = c.calendars.Of(one.id); err != nil {
			return p, fmt.Errorf("calendar %d: %w", one.id, err)
		}
	}
	return p, nil
}
