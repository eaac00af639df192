package order

import (
	"fmt"
	"slices"
	"time"

	"waybill/domain/fault"
)

// StopAsks is what a stop asks of the planner in addition to its window. The zero value
// asks for nothing.
type StopAsks struct {
	// Windows are the parts of the stop's window in which service may begin, in their order;
	// empty means all of it.
	Windows []Span `json:"time_windows,omitempty"`
	// Lateness is how late service may begin, nil if not at all.
	Lateness *Lateness `json:"lateness,omitempty"`
}

// Nothing reports whether the stop asks for nothing.
func (a *StopAsks) Nothing() bool { return len(a.Windows) == 0 && a.Lateness == nil }

// Lateness is how late service at a stop may begin, and what that costs.
type Lateness struct {
	// MaxMinutes is how many minutes after the window service begins at the latest.
	MaxMinutes int32 `json:"max_minutes"`
	// PricePerMinute is what each of them costs, in minutes of driving.
	PricePerMinute float64 `json:"price_per_minute"`
}

// LatenessRequest is a lateness as a caller sends it.
type LatenessRequest struct {
	MaxMinutes     *int32   `json:"maxMinutes,omitzero"`
	PricePerMinute *float64 `json:"pricePerMinute,omitzero"`
}

// The most minutes that a stop may be late, the most and the usual price of one.
const (
	mostLate      = 240
	mostLatePrice = 100
	usualPrice    = 10
)

// lateness reads how late a stop may be; ok is false when that is out of range.
func (r *LocationRequest) lateness() (l *Lateness, ok bool) {
	if r.Lateness == nil {
		return nil, true
	}
	l = &Lateness{PricePerMinute: usualPrice}
	if r.Lateness.MaxMinutes != nil {
		l.MaxMinutes = *r.Lateness.MaxMinutes
	}
	if r.Lateness.PricePerMinute != nil {
		l.PricePerMinute = *r.Lateness.PricePerMinute
	}
	ok = l.MaxMinutes >= 1 && l.MaxMinutes <= mostLate && l.PricePerMinute >= 0 && l.PricePerMinute <= mostLatePrice
	return l, ok
}

// stricter returns what two numbers allow together: the shorter lateness, at the higher price.
func (l *Lateness) stricter(other *Lateness) *Lateness {
	if l == nil || other == nil {
		return nil
	}
	return &Lateness{min(l.MaxMinutes, other.MaxMinutes), max(l.PricePerMinute, other.PricePerMinute)}
}

// request is the lateness as a caller sends it.
func (l *Lateness) request() *LatenessRequest {
	if l == nil {
		return nil
	}
	return &LatenessRequest{MaxMinutes: &l.MaxMinutes, PricePerMinute: &l.PricePerMinute}
}

// Span is a stretch of time, to the millisecond, in UTC.
type Span struct {
	Earliest time.Time `json:"earliest"`
	Latest   time.Time `json:"latest"`
}

func newSpan(earliest, latest string) (Span, bool) {
	from, okFrom := parseInstant(earliest)
	to, okTo := parseInstant(latest)
	return Span{from.Truncate(time.Millisecond), to.Truncate(time.Millisecond)}, okFrom && okTo
}

// mostWindows is the most windows that a stop may have.
const mostWindows = 8

// TimeWindowRequest is one of several windows of a stop, in RFC 3339.
type TimeWindowRequest struct {
	Earliest string `json:"earliest,omitzero"`
	Latest   string `json:"latest,omitzero"`
}

// severalWindows reads the windows of a request: each ends after it begins, and the next
// begins after that. Together they reach from the stop's earliest to its latest, if the
// request names those as well.
func (r *LocationRequest) severalWindows() (Window, fault.Text, bool) {
	if len(r.TimeWindows) > mostWindows {
		return Window{}, fault.Say("stop.too_many_windows", "max", fmt.Sprint(mostWindows)), false
	}
	var before time.Time
	for _, w := range r.TimeWindows {
		part, text, ok := fixedWindow(w.Earliest, w.Latest)
		if !ok {
			return Window{}, text, false
		}
		if !part.Earliest.After(before) {
			return Window{}, fault.Say("stop.windows_unordered"), false
		}
		before = part.Latest
	}
	whole, text, ok := fixedWindow(r.TimeWindows[0].Earliest, r.TimeWindows[len(r.TimeWindows)-1].Latest)
	if !ok || r.Earliest == "" && r.Latest == "" {
		return whole, text, ok
	}
	said, text, ok := fixedWindow(r.Earliest, r.Latest)
	switch {
	case !ok:
		return Window{}, text, false
	case !said.Earliest.Equal(whole.Earliest) || !said.Latest.Equal(whole.Latest):
		return Window{}, fault.Say("stop.windows_differ"), false
	}
	return whole, fault.Text{}, true
}

