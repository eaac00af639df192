// Package traffic has when driving takes longer or shorter than the road data says.
package traffic

import (
	"fmt"
	"slices"
	"time"

	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/domain/order"
)

// RushHours are hours of some days of the week in which driving takes longer than the road data says, or shorter,
// everywhere or in some areas.
type RushHours struct {
	// Days are days of the week as RFC 5545 writes them in BYDAY, such as MO; none are all days.
	Days []string `json:"days"`
	// From and Until are HH:MM, in the time zone of the organization; Until may be 24:00.
	From  string `json:"from"`
	Until string `json:"until"`
	// Factor is how many times as long driving takes.
	Factor float64 `json:"factor"`
	// Areas are where that is; none are everywhere.
	Areas []freight.Area `json:"areas"`
}

// Written returns the hours as they are stored: lists that are left out are empty.
func (h RushHours) Written() RushHours {
	if h.Days == nil {
		h.Days = []string{}
	}
	if h.Areas == nil {
		h.Areas = []freight.Area{}
	}
	return h
}

// Limits of rush hours.
const (
	MostRushHours = 50
	MostAreas     = 100
	LeastFactor   = 0.5
	MostFactor    = 3
)

// days are the days of the week by how RFC 5545 writes them.
var days = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// On reports whether the hours are on a day of the week.
func (h *RushHours) On(day time.Weekday) bool {
	return len(h.Days) == 0 || slices.Contains(h.Days, days[day])
}

// Hours returns the two times of the day; both are the same if one of them is none.
func (h *RushHours) Hours() (from, until order.Clock) {
	from, begins := order.ParseClock(h.From)
	until, ends := order.ParseClock(h.Until)
	if !begins || !ends {
		return 0, 0
	}
	return from, until
}

// Covers reports whether the hours count at a place: everywhere, or in one of their areas.
func (h *RushHours) Covers(p freight.Place) bool {
	return len(h.Areas) == 0 || slices.ContainsFunc(h.Areas, func(a freight.Area) bool { return a.Covers(p) })
}

// Least returns the lowest factor of rush hours, at most 1.
func Least(all []RushHours) float64 {
	least := 1.0
	for i := range all {
		least = min(least, all[i].Factor)
	}
	return least
}

// Problems returns what is wrong with rush hours whose areas are valid, each with the field below the given one.
func Problems(field string, all []RushHours) (problems []fault.Violation) {
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	if len(all) > MostRushHours {
		complain(field, fault.Say("field.too_many", "max", fmt.Sprint(MostRushHours)))
		return problems
	}
	for i := range all {
		h, at := &all[i], fmt.Sprintf("%s[%d]", field, i)
		for n, day := range h.Days {
			if !slices.Contains(days[:], day) {
				complain(fmt.Sprintf("%s.days[%d]", at, n), fault.Say("traffic.bad_day"))
			}
		}
		if from, until := h.Hours(); from >= until {
			complain(at+".until", fault.Say("traffic.bad_hours"))
		}
		if !(h.Factor >= LeastFactor && h.Factor <= MostFactor) {
			least, most := fmt.Sprint(LeastFactor), fmt.Sprint(MostFactor)
			complain(at+".factor", fault.Say("traffic.bad_factor", "min", least, "max", most))
		}
		if len(h.Areas) > MostAreas {
			complain(at+".areas", fault.Say("field.too_many", "max", fmt.Sprint(MostAreas)))
		}
	}
	return problems
}
