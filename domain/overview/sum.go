package overview

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/freight"
)

// Sum is the total of orders.
type Sum struct {
	Orders, Late int64
	Load         freight.Load
}

// Group is the sum of the orders of a group. Its id is 0 for orders without a
// group.
type Group struct {
	ID int64
	Sum
}

// SumUp sums orders up, all of them and by group, the largest group first.
func SumUp(orders []Order, groupOf map[int64]int64, now time.Time) (total Sum, groups []Group) {
	places := map[int64]int{}
	for i := range orders {
		id := groupOf[orders[i].ID]
		place, known := places[id]
		if !known {
			place = len(groups)
			places[id] = place
			groups = append(groups, Group{ID: id})
		}
		total.add(&orders[i], now)
		groups[place].add(&orders[i], now)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Orders, a.Orders), cmp.Compare(a.ID, b.ID))
	})
	return total, groups
}

func (s *Sum) add(o *Order, now time.Time) {
	s.Orders++
	if o.IsLate(now) {
		s.Late++
	}
	s.Load.WeightKg = s.Load.WeightKg.Add(o.Load.WeightKg)
	s.Load.VolumeM3 = s.Load.VolumeM3.Add(o.Load.VolumeM3)
	s.Load.Colli = s.Load.Colli.Add(o.Load.Colli)
}
