package driver

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"waybill/domain/fault"
)

// Second is the second person on a shift.
type Second struct {
	// CoDriverID is who rides along, or 0.
	CoDriverID int64
	// SharesDriving is true if the co-driver drives, too.
	SharesDriving bool
}

// Problem returns the invalid field and the reason; the field is empty when it is valid.
func (s Second) Problem() (field string, text fault.Text) {
	if s.SharesDriving && s.CoDriverID == 0 {
		return "shares_driving", fault.Say("driver.nobody_shares")
	}
	return "", fault.Text{}
}

// Colleague is what a rule needs to know of a driver who may ride along.
type Colleague struct {
	ID, DepartmentID int64
	IsActive         bool
}

// Ride is a day on which a driver has a co-driver.
type Ride struct {
	Date                 time.Time
	DriverID, CoDriverID int64
}

// CheckCrews returns the violations of the co-drivers that a schedule of a driver names, and that the present
// entries do not. The rides are those of others on its days, and colleagues those whom it names, as far as they exist.
func (s Schedule) CheckCrews(of Colleague, present []Workday, colleagues []Colleague, rides []Ride) error {
	var problems []fault.Violation
	was := byDate(present)
	for i := range s.Days {
		day := &s.Days[i]
		if day.CoDriverID == 0 || day.CoDriverID == was[day.Date.UTC()].CoDriverID {
			continue
		}
		at := slices.IndexFunc(colleagues, func(c Colleague) bool { return c.ID == day.CoDriverID })
		var with *Colleague
		if at >= 0 {
			with = &colleagues[at]
		}
		text := of.refuses(with, day.CoDriverID)
		if text.ID == "" {
			text = ridesElsewhere(of.ID, day, rides)
		}
		if text.ID != "" {
			problems = append(problems, fault.Violation{Field: fmt.Sprintf("workdays[%d].co_driver_id", i), Text: text})
		}
	}
	if len(problems) > 0 {
		return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
	}
	return nil
}

// refuses returns why a driver cannot have somebody as a co-driver on any day; with is nil for one who does not exist.
func (c Colleague) refuses(with *Colleague, id int64) fault.Text {
	name := strconv.FormatInt(id, 10)
	switch {
	case id == c.ID:
		return fault.Say("driver.rides_with_oneself")
	case with == nil:
		return fault.Say("driver.co_driver_unknown", "name", name)
	case !with.IsActive:
		return fault.Say("driver.inactive", "name", name)
	case with.DepartmentID != c.DepartmentID:
		return fault.Say("driver.co_driver_of_department", "name", name)
	}
	return fault.Text{}
}

// ridesElsewhere returns why somebody cannot ride along on one day, because of who rides with whom then.
func ridesElsewhere(driver int64, day *Workday, rides []Ride) fault.Text {
	for _, r := range rides {
		if !r.Date.UTC().Equal(day.Date.UTC()) {
			continue
		}
		other := strconv.FormatInt(r.DriverID, 10)
		switch {
		case r.CoDriverID == day.CoDriverID && r.DriverID != driver:
			return fault.Say("driver.co_driver_taken", "name", other)
		case r.DriverID == day.CoDriverID:
			return fault.Say("driver.co_driver_has_one", "name", other)
		case r.CoDriverID == driver:
			return fault.Say("driver.is_co_driver", "name", other)
		}
	}
	return fault.Text{}
}

// CoDrivers returns the co-drivers of a schedule by their ids, each once.
func (s Schedule) CoDrivers() (ids []int64) {
	for i := range s.Days {
		if id := s.Days[i].CoDriverID; id != 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
