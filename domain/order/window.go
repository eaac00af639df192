package order

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/domain/fault"
)

// Window is when a stop may be served, and the rule that set it.
type Window struct {
	Earliest time.Time
	Latest   time.Time
	Source   WindowSource
}

// WindowSource names the rule that gave a window (spec.md, "Time window
// resolution").
type WindowSource string

// The sources of a window, in order of precedence.
const (
	FromRequest       WindowSource = "request"
	FromLocationRule  WindowSource = "location_rule"
	FromLocationHours WindowSource = "location_hours"
	FromRequestHours  WindowSource = "request_hours"
	FromOrderType     WindowSource = "order_type"
	// FromBooking is not used by imports: a booked interval sets the window,
	// and removes it when the booking ends.
	FromBooking WindowSource = "booking"
)

// Clock is a minute of the day, 0 to 1440, in the organization's time zone.
type Clock int16

// EndOfDay is 24:00.
const EndOfDay Clock = 24 * 60

// ParseClock reads HH:MM or HH:MM:SS; seconds are dropped and 24:00 is the
// end of the day.
func ParseClock(text string) (Clock, bool) {
	parts := strings.Split(text, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, false
	}
	limits := []int{24, 59, 59}
	var values [3]int
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 8) // which has no sign
		if err != nil || len(part) != 2 || int(v) > limits[i] {
			return 0, false
		}
		values[i] = int(v)
	}
	clock := Clock(values[0]*60 + values[1])
	return clock, clock <= 24*60 && (values[0] < 24 || values[2] == 0)
}

// Text returns the clock time as HH:MM.
func (c Clock) Text() string { return fmt.Sprintf("%02d:%02d", c/60, c%60) }

// On places the clock time on a day (midnight UTC of it) in a zone.
func (c Clock) On(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, int(c), 0, 0, zone)
}

// Hours are opening hours; closing before opening means after midnight.
type Hours struct {
	Opens, Closes Clock
}

// on places the hours on a day.
func (h Hours) on(day time.Time, zone *time.Location, source WindowSource) Window {
	closing := day
	if h.Closes <= h.Opens {
		closing = day.AddDate(0, 0, 1)
	}
	w := Window{Earliest: h.Opens.On(day, zone), Latest: h.Closes.On(closing, zone), Source: source}
	if !w.Earliest.Before(w.Latest) {
		// Hours inside the gap of a clock change move with it: they are as long
		// as ever, only later.
		w.Latest = w.Earliest.Add(h.length())
	}
	return w
}

// length is how long the hours last on a day without a clock change.
func (h Hours) length() time.Duration {
	minutes := h.Closes - h.Opens
	for minutes <= 0 {
		minutes += 24 * 60
	}
	return time.Duration(minutes) * time.Minute
}

// Days are the local days on which a recurring time window applies.
type Days interface {
	Matches(year int, month time.Month, day int) bool
}

// RecurringHours are hours that apply on some days only.
type RecurringHours struct {
	Days Days
	Hours
}

// resolveWindow returns the window of one stop on the order's day, or the
// reason why there is none.
func (d *decider) resolveWindow(
	kind StopKind, req *LocationRequest, loc *Location, b basis,
) (Window, fault.Text, bool) {
	if req.fixesWindow() {
		return req.fixed()
	}
	zone, day := d.snapshot.Zone, b.day
	for _, hours := range loc.Windows {
		if hours.Days.Matches(day.Year(), day.Month(), day.Day()) {
			return hours.on(day, zone, FromLocationRule), fault.Text{}, true
		}
	}
	if loc.Hours != nil && loc.HoursAreDefault {
		return loc.Hours.on(day, zone, FromLocationHours), fault.Text{}, true
	}
	if hours, given, valid := req.hours(); given {
		if !valid {
			return Window{}, fault.Say("stop.bad_hours"), false
		}
		return hours.on(day, zone, FromRequestHours), fault.Text{}, true
	}
	if window, ok := b.typ.window(kind, day, zone); ok {
		return window, fault.Text{}, true
	}
	return Window{}, fault.Say("stop.no_window"), false
}

// fixedWindow parses a window from a request.
func fixedWindow(earliest, latest string) (Window, fault.Text, bool) {
	from, okFrom := parseInstant(earliest)
	to, okTo := parseInstant(latest)
	if !okFrom || !okTo {
		return Window{}, fault.Say("stop.bad_timestamp"), false
	}
	if !from.Before(to) {
		return Window{}, fault.Say("stop.window_reversed"), false
	}
	return Window{Earliest: from, Latest: to, Source: FromRequest}, fault.Text{}, true
}

// hours are the request's opening hours; given reports whether they apply at
// all (spec.md, rule 2c), valid whether they are usable.
func (r *LocationRequest) hours() (h Hours, given, valid bool) {
	if !r.HasOpeningTimes || r.OpeningHoursIsDefault == nil || r.Opens == "" && r.Closes == "" {
		return Hours{}, false, false
	}
	opens, okOpens := ParseClock(r.Opens)
	closes, okCloses := ParseClock(r.Closes)
	return Hours{opens, closes}, true, okOpens && okCloses && opens != closes && opens < 24*60
}

// window is the order type's own window: from ready-from to the time before
// which orders of the type are picked up or delivered.
func (t *OrderType) window(kind StopKind, day time.Time, zone *time.Location) (Window, bool) {
	if t == nil || t.ReadyFrom == nil {
		return Window{}, false
	}
	before := t.PickUpBefore
	if kind == Delivery {
		before = t.DeliverBefore
	}
	if before == nil || *before == *t.ReadyFrom {
		return Window{}, false
	}
	return Hours{*t.ReadyFrom, *before}.on(day, zone, FromOrderType), true
}

// parseInstant reads an RFC 3339 timestamp of a year that makes sense.
// Instants are kept to the microsecond, as the database keeps them.
func parseInstant(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, false
	}
	t = t.UTC().Truncate(time.Microsecond)
	return t, sensibleYear(t)
}

// ParseDay reads YYYY-MM-DD as midnight UTC.
func ParseDay(text string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return t, err == nil && sensibleYear(t)
}

func sensibleYear(t time.Time) bool { return t.Year() >= 1970 && t.Year() <= 2199 }

// BookedWindow is the window of a booked interval on a day: hours that close
// before they open end on the next day.
func BookedWindow(h Hours, day time.Time, zone *time.Location) Window {
	return h.on(day, zone, FromBooking)
}
