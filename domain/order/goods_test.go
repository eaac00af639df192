package order_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// packed is an order with a pallet that holds a sofa, and a separate table.
func packed() *order.Order {
	pallet := &order.Product{
		ID: 1, Number: "A", Seq: 0, Name: "Pallet", Quantity: 1,
		ExternalID: "P", InstanceNumber: "P", AtomType: order.AtomColli,
	}
	sofa := &order.Product{
		ID: 2, Number: "A", Seq: 1, Name: "Sofa", Quantity: 1, Weight: ptr(40.0),
		ExternalID: "S", InstanceNumber: "S", AtomType: order.AtomTradeItem, Parent: pallet,
	}
	table := &order.Product{
		ID: 3, Number: "A", Seq: 2, Name: "Table", Quantity: 2,
		ExternalID: "T", InstanceNumber: "T", AtomType: order.AtomTradeItem,
	}
	return &order.Order{ID: 9, Number: "A", Status: order.Registered, Products: []*order.Product{pallet, sofa, table}}
}

// parents returns the external id of each product's holder.
func parents(o *order.Order) map[string]string {
	out := map[string]string{}
	for _, p := range o.Products {
		out[p.ExternalID] = ""
		if p.Parent != nil {
			out[p.ExternalID] = p.Parent.ExternalID
		}
	}
	return out
}

func violations(t *testing.T, err error) map[string]string {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, fault.Unprocessable, f.Kind)
	out := map[string]string{}
	for _, v := range f.Violations {
		out[v.Field] = v.Text.ID
	}
	return out
}

func TestUpsertChangesWhatIsGivenAndAddsWhatIsNew(t *testing.T) {
	t.Parallel()
	o := packed()
	change, err := order.UpsertProducts(o, "A", []order.ProductChange{
		{ExternalID: "S", Weight: order.Give(ptr(41.5))},
		{ExternalID: "B", Name: order.Give("Box"), ParentExternalID: order.Give("P")},
		{ExternalID: "T", Weight: order.Give[*float64](nil)},
	})
	require.NoError(t, err)
	require.Equal(t, event.OrderUpdated, change.Kind)
	require.Len(t, change.Added, 1)
	require.Equal(t, "B", change.Added[0].ExternalID)
	require.True(t, o.Changes.Products)
	require.Len(t, o.Products, 4)
	require.Equal(t, map[string]string{"P": "", "S": "P", "T": "", "B": "P"}, parents(o))
	sofa, box := o.Products[1], o.Products[3]
	require.InDelta(t, 41.5, *sofa.Weight, 0)
	require.Equal(t, "Sofa", sofa.Name, "what is not given stays")
	require.Equal(t, order.Product{
		Number: "A", Seq: 3, Name: "Box", Quantity: 1, ExternalID: "B", InstanceNumber: "B", AtomType: order.AtomTradeItem,
		Modified: true, Parent: o.Products[0],
	}, *box)
	require.Equal(t, []bool{false, true, false, true}, modified(o), "only what was changed")

	o.Changes = order.Changes{}
	box.ID = 4
	change, err = order.UpsertProducts(o, "A", []order.ProductChange{{ExternalID: "S", Weight: order.Give(ptr(41.5))}})
	require.NoError(t, err)
	require.Empty(t, change.Kind, "the same again is no change")
	require.False(t, o.Changes.Any())
}

func modified(o *order.Order) (out []bool) {
	for _, p := range o.Products {
		out = append(out, p.Modified)
	}
	return out
}

func TestInvalidUpsertChangesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changes []order.ProductChange
		field   string
		text    string
	}{
		"NoExternalID": {[]order.ProductChange{{}}, "order_products[0].external_id", "product.external_id_missing"},
		"Twice": {
			[]order.ProductChange{{ExternalID: "S"}, {ExternalID: "S"}}, "order_products[1].external_id", "product.twice",
		},
		"NegativeWeight": {
			[]order.ProductChange{{ExternalID: "S", Weight: order.Give(ptr(-1.0))}},
			"order_products[0].weight", "field.number_range",
		},
		"AtomType": {
			[]order.ProductChange{{ExternalID: "S", AtomType: order.Give("quark")}},
			"order_products[0].atom_type", "request.not_one_of",
		},
		"LongName": {
			[]order.ProductChange{{ExternalID: "S", Name: order.Give(long)}}, "order_products[0].name", "field.too_long",
		},
		"NoParent": {
			[]order.ProductChange{{ExternalID: "S", ParentExternalID: order.Give("X")}},
			"order_products[0].parent_external_id", "product.no_parent",
		},
		"Cycle": {
			[]order.ProductChange{{ExternalID: "P", ParentExternalID: order.Give("S")}}, "order_products", "product.cycle",
		},
		"InItself": {
			[]order.ProductChange{{ExternalID: "T", ParentExternalID: order.Give("T")}}, "order_products", "product.cycle",
		},
	} {
		o := packed()
		_, err := order.UpsertProducts(o, "A", c.changes)
		require.Equal(t, map[string]string{c.field: c.text}, violations(t, err), name)
		require.Equal(t, packed(), o, name)
	}
}

