package planning

import (
	"time"

	"waybill/domain/planning"
)

// heldBackFor is for how long new times of stops are held back at most while orders arrive. Orders
// that arrive one after the other each move the stops of the others: announced at once, ten small
// imports change every ETA of a day ten times.
const heldBackFor = 20 * time.Second

// holdsBack reports whether this slice keeps the announced times of stops that are hours ahead: while new orders
// arrive, and for some time only. The plan has the new times; they differ from the announced ones until a slice
// announces them, which the day is woken for.
func (w *planner) holdsBack() bool {
	return w.goesOn() && w.operations.now().Before(w.heldSince().Add(heldBackFor))
}

// goesOn reports whether the slice plans new orders, or was ended by a change.
func (w *planner) goesOn() bool {
	if w.slice.Length == 0 {
		return w.done.Fresh > 0
	}
	select {
	case <-w.slice.Ended:
		return true
	default:
		return false
	}
}

// heldSince is when this process began to hold back times of the area, or else now. If it restarts, it holds them
// back a little longer.
func (w *planner) heldSince() time.Time {
	if at := w.known().held.Load(); at != nil {
		return *at
	}
	return w.operations.now()
}

// noteHeldBack notes that times are held back, and when to announce them.
func (w *planner) noteHeldBack(s planning.Solution) {
	area := w.known()
	if !w.drawn.HoldsBack || !w.day.HoldsBack(s) {
		area.held.Store(nil)
		return
	}
	since := w.heldSince()
	area.held.Store(&since)
	if until := since.Add(heldBackFor).UTC(); until.Before(w.done.Wake) {
		w.done.Wake = until
	}
}
