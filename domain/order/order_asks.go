package order

import (
	"fmt"
	"slices"

	"waybill/domain/fault"
	"waybill/domain/load"
)

// Asks is what an order as a whole asks of the planner. The zero value asks for nothing.
type Asks struct {
	// MaxMinutesOnBoard is how many minutes may pass at most from the end of the pickup until the
	// delivery begins; 0 means any number.
	MaxMinutesOnBoard int32 `json:"max_minutes_on_board,omitempty"`
	// GoodsKinds are the kinds of its goods, in their order, each once. The organization says
	// which of them must not travel together.
	GoodsKinds []string `json:"goods_kinds,omitempty"`
	// LoadAmounts are how much it needs in the organization's load dimensions, in addition to its
	// products.
	LoadAmounts load.Amounts `json:"load_amounts,omitempty"`
	// PossibleDays are those on which it may be carried out, nil if only on its date.
	*PossibleDays
}

// Nothing reports whether the order asks for nothing.
func (a *Asks) Nothing() bool {
	return a.MaxMinutesOnBoard == 0 && len(a.GoodsKinds) == 0 && len(a.LoadAmounts) == 0 && a.PossibleDays == nil
}

// The most kinds of goods of an order, the longest name of one in bytes, and the longest time
// on board in minutes.
const (
	mostGoodsKinds   = 20
	LongestGoodsKind = 50
	mostOnBoard      = 24 * 60
)

// asks reads what a request asks of the planner.
func (r *Request) asks(known load.Dimensions, reasons *reasons) (a Asks) {
	if m := r.MaxMinutesOnBoard; m != nil {
		if a.MaxMinutesOnBoard = *m; *m < 1 || *m > mostOnBoard {
			reasons.add(UnknownInvalidInput, "maxMinutesOnBoard", fault.Say("order.bad_time_on_board",
				"max", fmt.Sprint(mostOnBoard)))
		}
	}
	a.GoodsKinds = slices.Clone(r.GoodsKinds)
	if len(a.GoodsKinds) > mostGoodsKinds {
		reasons.add(UnknownInvalidInput, "goodsKinds", fault.Say("field.too_many", "max", fmt.Sprint(mostGoodsKinds)))
	}
	for i, kind := range a.GoodsKinds {
		if kind == "" || len(kind) > LongestGoodsKind {
			reasons.add(UnknownInvalidInput, fmt.Sprintf("goodsKinds[%d]", i), fault.Say("order.bad_goods_kind",
				"max", fmt.Sprint(LongestGoodsKind)))
		}
	}
	slices.Sort(a.GoodsKinds)
	a.GoodsKinds = slices.Compact(a.GoodsKinds)
	reasons.addProblems(UnknownInvalidInput, r.LoadAmounts.Problems("loadAmounts", known))
	a.LoadAmounts = r.LoadAmounts.Needed()
	a.PossibleDays = r.days(reasons)
	return a
}

// differing are the fields of a request in which two orders ask for something else.
func (a *Asks) differing(other *Asks) (fields []string) {
	if a.MaxMinutesOnBoard != other.MaxMinutesOnBoard {
		fields = append(fields, "maxMinutesOnBoard")
	}
	if !slices.Equal(a.GoodsKinds, other.GoodsKinds) {
		fields = append(fields, "goodsKinds")
	}
	if !slices.Equal(a.LoadAmounts, other.LoadAmounts) {
		fields = append(fields, "loadAmounts")
	}
	if !a.same(other.PossibleDays) {
		fields = append(fields, "latestDate")
	}
	return fields
}

// with combines what two numbers ask for: the shorter time on board, all kinds of goods, and the
// loads of both.
func (a *Asks) with(more *Asks) Asks {
	both := Asks{
		MaxMinutesOnBoard: a.MaxMinutesOnBoard, GoodsKinds: slices.Concat(a.GoodsKinds, more.GoodsKinds),
		LoadAmounts: a.LoadAmounts.Plus(more.LoadAmounts), PossibleDays: a.PossibleDays.with(more.PossibleDays),
	}
	if m := more.MaxMinutesOnBoard; m > 0 && (both.MaxMinutesOnBoard == 0 || m < both.MaxMinutesOnBoard) {
		both.MaxMinutesOnBoard = m
	}
	slices.Sort(both.GoodsKinds)
	both.GoodsKinds = slices.Compact(both.GoodsKinds)
	return both
}

// minutesOnBoard is the time on board in the form of a request.
func (a *Asks) minutesOnBoard() *int32 {
	if a.MaxMinutesOnBoard == 0 {
		return nil
	}
	return &a.MaxMinutesOnBoard
}
