package order

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// replaceProducts returns the order's products with those of one number
// replaced by the wanted ones, and reports whether anything differs. A wanted
// product takes over the id of the one that it replaces. Unless all are to be
// replaced, products that a user or driver modified stay unchanged.
func replaceProducts(o *Order, number string, wanted []*Product, all bool) ([]*Product, bool) {
	var next, present []*Product
	stands := map[*Product]*Product{} // old product to its replacement
	for _, p := range o.Products {
		if p.Number == number {
			present = append(present, p)
		} else {
			next = append(next, keep(p, stands))
		}
	}
	slices.SortStableFunc(present, func(a, b *Product) int { return cmp.Compare(a.Seq, b.Seq) })
	others := len(next)
	next = append(next, swap(present, wanted, all, stands)...)
	mendParents(next, stands)
	if sameProducts(present, next[others:]) {
		return o.Products, false
	}
	return next, true
}

// keep returns a copy of a product that stays, because the order must not
// change before it is known that it may.
func keep(p *Product, stands map[*Product]*Product) *Product {
	kept := *p
	stands[p] = &kept
	return &kept
}

// swap pairs the wanted products with the present ones. All get their place
// in the list as sequence, so that the same list is found the same again.
func swap(present, wanted []*Product, all bool, stands map[*Product]*Product) []*Product {
	free := slices.Clone(present)
	next := make([]*Product, 0, len(wanted))
	for _, w := range wanted {
		match := take(&free, w)
		switch {
		case match == nil:
			next = append(next, w)
		case match.Modified && !all:
			stands[w] = keep(match, stands)
			next = append(next, stands[w])
		default:
			w.ID, stands[match] = match.ID, w
			next = append(next, w)
		}
	}
	for _, p := range free {
		if p.Modified && !all {
			next = append(next, keep(p, stands))
		}
	}
	for i, p := range next {
		p.Seq = int32(i)
	}
	return next
}

// mendParents points every product at its parent's replacement; a product
// whose parent is gone moves to the top level.
func mendParents(next []*Product, stands map[*Product]*Product) {
	here := make(map[*Product]bool, len(next))
	for _, p := range next {
		here[p] = true
	}
	for _, p := range next {
		if p.Parent == nil || here[p.Parent] {
			continue
		}
		p.Parent = stands[p.Parent]
		if !here[p.Parent] {
			p.Parent = nil
		}
	}
	// Kept products keep their old parents, which together with the new ones
	// could form a cycle.
	for i := findCycle(next); i >= 0; i = findCycle(next) {
		next[i].Parent = nil
	}
}

// take removes from free the product that a wanted one replaces: the one
// with the same instance number, or else with the same name.
func take(free *[]*Product, wanted *Product) *Product {
	i := slices.IndexFunc(*free, func(p *Product) bool {
		if wanted.InstanceNumber != "" {
			return p.InstanceNumber == wanted.InstanceNumber
		}
		return p.InstanceNumber == "" && p.Name == wanted.Name
	})
	if i < 0 {
		return nil
	}
	match := (*free)[i]
	*free = slices.Delete(*free, i, i+1)
	return match
}

// sameProducts compares all product data that an import can set.
func sameProducts(present, next []*Product) bool {
	return slices.EqualFunc(present, next, func(a, b *Product) bool {
		x, y := *a, *b
		if !maps.Equal(x.Skills, y.Skills) || !sameParent(a.Parent, b.Parent) {
			return false
		}
		x.Parent, y.Parent, x.Skills, y.Skills = nil, nil, nil, nil
		return reflect.DeepEqual(x, y)
	})
}

// sameParent compares positions in the tree. A parent without an id is
// identified by its index in the list of its number.
func sameParent(a, b *Product) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID && a.Seq == b.Seq && a.Number == b.Number
}