func TestUpsertOfASharedOrderConcernsOneNumber(t *testing.T) {
	t.Parallel()
	shared := func() *order.Order {
		o := packed()
		o.Products = append(o.Products, &order.Product{
			ID: 4, Number: "B", Name: "Other sofa", Quantity: 1, ExternalID: "S", AtomType: order.AtomTradeItem,
		})
		return o
	}
	change := []order.ProductChange{{ExternalID: "S", Name: order.Give("Bench")}}
	o := shared()
	_, err := order.UpsertProducts(o, "B", change)
	require.NoError(t, err)
	require.Equal(t, []string{"Sofa", "Bench"}, []string{o.Products[1].Name, o.Products[3].Name})

	o = shared()
	o.Products[3].Number, o.Products[1].Number = "C", "C"
	_, err = order.UpsertProducts(o, "A", change)
	require.Equal(t, map[string]string{"order_products[0].external_id": "product.ambiguous"}, violations(t, err))
}

func TestGoodsOnBoardCannotChange(t *testing.T) {
	t.Parallel()
	for status := order.Registered; status <= order.Cancelled; status++ {
		o := packed()
		o.Status = status
		_, same := order.UpsertProducts(o, "A", []order.ProductChange{{ExternalID: "S", Name: order.Give("Sofa")}})
		require.NoError(t, same, "repeating what is so is always possible")
		_, err := order.UpsertProducts(o, "A", []order.ProductChange{{ExternalID: "S", Name: order.Give("Bench")}})
		_, moved := order.Pack(o, []order.Node{{ExternalID: "T", Children: []order.Node{{ID: 2}}}})
		if status.Loaded() {
			require.Equal(t, fault.IllegalState, fault.KindOf(err), status)
			require.Equal(t, fault.IllegalState, fault.KindOf(moved), status)
			continue
		}
		require.NoError(t, errors.Join(err, moved), status)
	}
}

func TestTheTreeIsSetAsAWhole(t *testing.T) {
	t.Parallel()
	o := packed()
	change, err := order.Pack(o, []order.Node{{ExternalID: "P", Children: []order.Node{{ID: 3}}}})
	require.NoError(t, err)
	require.Equal(t, event.OrderUpdated, change.Kind)
	require.Empty(t, change.Added)
	require.Equal(t, map[string]string{"P": "", "S": "", "T": "P"}, parents(o), "what is not mentioned stands at the top")
	require.Equal(t, []bool{false, true, true}, modified(o))

	change, err = order.Pack(o, []order.Node{{ID: 1, ExternalID: "P", Children: []order.Node{{ExternalID: "T"}}}, {ID: 2}})
	require.NoError(t, err)
	require.Empty(t, change.Kind, "the same again is no change")

	_, err = order.Pack(o, []order.Node{})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"P": "", "S": "", "T": ""}, parents(o))
}

func TestInvalidTreesChangeNothing(t *testing.T) {
	t.Parallel()
	deep := order.Node{ID: 1}
	leaf := &deep
	for range 101 {
		leaf.Children = []order.Node{{ID: 1}}
		leaf = &leaf.Children[0]
	}
	for name, c := range map[string]struct {
		tree  []order.Node
		field string
		text  string
	}{
		"StrangerByID": {[]order.Node{{ID: 77}}, "tree[0].id", "product.not_in_order"},
		"StrangerByExternalID": {
			[]order.Node{{ID: 1, Children: []order.Node{{ExternalID: "X"}}}},
			"tree[0].children[0].external_id", "product.not_in_order",
		},
		"NamesDisagree": {[]order.Node{{ID: 1, ExternalID: "S"}}, "tree[0].external_id", "product.not_in_order"},
		"Nameless":      {[]order.Node{{}}, "tree[0]", "product.unnamed"},
		"TwoPlaces":     {[]order.Node{{ID: 2}, {ExternalID: "S"}}, "tree[1]", "product.two_places"},
		"Cycle": {
			[]order.Node{{ID: 1, Children: []order.Node{{ID: 2, Children: []order.Node{{ID: 1}}}}}},
			"tree[0].children[0].children[0]", "product.cycle",
		},
		"InItself": {[]order.Node{deep}, "tree[0].children[0]", "product.cycle"},
	} {
		o := packed()
		_, err := order.Pack(o, c.tree)
		require.Equal(t, c.text, violations(t, err)[c.field], name)
		require.Equal(t, packed(), o, name)
	}
}

// The product status feed reports each product once per change, also within
// a chunk.
func TestEventsNameTheProductsThatCameAndWent(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.imported(order.Defaults{}, entry("A"))
	require.Len(t, first.Events[0].Added, 1)

	two := with(entry("A"), func(r *order.Request) {
		r.Products = []order.ProductRequest{{Name: "New", ExternalID: "N"}, {Name: "Newer", ExternalID: "M"}}
	})
	plan := w.imported(order.Defaults{}, two)
	require.Len(t, plan.Events, 1)
	require.Len(t, plan.Events[0].Added, 2)
	require.Len(t, plan.Events[0].Removed, 1)
	require.Equal(t, "A-1", plan.Events[0].Removed[0].ExternalID)

	same := w.imported(order.Defaults{}, with(two, func(r *order.Request) { r.Reference = "PO" }))
	require.Empty(t, same.Events[0].Added)
	require.Empty(t, same.Events[0].Removed)
}
