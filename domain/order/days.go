package order

import (
	"fmt"
	"time"

	"waybill/domain/fault"
)

// PossibleDays are the days on which an order may be carried out, as YYYY-MM-DD. Its date is one of
// them: the first in the beginning, and later the one that planning has chosen.
type PossibleDays struct {
	First  string `json:"first_date"`
	Latest string `json:"latest_date"`
	// Fixed is true once a person has chosen the date: planning chooses no other.
	Fixed bool `json:"date_fixed,omitempty"`
}

// MostDays is how many days after its date an order may be carried out at most.
const MostDays = 14

// days reads on which days an order may be carried out.
func (r *Request) days(reasons *reasons) *PossibleDays {
	if r.LatestDate == "" {
		return r.Days
	}
	first, _ := ParseDay(r.Date) // which has a reason of its own
	latest, ok := ParseDay(r.LatestDate)
	if !ok || latest.Before(first) || latest.After(first.AddDate(0, 0, MostDays)) {
		reasons.add(UnknownInvalidInput, "latestDate", fault.Say("order.bad_latest_date", "max", fmt.Sprint(MostDays)))
		return nil
	}
	if r.Days != nil && r.Days.Latest == r.LatestDate {
		return r.Days
	}
	if latest.Equal(first) {
		return nil
	}
	return &PossibleDays{First: r.Date, Latest: r.LatestDate}
}

// DaysBetween is how many days one date is after another.
func DaysBetween(from, to time.Time) int { return int(to.Sub(from).Hours() / 24) }

// Allow reports whether the order may be carried out on a day.
func (d *PossibleDays) Allow(day time.Time) bool {
	text := day.Format(time.DateOnly)
	return d != nil && d.First <= text && text <= d.Latest
}

func (d *PossibleDays) same(other *PossibleDays) bool {
	return d == other || d != nil && other != nil && *d == *other
}

// with is what two numbers allow together: nothing but their date, unless both allow more.
func (d *PossibleDays) with(other *PossibleDays) *PossibleDays {
	if d == nil || other == nil {
		return nil
	}
	both := PossibleDays{max(d.First, other.First), min(d.Latest, other.Latest), d.Fixed || other.Fixed}
	if both.First >= both.Latest {
		return nil
	}
	return &both
}

// latestAfter is the last of the days in the form of a request, if it is after a date.
func (d *PossibleDays) latestAfter(date time.Time) string {
	if d == nil || d.Fixed || d.Latest <= date.Format(time.DateOnly) {
		return ""
	}
	return d.Latest
}

// onChosenDay returns a request that repeats the days of an order as if it were for the day that was
// chosen from them: its times move along. So an import that is repeated changes nothing.
func (d *decider) onChosenDay(o *Order, req *Request) *Request {
	kept := o.Asks.PossibleDays
	if kept == nil || req.LatestDate != kept.Latest || req.Date != kept.First {
		return req
	}
	first, _ := ParseDay(kept.First)
	days, moved := DaysBetween(first, o.Date), *req
	moved.Date, moved.Days = o.Date.Format(time.DateOnly), kept
	moved.Pickup, moved.Delivery = req.Pickup.later(days, d.snapshot.Zone), req.Delivery.later(days, d.snapshot.Zone)
	return &moved
}

// later is a stop with the fixed times some days later, on the clock of a zone. Times that cannot be
// read stay as they are.
func (r *LocationRequest) later(days int, zone *time.Location) *LocationRequest {
	if r == nil || days == 0 {
		return r
	}
	moved := *r
	move := func(text string) string {
		at, ok := parseInstant(text)
		if !ok {
			return text
		}
		return at.In(zone).AddDate(0, 0, days).UTC().Format(time.RFC3339Nano)
	}
	moved.Earliest, moved.Latest, moved.TimeWindows = move(r.Earliest), move(r.Latest), nil
	for _, w := range r.TimeWindows {
		moved.TimeWindows = append(moved.TimeWindows, TimeWindowRequest{move(w.Earliest), move(w.Latest)})
	}
	return &moved
}

// fixDay keeps a date that a person chooses: planning chooses no other.
func (e *Edit) fixDay(o *Order) {
	kept := e.Request.Days
	if kept == nil || !e.Day || e.Request.LatestDate != "" || e.Request.Date == o.Date.Format(time.DateOnly) {
		return
	}
	fixed := *kept
	fixed.Fixed = true
	e.Request.Days, e.Header = &fixed, true
}

// MoveToDay gives an order another one of its days. Its times move along. It is an error if the order
// cannot be carried out on that day, such as that of a location that has no hours then.
func MoveToDay(s *Snapshot, o *Order, day time.Time) (Plan, error) {
	return s.applyEdit(o, MoveTo(o, day))
}

// MoveTo is the edit with which an order moves to another one of its days.
func MoveTo(o *Order, day time.Time) Edit {
	e := Edit{Request: Editable(o), Header: true, Day: true}
	e.Request.Date = day.Format(time.DateOnly)
	return e
}
