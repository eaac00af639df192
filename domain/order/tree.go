package order

import (
	"fmt"

	"waybill/domain/fault"
)

// Node is a product in a caller's tree: identified by its id or, if that is 0,
// by its external id, with its children.
type Node struct {
	ID         int64
	ExternalID string
	Children   []Node
}

// maxDepth is how deep products can be nested.
const maxDepth = 100

// Pack sets the whole hierarchy of an order's products: products that the tree
// does not mention move to the top level. A moved product counts as modified.
// Nothing changes when anything is invalid: a product of another order, a
// product inside itself, or one in two places.
func Pack(o *Order, tree []Node) (Event, error) {
	k := packing{place: map[*Product]string{}, byID: map[int64]*Product{}, byExternalID: map[string][]*Product{}}
	next := copies(o.Products)
	for _, p := range next {
		p.Parent = nil
		k.byID[p.ID] = p
		if p.ExternalID != "" {
			k.byExternalID[p.ExternalID] = append(k.byExternalID[p.ExternalID], p)
		}
	}
	k.put(tree, nil, "tree")
	if len(k.problems) > 0 {
		return Event{}, unprocessable(k.problems)
	}
	return o.replan(o.Number, next)
}

type packing struct {
	byID         map[int64]*Product
	byExternalID map[string][]*Product
	// place is where a product was found, and above holds the products that
	// contain the current place.
	place    map[*Product]string
	above    []*Product
	problems []fault.Violation
}

func (k *packing) complain(field string, text fault.Text) {
	if len(k.problems) < maxProblems {
		k.problems = append(k.problems, fault.Violation{Field: field, Text: text})
	}
}

func (k *packing) put(nodes []Node, parent *Product, field string) {
	if len(k.above) > maxDepth {
		k.complain("tree", fault.Say("product.too_deep", "max", fmt.Sprint(maxDepth)))
		return
	}
	for i := range nodes {
		at := fmt.Sprintf("%s[%d]", field, i)
		p := k.find(&nodes[i], at)
		if p == nil || !k.free(p, at) {
			continue
		}
		p.Parent, k.place[p] = parent, at
		k.above = append(k.above, p)
		k.put(nodes[i].Children, p, at+".children")
		k.above = k.above[:len(k.above)-1]
	}
}

// free reports whether a product has no parent yet.
func (k *packing) free(p *Product, at string) bool {
	for _, holder := range k.above {
		if holder == p {
			k.complain(at, fault.Say("product.cycle"))
			return false
		}
	}
	if first, taken := k.place[p]; taken {
		k.complain(at, fault.Say("product.two_places", "first", first))
		return false
	}
	return true
}

func (k *packing) find(n *Node, at string) *Product {
	if n.ID != 0 {
		p := k.byID[n.ID]
		switch {
		case p == nil:
			k.complain(at+".id", fault.Say("product.not_in_order", "name", fmt.Sprint(n.ID)))
		case n.ExternalID != "" && n.ExternalID != p.ExternalID:
			k.complain(at+".external_id", fault.Say("product.not_in_order", "name", fault.Clip(n.ExternalID)))
			return nil
		}
		return p
	}
	switch found := k.byExternalID[n.ExternalID]; {
	case n.ExternalID == "":
		k.complain(at, fault.Say("product.unnamed"))
	case len(found) == 0:
		k.complain(at+".external_id", fault.Say("product.not_in_order", "name", fault.Clip(n.ExternalID)))
	case len(found) > 1:
		k.complain(at+".external_id", fault.Say("product.ambiguous", "name", fault.Clip(n.ExternalID)))
	default:
		return found[0]
	}
	return nil
}