// spans are the windows of a valid request, if they are several.
func (r *LocationRequest) spans() []Span {
	if len(r.TimeWindows) < 2 {
		return nil
	}
	spans := make([]Span, len(r.TimeWindows))
	for i, w := range r.TimeWindows {
		spans[i], _ = newSpan(w.Earliest, w.Latest)
	}
	return spans
}

// Pause is a time of the day at which a location is closed within its hours.
type Pause struct {
	From  Clock `yaml:"from"`
	Until Clock `yaml:"until"`
}

// WrongPauses are the indexes of pauses that do not end after they begin, or do not begin after the one
// before has ended.
func WrongPauses(pauses []Pause) (wrong []int) {
	for i, p := range pauses {
		if p.Until <= p.From || i > 0 && p.From <= pauses[i-1].Until {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// MostPauses is the most pauses that a location may have.
const MostPauses = mostWindows - 1

// paused returns the parts of a window outside of a location's pauses, and the window that
// they fill; pauses that would leave nothing don't count.
func (w Window) paused(pauses []Pause, day time.Time, zone *time.Location) (Window, []Span) {
	free := []Span{{w.Earliest, w.Latest}}
	for _, p := range pauses {
		for next := range 2 { // hours may end on the next day
			on := day.AddDate(0, 0, next)
			free = without(free, p.From.On(on, zone), p.Until.On(on, zone))
		}
	}
	if len(free) == 0 || len(free) > mostWindows {
		return w, nil
	}
	w.Earliest, w.Latest = free[0].Earliest, free[len(free)-1].Latest
	if len(free) == 1 {
		return w, nil
	}
	for i := range free {
		free[i] = Span{free[i].Earliest.UTC(), free[i].Latest.UTC()}
	}
	return w, free
}

// without cuts a stretch of time out of spans. A moment is no span.
func without(spans []Span, from, until time.Time) []Span {
	var left []Span
	for _, s := range spans {
		if !from.Before(s.Latest) || !until.After(s.Earliest) {
			left = append(left, s)
			continue
		}
		if s.Earliest.Before(from) {
			left = append(left, Span{s.Earliest, from})
		}
		if until.Before(s.Latest) {
			left = append(left, Span{until, s.Latest})
		}
	}
	return left
}

// meetSpans returns the time that the windows of two stops have in common, within their
// common window; none is all of it.
func meetSpans(a, b []Span, whole Window) []Span {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	all := []Span{{whole.Earliest, whole.Latest}}
	if len(a) == 0 {
		a = all
	}
	if len(b) == 0 {
		b = all
	}
	var both []Span
	for _, x := range a {
		for _, y := range b {
			from, to := x.Earliest, x.Latest
			if y.Earliest.After(from) {
				from = y.Earliest
			}
			if y.Latest.Before(to) {
				to = y.Latest
			}
			if from.Before(to) {
				both = append(both, Span{from, to})
			}
		}
	}
	if len(both) < 2 {
		return nil
	}
	return both[:min(len(both), mostWindows)]
}

// with combines what two numbers ask of a stop with their common window.
func (a *StopAsks) with(more *StopAsks, whole Window) StopAsks {
	return StopAsks{Windows: meetSpans(a.Windows, more.Windows, whole), Lateness: a.Lateness.stricter(more.Lateness)}
}

// same reports whether two stops ask for the same.
func (a *StopAsks) same(other *StopAsks) bool {
	sameLateness := a.Lateness == other.Lateness ||
		a.Lateness != nil && other.Lateness != nil && *a.Lateness == *other.Lateness
	return sameLateness && slices.EqualFunc(a.Windows, other.Windows, func(x, y Span) bool {
		return x.Earliest.Equal(y.Earliest) && x.Latest.Equal(y.Latest)
	})
}

// requests are the windows in the form of a request, so many days later in a zone.
func (a *StopAsks) requests(days int, zone *time.Location) []TimeWindowRequest {
	var windows []TimeWindowRequest
	for _, s := range a.Windows {
		at := func(t time.Time) string { return t.In(zone).AddDate(0, 0, days).UTC().Format(time.RFC3339Nano) }
		windows = append(windows, TimeWindowRequest{at(s.Earliest), at(s.Latest)})
	}
	return windows
}
