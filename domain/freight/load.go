package freight

import "github.com/shopspring/decimal"

// Item is one product line. Parent is the place of the line that holds it,
// or below zero. Weight is in kilograms, the dimensions in centimetres.
type Item struct {
	Parent                        int
	Quantity                      float64
	Weight, Length, Width, Height *float64
}

// Load is an order's cargo. The figures are exact decimals, because money
// is computed from them.
type Load struct {
	WeightKg decimal.Decimal
	VolumeM3 decimal.Decimal
	// Colli are the top-level units, regardless of their contents; a fraction
	// of one counts as one.
	Colli decimal.Decimal
}

// LoadOf adds up items: a line's own figures count, or else those of its
// contents.
func LoadOf(items []Item) Load {
	children := make([][]int, len(items))
	for i, item := range items {
		if item.Parent >= 0 && item.Parent < len(items) && item.Parent != i {
			children[item.Parent] = append(children[item.Parent], i)
		}
	}
	s := summing{items: items, children: children}
	var load Load
	for i, item := range items {
		if item.Parent >= 0 {
			continue
		}
		load.WeightKg = load.WeightKg.Add(s.sum(i, Item.weight))
		load.VolumeM3 = load.VolumeM3.Add(s.sum(i, Item.volume))
		load.Colli = load.Colli.Add(decimal.NewFromFloat(item.Quantity))
	}
	load.Colli = load.Colli.Ceil()
	return load
}

type summing struct {
	items    []Item
	children [][]int
}

func (s summing) sum(i int, measure func(Item) decimal.Decimal) decimal.Decimal {
	item := s.items[i]
	quantity := decimal.NewFromFloat(item.Quantity)
	if own := measure(item); own.IsPositive() {
		return own.Mul(quantity)
	}
	total := decimal.Zero
	for _, child := range s.children[i] {
		total = total.Add(s.sum(child, measure))
	}
	return total.Mul(quantity)
}

func (i Item) weight() decimal.Decimal { return exact(i.Weight) }

// cm3 is the number of cubic centimetres in a cubic metre, as an exponent.
const cm3 = -6

// volume is in cubic metres; zero when a dimension is missing.
func (i Item) volume() decimal.Decimal {
	return exact(i.Length).Mul(exact(i.Width)).Mul(exact(i.Height)).Shift(cm3)
}

// exact is the decimal number that was written, not its binary neighbour.
func exact(v *float64) decimal.Decimal {
	if v == nil {
		return decimal.Zero
	}
	return decimal.NewFromFloat(*v)
}
