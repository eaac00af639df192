package export

// Walk is one caller's way through the feed. Its pages are ranges of positions,
// so that an order that leaves moves no other to another page, and new ones are
// added at the end.
type Walk struct {
	PerPage int32
	Total   int64 // how many shipments there were when it began
	Until   int64 // the last place
	Ends    []int64
}

// Pages is the number of pages.
func (w *Walk) Pages() int64 { return (w.Total + int64(w.PerPage) - 1) / int64(w.PerPage) }

// Unknown is the number of pages before a given one whose ends are unknown,
// because callers may skip pages.
func (w *Walk) Unknown(page int32) int { return int(page) - 1 - len(w.Ends) }

// Last is the last position whose page is known, or 0.
func (w *Walk) Last() int64 {
	if len(w.Ends) == 0 {
		return 0
	}
	return w.Ends[len(w.Ends)-1]
}

// Stretch returns the positions after which a page begins and at which it ends.
// A page whose end is unknown ends with the walk.
func (w *Walk) Stretch(page int32) (after, until int64) {
	until = w.Until
	if page > 1 {
		after = w.Ends[page-2]
	}
	if len(w.Ends) >= int(page) {
		until = w.Ends[page-1]
	}
	return after, until
}

// End records where a page ended, given the positions of its shipments: one
// that was not full ends with the walk.
func (w *Walk) End(page int32, places []int64) {
	if len(w.Ends) >= int(page) {
		return
	}
	end := w.Until
	if len(places) == int(w.PerPage) {
		end = places[len(places)-1]
	}
	w.Ends = append(w.Ends, end)
}
