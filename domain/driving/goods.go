package driving

import (
	"math"
	"slices"
)

// Good is one line of an order's goods.
type Good struct {
	ID       int64   `json:"id"`
	Parent   int64   `json:"parent"` // the goods that contain it, or 0
	Quantity float64 `json:"quantity"`
}

// Goods are all goods of an order.
type Goods []Good

// Default reasons for a failed order.
const (
	ReasonRefused = "refused"
	ReasonMissing = "missing"
)

// Delivered completes a driver's report of a delivery: a refused container
// includes all its contents, and goods missing at loading are not delivered. It
// reports whether nothing was delivered.
func (g Goods) Delivered(said, missing []Product) (all []Product, nothing bool) {
	all = slices.Clone(said)
	for _, good := range g {
		if i := find(all, good.ID); i >= 0 && all[i].Delivered == 0 && all[i].Refused > 0 {
			all = g.inside(all, good.ID, func(in Good) Product {
				return Product{ID: in.ID, Refused: in.Quantity, Reason: all[i].Reason}
			})
		}
	}
	for _, gone := range missing {
		good := slices.IndexFunc(g, func(one Good) bool { return one.ID == gone.ID })
		if good < 0 {
			continue
		}
		here := math.Max(g[good].Quantity-gone.Missing, 0)
		i := find(all, gone.ID)
		if i < 0 {
			all, i = append(all, Product{ID: gone.ID, Delivered: here, Reason: gone.Reason}), len(all)
		}
		all[i].Missing = gone.Missing
		all[i].Refused = math.Min(all[i].Refused, here)
		all[i].Delivered = math.Min(all[i].Delivered, here-all[i].Refused)
	}
	return all, g.none(func(one Good) bool { i := find(all, one.ID); return i >= 0 && all[i].Delivered == 0 })
}

// Missing completes a driver's report of missing goods with their contents, given
// what was missing before. It reports whether all goods of the order are missing.
func (g Goods) Missing(said, before []Product) (all []Product, nothing bool) {
	all = slices.Clone(said)
	isGone := func(in []Product, one Good) bool {
		i := find(in, one.ID)
		return i >= 0 && in[i].Missing >= one.Quantity
	}
	for _, good := range g {
		if i := find(all, good.ID); i >= 0 && isGone(all, good) {
			all = g.inside(all, good.ID, func(in Good) Product {
				return Product{ID: in.ID, Missing: in.Quantity, Reason: all[i].Reason}
			})
		}
	}
	total := merged(before, all)
	return all, g.none(func(one Good) bool { return isGone(total, one) })
}

// inside adds a line for everything that a holder contains, at any depth.
func (g Goods) inside(lines []Product, holder int64, line func(Good) Product) []Product {
	for _, good := range g {
		if good.Parent != holder || good.ID == holder {
			continue
		}
		if i := find(lines, good.ID); i >= 0 {
			lines[i] = line(good)
		} else {
			lines = append(lines, line(good))
		}
		lines = g.inside(lines, good.ID, line)
	}
	return lines
}

// none reports whether all goods without contents are missing.
func (g Goods) none(isGone func(Good) bool) bool {
	return len(g) > 0 && !slices.ContainsFunc(g, func(one Good) bool {
		holds := slices.ContainsFunc(g, func(in Good) bool { return in.Parent == one.ID && in.ID != one.ID })
		return !holds && !isGone(one)
	})
}

// merged returns lines in which newer ones replace those of the same goods.
// Goods that are not missing after all get no line.
func merged(before, newer []Product) []Product {
	all := slices.Clone(before)
	for _, p := range newer {
		if i := find(all, p.ID); i >= 0 {
			all[i] = p
		} else {
			all = append(all, p)
		}
	}
	return slices.DeleteFunc(all, func(p Product) bool { return p.Missing == 0 })
}

// reported returns the goods of a missing report, each with who reported it and
// when.
func (f *Fact) reported() []Product {
	all := slices.Clone(f.Products)
	for i := range all {
		all[i].ReportedBy, all[i].ReportedAt = f.DriverID, f.At
	}
	return all
}

func find(lines []Product, id int64) int {
	return slices.IndexFunc(lines, func(p Product) bool { return p.ID == id })
}
