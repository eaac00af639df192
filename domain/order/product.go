package order

import (
	"fmt"
	"slices"

	"waybill/domain/fault"
)

// maxProducts is the most product lines one order may have.
const maxProducts = 5_000

// judgeProducts reads an entry's products and links children to their
// parents. Nil means that the entry has no products.
func (d *decider) judgeProducts(requests []ProductRequest, number string, r *reasons) []*Product {
	if requests == nil {
		return nil
	}
	if len(requests) > maxProducts {
		r.add(InvalidProduct, "products", fault.Say("field.too_many", "max", fmt.Sprint(maxProducts)))
		return nil
	}
	products := make([]*Product, len(requests))
	byExternalID := make(map[string]*Product, len(requests))
	for i := range requests {
		field := fmt.Sprintf("products[%d]", i)
		p := newProduct(&requests[i], number, i)
		p.Skills = d.judgeSkills(requests[i].Skills, InvalidProductSkill, field, r)
		r.addProblems(InvalidProduct, requests[i].LoadAmounts.Problems(field+".loadAmounts", d.snapshot.LoadDimensions))
		p.LoadAmounts = requests[i].LoadAmounts.Needed()
		judgeProduct(p, field, r)
		if _, taken := byExternalID[p.ExternalID]; p.ExternalID != "" && !taken {
			byExternalID[p.ExternalID] = p
		}
		products[i] = p
	}
	tieParents(products, requests, byExternalID, r)
	return products
}

func newProduct(req *ProductRequest, number string, seq int) *Product {
	p := &Product{
		Number: number, Seq: int32(seq), Name: req.Name, Quantity: 1,
		Weight: req.Weight, Length: req.Length, Width: req.Width, Height: req.Height,
		BarcodeID: req.BarcodeID, ExternalID: req.ExternalID,
		InstanceNumber: req.ExternalInstanceNumber, AtomType: req.AtomType,
	}
	if req.Quantity != nil {
		p.Quantity = *req.Quantity
	}
	if p.InstanceNumber == "" {
		p.InstanceNumber = req.ExternalID
	}
	return p
}

func judgeProduct(p *Product, field string, r *reasons) {
	for _, n := range []struct {
		field string
		value *float64
	}{
		{"quantity", &p.Quantity}, {"weight", p.Weight}, {"length", p.Length}, {"width", p.Width}, {"height", p.Height},
	} {
		if !sensibleNumber(n.value) {
			r.add(InvalidProduct, field+"."+n.field, fault.Say("field.number_range"))
		}
	}
	for _, text := range []struct{ field, value string }{
		{"name", p.Name},
		{"barcodeId", p.BarcodeID},
		{"externalId", p.ExternalID},
		{"externalInstanceNumber", p.InstanceNumber},
	} {
		if tooLong(text.value, maxName) {
			r.add(InvalidProduct, field+"."+text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	if p.AtomType != "" && p.AtomType != AtomColli && p.AtomType != AtomTradeItem {
		r.add(InvalidProduct, field+".atomType", fault.Say("request.not_one_of", "allowed", AtomColli+", "+AtomTradeItem))
	}
}

// tieParents builds the hierarchy. A product with contents and without a type
// is a colli; any other is a trade item.
func tieParents(products []*Product, requests []ProductRequest, byExternalID map[string]*Product, r *reasons) {
	holds := map[*Product]bool{}
	for i, p := range products {
		wanted := requests[i].ParentExternalID
		if wanted == "" {
			continue
		}
		parent := byExternalID[wanted]
		if parent == nil {
			r.add(InvalidProduct, fmt.Sprintf("products[%d].parentExternalId", i),
				fault.Say("product.no_parent", "name", fault.Clip(wanted)))
			continue
		}
		p.Parent = parent
		holds[parent] = true
	}
	for _, p := range products {
		if p.AtomType == "" {
			p.AtomType = AtomTradeItem
			if holds[p] {
				p.AtomType = AtomColli
			}
		}
	}
	if i := findCycle(products); i >= 0 {
		r.add(InvalidProduct, fmt.Sprintf("products[%d].parentExternalId", i), fault.Say("product.cycle"))
	}
}

// findCycle returns the place of a product that is its own ancestor, or -1.
func findCycle(products []*Product) int {
	safe := make(map[*Product]bool, len(products))
	for _, p := range products {
		path := map[*Product]bool{}
		for at := p; at != nil && !safe[at]; at = at.Parent {
			if path[at] {
				return slices.Index(products, at)
			}
			path[at] = true
		}
		for at := range path {
			safe[at] = true
		}
	}
	return -1
}

// Load is the weight in kilograms and the volume in cubic metres of an order's
// products.
func (o *Order) Load() (weight, volume float64) { return goodsLoad(o.Products) }

// goodsLoad returns the weight in kilograms and the volume in cubic meters of
// products: a colli's own figures count, and where it has none, those of its
// contents.
func goodsLoad(products []*Product) (weight, volume float64) {
	children := map[*Product][]*Product{}
	for _, p := range products {
		if p.Parent != nil {
			children[p.Parent] = append(children[p.Parent], p)
		}
	}
	for _, p := range products {
		if p.Parent == nil {
			weight += sum(p, children, (*Product).weight)
			volume += sum(p, children, (*Product).volume)
		}
	}
	return weight, volume
}

func sum(p *Product, children map[*Product][]*Product, measure func(*Product) float64) float64 {
	if own := measure(p); own > 0 {
		return own * p.Quantity
	}
	total := 0.0
	for _, child := range children[p] {
		total += sum(child, children, measure)
	}
	return total * p.Quantity
}

func (p *Product) weight() float64 {
	if p.Weight == nil {
		return 0
	}
	return *p.Weight
}

// volume is in cubic metres; 0 when a dimension is missing.
func (p *Product) volume() float64 {
	if p.Length == nil || p.Width == nil || p.Height == nil {
		return 0
	}
	return *p.Length * *p.Width * *p.Height / 1e6
}
