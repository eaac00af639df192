package planning

import (
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// GoodsApart are two kinds of goods that must not be on one route, or not on board at the
// same time.
type GoodsApart struct {
	One, Other string
	// SameTime forbids only the same time on board.
	SameTime bool
}

// closes returns when service may begin at the latest.
func (s *Stop) closes() time.Time { return s.Window.Latest.Add(s.MayBeLate) }

// priceOfLateness returns what a second costs by which service begins after the window, where
// it may.
func (d *Draft) priceOfLateness(s *Stop) int64 {
	if s.MayBeLate == 0 {
		return 0
	}
	return d.worth(s.LatePrice)
}

// due returns from when on service at a stop is late, if it may be; 0 otherwise.
func (d *Draft) due(s *Stop, closes int64) int64 {
	if s.MayBeLate == 0 {
		return 0
	}
	return min(max(d.second(s.Window.Latest), 0), closes)
}

// lateBy returns how late service begins: after the window, even if it may.
func (s *Stop) lateBy(at *routing.Timed, stop *routing.Stop) time.Duration {
	closes := stop.Closes
	if s.MayBeLate > 0 {
		closes = stop.Due
	}
	return time.Duration(max(at.Starts-closes, 0)) * time.Second
}

// deadline returns when service at a stop may begin at the latest. Goods on board are
// delivered before they have been there for too long.
func (d *Draft) deadline(o *Order, kind order.StopKind) time.Time {
	closes := o.stop(kind).closes()
	loaded := o.Pickup.Standing.Ended
	if kind == order.Pickup || o.MaxOnBoard == 0 || !o.did(order.Pickup) || loaded.IsZero() {
		return closes
	}
	if until := loaded.Add(o.MaxOnBoard); until.Before(closes) {
		return until
	}
	return closes
}

// partGoods gives the problem the goods that must be apart.
func (d *Draft) partGoods() {
	d.kinds = map[string]int{}
	number := func(kind string) int {
		n, known := d.kinds[kind]
		if !known {
			n = len(d.kinds)
			d.kinds[kind] = n
		}
		return n
	}
	for _, a := range d.day.GoodsApart {
		apart := routing.Apart{One: number(a.One), Other: number(a.Other), Aboard: a.SameTime}
		d.Problem.Apart = append(d.Problem.Apart, apart)
	}
}

// goods returns the numbers of an order's kinds of goods, as far as they must be apart from
// others.
func (d *Draft) goods(o *Order) (kinds []int) {
	for _, kind := range o.GoodsKinds {
		if n, known := d.kinds[kind]; known {
			kinds = append(kinds, n)
		}
	}
	return kinds
}

// betweenWindows returns the spans between a stop's windows, as far as they are within the present
// window of the stop.
func (d *Draft) betweenWindows(s *Stop, opens, closes int64) []routing.Span {
	var spans []routing.Span
	for i := 1; i < len(s.Windows); i++ {
		span := routing.Span{
			From:  max(d.second(s.Windows[i-1].Latest), opens),
			Until: min(d.second(s.Windows[i].Earliest.Add(time.Second-time.Nanosecond)), closes),
		}
		if span.From < span.Until {
			spans = append(spans, span)
		}
	}
	return spans
}
