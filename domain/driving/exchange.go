package driving

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/domain/fault"
)

// Exchanged is how many load carriers of a kind a driver handed over at a stop,
// and how many they took back.
type Exchanged struct {
	CarrierID int64 `json:"cargoCarrierId"`
	Delivered int32 `json:"delivered"`
	Collected int32 `json:"collected"`
}

// The limits of an exchange: kinds of load carriers, and carriers of a kind.
// More than a few vehicles carry is a typing error.
const (
	MostKinds    = 100
	MostOfAKind  = 10_000
	exchangeList = "cargoCarriers"
)

// CheckExchange returns the violations of an exchange, independent of the
// organization's data.
func CheckExchange(lines []Exchanged) (problems []fault.Violation) {
	if len(lines) == 0 || len(lines) > MostKinds {
		return []fault.Violation{{
			Field: exchangeList, Text: fault.Say("driven.how_many", "max", strconv.Itoa(MostKinds)),
		}}
	}
	for i, line := range lines {
		field, text := line.problem()
		if field == "" && slices.ContainsFunc(lines[:i], func(o Exchanged) bool { return o.CarrierID == line.CarrierID }) {
			field, text = "cargoCarrierId", fault.Say("driven.carrier_twice")
		}
		if field != "" {
			field = fmt.Sprintf("%s[%d].%s", exchangeList, i, field)
			problems = append(problems, fault.Violation{Field: field, Text: text})
		}
	}
	return problems
}

// problem returns the reason why a line is invalid, and the field; the field is
// empty when the line is valid.
func (e Exchanged) problem() (field string, text fault.Text) {
	outside := func(n int32) bool { return n < 0 || n > MostOfAKind }
	most := strconv.Itoa(MostOfAKind)
	switch {
	case e.CarrierID < 1:
		return "cargoCarrierId", fault.Say("driven.no_carrier")
	case outside(e.Delivered):
		return "delivered", fault.Say("driven.no_count", "max", most)
	case outside(e.Collected):
		return "collected", fault.Say("driven.no_count", "max", most)
	case e.Delivered == 0 && e.Collected == 0:
		return "delivered", fault.Say("driven.nothing_exchanged")
	}
	return "", fault.Text{}
}

// Known reports whether an organization has the load carriers of an exchange,
// given their names.
func Known(lines []Exchanged, names map[int64]string) bool {
	return !slices.ContainsFunc(lines, func(e Exchanged) bool { _, known := names[e.CarrierID]; return !known })
}

// Told formats an exchange without words, for readers of any language: the
// quantities handed over and taken back of each kind.
func Told(lines []Exchanged, names map[int64]string) string {
	told := make([]string, len(lines))
	for i, e := range lines {
		told[i] = names[e.CarrierID]
		if e.Delivered > 0 {
			told[i] += fmt.Sprintf(" +%d", e.Delivered)
		}
		if e.Collected > 0 {
			told[i] += fmt.Sprintf(" −%d", e.Collected)
		}
	}
	return strings.Join(told, ", ")
}

// Movement is one change of a location's account for a kind. Rest is the sum of the
// exchange's later movements of the same kind.
type Movement struct {
	CarrierID int64
	Quantity  int32
	Rest      int64
}

// Movements returns the accounting movements of an exchange, in the order in
// which they are stored: by kind, received before returned.
func Movements(lines []Exchanged) (all []Movement) {
	sorted := slices.Clone(lines)
	slices.SortFunc(sorted, func(a, b Exchanged) int { return cmp.Compare(a.CarrierID, b.CarrierID) })
	for _, e := range sorted {
		if e.Delivered > 0 {
			all = append(all, Movement{e.CarrierID, e.Delivered, -int64(e.Collected)})
		}
		if e.Collected > 0 {
			all = append(all, Movement{e.CarrierID, -e.Collected, 0})
		}
	}
	return all
}

// TakesBack returns the exchange that an undo of a history undid, or nothing.
func (h History) TakesBack(undo Fact, effect Effect) (id string) {
	if undo.Deed != Undo || effect != Moved {
		return ""
	}
	for i := range h.Facts {
		if h.Facts[i].ID == undo.Undoes && h.Facts[i].Deed == Exchange {
			return undo.Undoes
		}
	}
	return ""
}
