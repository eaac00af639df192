package driver

import (
	"fmt"
	"time"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// MaxDays is the longest schedule, in days.
const MaxDays = 366

// Hours are when work starts and ends, in clock times of the organization's
// zone, and the break in between. Work that ends before it starts ends on the
// next day.
type Hours struct {
	Starts, Ends order.Clock
	Break        Break
	// More are breaks after that one, in their order; zero is none.
	More [MostBreaks - 1]Break
}

// Break is a pause of some minutes that begins no earlier than Earliest and
// ends by Latest. Zero minutes means no break.
type Break struct {
	Minutes          int
	Earliest, Latest order.Clock
	// LocationID is where the driver has the break; 0 is anywhere on the way.
	LocationID int64
}

const dayMinutes = int(order.EndOfDay)

// Problem returns the invalid field of the hours and the reason; the field
// is empty when the hours are valid.
func (h Hours) Problem() (field string, text fault.Text) {
	if h.Starts == h.Ends || h.Starts == order.EndOfDay && h.Ends == 0 {
		return "ends", fault.Say("driver.no_hours")
	}
	if b := h.Break; b != (Break{}) {
		if field, text = h.breakProblem(b, "break"); field != "" {
			return field, text
		}
	}
	return h.moreProblem()
}

// into returns how many minutes after the start of work a clock time is.
func (h Hours) into(c order.Clock) int {
	minutes := (int(c) - int(h.Starts) + 2*dayMinutes) % dayMinutes
	if minutes == 0 && c != h.Starts { // from 00:00 to 24:00
		return dayMinutes
	}
	return minutes
}

// Length returns how long the work lasts on a day without a clock change, at most 24 hours.
func (h Hours) Length() time.Duration { return time.Duration(h.into(h.Ends)) * time.Minute }

// OverMidnight reports whether the work ends on the next day.
func (h Hours) OverMidnight() bool { return h.Ends < h.Starts && h.Ends > 0 }

// Workday is the entry for one day of a driver.
type Workday struct {
	Date time.Time
	// Off marks a day without work, regardless of the rules.
	Off bool
	Hours
	// VehicleID, StartLocationID and EndLocationID override those of the
	// driver on this day; 0 means the driver's own.
	VehicleID, StartLocationID, EndLocationID int64
	Limits                                    Limits
	Second
}

// Schedule lists the days of a range, both ends included, on which a driver
// works. The driver is off on the other days of the range.
type Schedule struct {
	Start, End time.Time
	Days       []Workday
}

// Check returns the violations of a schedule.
func (s Schedule) Check() error {
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	switch {
	case s.End.Before(s.Start):
		complain("end_date", fault.Say("date.end_before_start"))
	case s.End.Sub(s.Start) >= MaxDays*24*time.Hour:
		complain("end_date", fault.Say("driver.schedule_too_long", "max", fmt.Sprint(MaxDays)))
	}
	seen := map[time.Time]bool{}
	for i, day := range s.Days {
		if i == MaxDays {
			complain("workdays", fault.Say("field.too_many", "max", fmt.Sprint(MaxDays)))
			break
		}
		at := fmt.Sprintf("workdays[%d]", i)
		switch {
		case day.Date.Before(s.Start) || day.Date.After(s.End):
			complain(at+".date", fault.Say("driver.day_outside"))
		case seen[day.Date]:
			complain(at+".date", fault.Say("driver.day_twice"))
		}
		if field, text := day.Hours.Problem(); field != "" {
			complain(at+"."+field, text)
		}
		if field, text := day.Limits.Problem(); field != "" {
			complain(at+"."+field, text)
		}
		if field, text := day.Second.Problem(); field != "" {
			complain(at+"."+field, text)
		}
		seen[day.Date] = true
	}
	if len(problems) > 0 {
		return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
	}
	return nil
}

// All returns something of every day of the range, in its order: the days that
// it does not name are off.
func (s Schedule) All() []Workday {
	named := byDate(s.Days)
	var all []Workday
	for date := s.Start; !date.After(s.End); date = date.AddDate(0, 0, 1) {
		day, works := named[date]
		if !works {
			day = Workday{Date: date, Off: true}
		}
		all = append(all, day)
	}
	return all
}

// Same reports whether the schedule equals the stored entries of its range.
func (s Schedule) Same(present []Workday) bool {
	all := s.All()
	if len(present) != len(all) {
		return false
	}
	said := byDate(present)
	for _, day := range all {
		now, known := said[day.Date.UTC()]
		now.Date = day.Date
		if !known || now != day {
			return false
		}
	}
	return true
}

func byDate(days []Workday) map[time.Time]Workday {
	dates := make(map[time.Time]Workday, len(days))
	for _, day := range days {
		dates[day.Date.UTC()] = day
	}
	return dates
}
