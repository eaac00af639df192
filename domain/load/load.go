// Package load counts what limits vehicles in addition to weight and volume: dimensions that an
// organization names, such as pallet places.
package load

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"waybill/domain/fault"
)

// Limits of dimensions and amounts. Names and units are in bytes.
const (
	MostDimensions = 5
	LongestName    = 50
	MostAmount     = 100_000
)

// Dimension is a quantity that vehicles hold.
type Dimension struct {
	// Name is how vehicles and orders refer to it.
	Name string `json:"name" yaml:"name"`
	// Unit is what is counted, as texts name it; empty is the name.
	Unit string `json:"unit" yaml:"unit"`
}

// Counted is what is counted, as texts name it.
func (d Dimension) Counted() string { return cmp.Or(d.Unit, d.Name) }

// Dimensions are those of an organization, in its order.
type Dimensions []Dimension

// Has reports whether there is a dimension of a name.
func (all Dimensions) Has(name string) bool {
	return slices.ContainsFunc(all, func(d Dimension) bool { return d.Name == name })
}

// Names are those of the dimensions, for texts.
func (all Dimensions) Names() string {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	return strings.Join(names, ", ")
}

// Problems returns what is wrong with dimensions, each with the field below the given one.
func (all Dimensions) Problems(field string) (problems []fault.Violation) {
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	if len(all) > MostDimensions {
		complain(field, fault.Say("field.too_many", "max", fmt.Sprint(MostDimensions)))
		return problems
	}
	for i, d := range all {
		at := fmt.Sprintf("%s[%d]", field, i)
		if d.Name == "" || tooLong(d.Name) {
			complain(at+".name", fault.Say("load.bad_name", "max", fmt.Sprint(LongestName)))
		}
		if tooLong(d.Unit) {
			complain(at+".unit", fault.Say("field.too_long", "max", fmt.Sprint(LongestName)))
		}
		if d.Name != "" && all[:i].Has(d.Name) {
			complain(at+".name", fault.Say("load.twice", "name", fault.Clip(d.Name)))
		}
	}
	return problems
}

func tooLong(text string) bool { return len(text) > LongestName || strings.ContainsRune(text, 0) }

// Amount is so much of a dimension.
type Amount struct {
	Dimension string `json:"dimension" yaml:"dimension"`
	// Amount is in the unit of the dimension.
	Amount float64 `json:"amount" yaml:"amount"`
}

// Amounts are sorted by dimension, each once, unless they come from a caller.
type Amounts []Amount

// Of returns the amount of a dimension, if there is one.
func (a Amounts) Of(dimension string) (amount float64, said bool) {
	for _, one := range a {
		if one.Dimension == dimension {
			return one.Amount, true
		}
	}
	return 0, false
}

// Sorted returns the amounts by dimension.
func (a Amounts) Sorted() Amounts {
	sorted := slices.Clone(a)
	slices.SortFunc(sorted, func(x, y Amount) int { return cmp.Compare(x.Dimension, y.Dimension) })
	return sorted
}

// Needed returns the amounts that are more than nothing, by dimension.
func (a Amounts) Needed() Amounts {
	needed := slices.DeleteFunc(a.Sorted(), func(one Amount) bool { return one.Amount == 0 })
	if len(needed) == 0 {
		return nil
	}
	return needed
}

// Within returns the amounts of dimensions that there are.
func (a Amounts) Within(known Dimensions) Amounts {
	within := slices.DeleteFunc(slices.Clone(a), func(one Amount) bool { return !known.Has(one.Dimension) })
	if len(within) == 0 {
		return nil
	}
	return within
}

// Plus adds amounts up.
func (a Amounts) Plus(more Amounts) Amounts {
	sum := slices.Clone(a)
	for _, one := range more {
		at := slices.IndexFunc(sum, func(other Amount) bool { return other.Dimension == one.Dimension })
		if at < 0 {
			sum = append(sum, one)
			continue
		}
		sum[at].Amount += one.Amount
	}
	return sum.Sorted()
}

// Times multiplies amounts.
func (a Amounts) Times(by float64) Amounts {
	product := slices.Clone(a)
	for i := range product {
		product[i].Amount *= by
	}
	return product
}

// Problems returns what is wrong with amounts that a caller sends, each with the field below the
// given one.
func (a Amounts) Problems(field string, known Dimensions) (problems []fault.Violation) {
	if problems = a.Malformed(field); len(a) > MostDimensions {
		return problems
	}
	for i, one := range a {
		text := fault.Say("load.unknown", "name", fault.Clip(one.Dimension), "known", known.Names())
		if len(known) == 0 {
			text = fault.Say("load.none", "name", fault.Clip(one.Dimension))
		}
		if !known.Has(one.Dimension) {
			problems = append(problems, fault.Violation{Field: fmt.Sprintf("%s[%d].dimension", field, i), Text: text})
		}
	}
	return problems
}

// Malformed returns what is wrong with amounts, whatever dimensions there are.
func (a Amounts) Malformed(field string) (problems []fault.Violation) {
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	if len(a) > MostDimensions {
		complain(field, fault.Say("field.too_many", "max", fmt.Sprint(MostDimensions)))
		return problems
	}
	for i, one := range a {
		at := fmt.Sprintf("%s[%d]", field, i)
		if _, twice := a[:i].Of(one.Dimension); twice {
			complain(at+".dimension", fault.Say("load.twice", "name", fault.Clip(one.Dimension)))
		}
		if !one.valid() {
			complain(at+".amount", fault.Say("load.bad_amount", "max", fmt.Sprint(MostAmount)))
		}
	}
	return problems
}

// valid reports whether an amount is in range, with at most three decimals.
func (a Amount) valid() bool {
	const decimals = 1000
	return a.Amount >= 0 && a.Amount <= MostAmount && math.Abs(a.Amount*decimals-math.Round(a.Amount*decimals)) < 1e-4
}

// Item is a product line. Parent is the place of the line that holds it, or below zero.
type Item struct {
	Parent   int
	Quantity float64
	Own      Amounts // of one unit
}

// Sum adds up lines: in each dimension, a line's own amount counts, and where it has none, that of its
// contents.
func Sum(items []Item) Amounts {
	s := summing{items: items, children: make([][]int, len(items))}
	dimensions := map[string]bool{}
	for i := range items {
		for _, a := range items[i].Own {
			dimensions[a.Dimension] = true
		}
		if parent := items[i].Parent; parent >= 0 && parent < len(items) && parent != i {
			s.children[parent] = append(s.children[parent], i)
		}
	}
	var sum Amounts
	for dimension := range dimensions {
		total := 0.0
		for i := range items {
			if items[i].Parent < 0 {
				total += s.of(i, dimension)
			}
		}
		if total > 0 {
			sum = append(sum, Amount{dimension, total})
		}
	}
	return sum.Sorted()
}

type summing struct {
	items    []Item
	children [][]int
}

func (s *summing) of(i int, dimension string) float64 {
	item := &s.items[i]
	if own, said := item.Own.Of(dimension); said {
		return own * item.Quantity
	}
	total := 0.0
	for _, child := range s.children[i] {
		total += s.of(child, dimension)
	}
	return total * item.Quantity
}

// Fit reports whether amounts are within limits; a dimension without one has none.
func (a Amounts) Fit(limits Amounts) bool {
	for _, one := range a {
		if most, limited := limits.Of(one.Dimension); limited && one.Amount > most+noise {
			return false
		}
	}
	return true
}

// noise is that of sums of decimals.
const noise = 1e-6
