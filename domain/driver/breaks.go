package driver

import (
	"fmt"

	"waybill/domain/fault"
)

// MostBreaks is how many breaks a workday may have.
const MostBreaks = 3

// Breaks are the breaks of a workday, in their order.
func (h Hours) Breaks() []Break {
	var all []Break
	for _, b := range append([]Break{h.Break}, h.More[:]...) {
		if b.Minutes > 0 {
			all = append(all, b)
		}
	}
	return all
}

// BreakLocations are where the breaks of a workday are, in the order of Breaks; nil if all are anywhere.
func (h Hours) BreakLocations() (ids []int64) {
	placed := false
	for _, b := range h.Breaks() {
		ids, placed = append(ids, b.LocationID), placed || b.LocationID != 0
	}
	if !placed {
		return nil
	}
	return ids
}

// At returns the hours with their breaks at locations, in the order of Breaks.
func (h Hours) At(locations []int64) Hours {
	place := func(b *Break) {
		if b.Minutes > 0 && len(locations) > 0 {
			b.LocationID, locations = locations[0], locations[1:]
		}
	}
	place(&h.Break)
	for i := range h.More {
		place(&h.More[i])
	}
	return h
}

// moreProblem returns the invalid field of the breaks after the first, each of which begins when the one
// before is over, and the reason.
func (h Hours) moreProblem() (field string, text fault.Text) {
	before := h.Break
	for i, b := range h.More {
		if b == (Break{}) {
			break
		}
		at := fmt.Sprintf("more_breaks[%d]", i)
		switch field, text := h.breakProblem(b, at); {
		case before == Break{}:
			return "break.minutes", fault.Say("driver.bad_break")
		case field != "":
			return field, text
		case h.into(b.Earliest) < h.into(before.Latest):
			return at + ".earliest", fault.Say("driver.breaks_overlap")
		}
		before = b
	}
	return "", fault.Text{}
}

// breakProblem returns the invalid field of a break, below the field of the break, and the reason.
func (h Hours) breakProblem(b Break, at string) (field string, text fault.Text) {
	if b.Minutes < 1 || b.Minutes >= dayMinutes {
		return at + ".minutes", fault.Say("driver.bad_break")
	}
	earliest, latest := h.into(b.Earliest), h.into(b.Latest)
	switch {
	case earliest > h.into(h.Ends):
		return at + ".earliest", fault.Say("driver.break_outside")
	case latest > h.into(h.Ends):
		return at + ".latest", fault.Say("driver.break_outside")
	case latest-earliest < b.Minutes:
		return at + ".latest", fault.Say("driver.break_too_short")
	}
	return "", fault.Text{}
}
