package store

import (
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/masterdata"
	"waybill/domain/order"
	"waybill/domain/outward"
	"waybill/domain/planning"
	"waybill/store/queries"
)

// stopAsks is what a stop asks of the planner, in the form in which it is kept and shown.
type stopAsks struct {
	Windows  []span          `json:"time_windows,omitempty"`
	Lateness *order.Lateness `json:"lateness,omitempty"`
}

type span struct {
	Earliest string `json:"earliest"`
	Latest   string `json:"latest"`
}

// stopAsksText is what a stop asks of the planner, as its column has it; empty is nothing.
func stopAsksText(a *order.StopAsks) string {
	if a.Nothing() {
		return ""
	}
	text, err := json.Marshal(stopAsks{Lateness: a.Lateness, Windows: each(a.Windows, func(s order.Span) span {
		return span{s.Earliest.Format(outward.Instant), s.Latest.Format(outward.Instant)}
	})})
	if err != nil { // it contains only numbers and timestamps in range
		panic(err)
	}
	return string(text)
}

func readStopAsks(document []byte) (asks order.StopAsks, err error) {
	if len(document) == 0 {
		return asks, nil
	}
	if err := json.Unmarshal(document, &asks); err != nil {
		return asks, fmt.Errorf("asks of a stop: %w", err)
	}
	return asks, nil
}

// asksText is what an order asks of the planner, as its column has it; empty is nothing.
func asksText(a *order.Asks) string {
	if a.Nothing() {
		return ""
	}
	text, err := json.Marshal(a)
	if err != nil { // it contains only numbers and texts
		panic(err)
	}
	return string(text)
}

func readAsks(document []byte) (asks order.Asks, err error) {
	if len(document) == 0 {
		return asks, nil
	}
	if err := json.Unmarshal(document, &asks); err != nil {
		return asks, fmt.Errorf("asks of an order: %w", err)
	}
	return asks, nil
}

// askOfOrder gives an order of a day what it asks of the planner.
func askOfOrder(o *planning.Order, document []byte) error {
	asks, err := readAsks(document)
	o.MaxOnBoard = time.Duration(asks.MaxMinutesOnBoard) * time.Minute
	o.GoodsKinds, o.Loads, o.Days = asks.GoodsKinds, asks.LoadAmounts, asks.PossibleDays
	return err
}

// GoodsApartText is how the goods that must not travel together are stored; empty is none.
func GoodsApartText(pairs []masterdata.GoodsApart) string { return listText(pairs) }

// listText is how a list is stored whose elements consist of texts, flags, and numbers in range; an
// empty list is an empty text.
func listText[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	return documentText(list)
}

// documentText is how a document is stored that consists of texts, flags, and numbers in range.
func documentText(document any) string {
	text, err := json.Marshal(document)
	if err != nil { // nothing in it cannot be written
		panic(err)
	}
	return string(text)
}

// readGoodsApart reads which goods must not travel together.
func readGoodsApart(document []byte) (apart []planning.GoodsApart, err error) {
	var said []masterdata.GoodsApart
	if err := json.Unmarshal(document, &said); err != nil {
		return nil, fmt.Errorf("goods that must be apart: %w", err)
	}
	for _, s := range said {
		apart = append(apart, planning.GoodsApart(s))
	}
	return apart, nil
}

// pausesText is when a location is closed within its hours, as its column has it; empty is
// never.
func pausesText(pauses []order.Pause) string {
	type pause struct {
		From  string `json:"from"`
		Until string `json:"until"`
	}
	texts := make([]pause, len(pauses))
	for i, p := range pauses {
		texts[i] = pause{p.From.Text(), p.Until.Text()}
	}
	return listText(texts)
}

// PausesOfDocument is how the pauses of a location in a document are stored: empty leaves those that it has.
func PausesOfDocument(pauses []order.Pause) string {
	if pauses != nil && len(pauses) == 0 {
		return "[]"
	}
	return pausesText(pauses)
}

func readPauses(document []byte) ([]order.Pause, error) {
	if len(document) == 0 {
		return nil, nil
	}
	var texts []struct{ From, Until string }
	if err := json.Unmarshal(document, &texts); err != nil {
		return nil, fmt.Errorf("pauses: %w", err)
	}
	pauses := make([]order.Pause, len(texts))
	for i, t := range texts {
		var okFrom, okUntil bool
		pauses[i].From, okFrom = order.ParseClock(t.From)
		pauses[i].Until, okUntil = order.ParseClock(t.Until)
		if !okFrom || !okUntil {
			return nil, fmt.Errorf("the pause from %q until %q is no time of day", t.From, t.Until)
		}
	}
	return pauses, nil
}

// askOfStop gives a stop of a day what it asks of the planner. A booked interval is its only
// window.
func askOfStop(stop *planning.Stop, r *queries.StopsToPlanRow) error {
	asks, err := readStopAsks(r.Asks)
	if err != nil {
		return err
	}
	if order.WindowSource(r.WindowSource) != order.FromBooking {
		stop.Windows = asks.Windows
	}
	if l := asks.Lateness; l != nil {
		stop.MayBeLate, stop.LatePrice = time.Duration(l.MaxMinutes)*time.Minute, l.PricePerMinute
	}
	return nil
}
