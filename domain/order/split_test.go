package order_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// goodsOf sums the goods of orders by name.
func goodsOf(orders ...*order.Order) map[string]float64 {
	sum := map[string]float64{}
	for _, o := range orders {
		for _, p := range o.Products {
			sum[p.Name] += p.Quantity
		}
	}
	return sum
}

// TestSplittingLosesNothingAndKeepsTheTreeWhole splits orders with random
// trees of goods into random parts. A refused split changes nothing.
func TestSplittingLosesNothingAndKeepsTheTreeWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := setup(t)
		s := w.snapshot()
		o := &order.Order{
			ID: 1, Number: "A-1", Status: order.Registered,
			Header: order.Header{Date: time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)},
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "products") {
			p := &order.Product{
				ID: int64(i + 1), Number: "A-1", Seq: int32(i), Name: fmt.Sprint("P", i),
				Quantity: float64(rapid.IntRange(1, 5).Draw(t, "quantity")),
			}
			if i > 0 && rapid.Bool().Draw(t, "inside") {
				p.Parent = o.Products[rapid.IntRange(0, i-1).Draw(t, "parent")]
			}
			o.Products = append(o.Products, p)
		}
		inside := map[string]string{}
		for _, p := range o.Products {
			if p.Parent != nil {
				inside[p.Name] = p.Parent.Name
			}
		}
		before := goodsOf(o)
		var parts []order.Part
		for i := range rapid.IntRange(1, 3).Draw(t, "parts") {
			part := order.Part{Number: fmt.Sprint("A-1-", i+2)}
			for range rapid.IntRange(1, 3).Draw(t, "named") {
				part.Products = append(part.Products, order.PartProduct{
					ID:       int64(rapid.IntRange(1, 9).Draw(t, "id")),
					Quantity: float64(rapid.IntRange(0, 5).Draw(t, "of it")),
				})
			}
			parts = append(parts, part)
		}
		plan, err := order.Split(s, o, parts, false)
		if err != nil {
			require.Equal(t, fault.Unprocessable, fault.KindOf(err))
			require.Equal(t, before, goodsOf(o))
			require.Empty(t, plan.Events)
			return
		}
		require.Len(t, plan.Orders, len(parts)+1)
		require.Equal(t, before, goodsOf(plan.Orders...), "nothing is lost, and nothing doubled")
		for _, part := range plan.Orders {
			require.NotEmpty(t, part.Products)
			here := map[*order.Product]bool{}
			for _, p := range part.Products {
				here[p] = true
			}
			for _, p := range part.Products {
				require.True(t, p.Parent == nil || here[p.Parent], "what holds a product is in the same order")
				if p.Parent != nil {
					require.Equal(t, inside[p.Name], p.Parent.Name)
				}
			}
		}
	})
}

func TestSplitOrderKeepsGivenPrices(t *testing.T) {
	t.Parallel()
	o := &order.Order{
		ID: 1, Number: "A-1", Status: order.Planned, Prices: []order.Price{{Name: "Given", Amount: "10", Currency: "NOK"}},
		Products: []*order.Product{{ID: 1, Number: "A-1", Quantity: 4}},
	}
	plan, err := order.Split(setup(t).snapshot(), o, []order.Part{
		{Number: "A-1-2", Products: []order.PartProduct{{ID: 1, Quantity: 1}}},
	}, false)
	require.NoError(t, err)
	require.Len(t, o.Prices, 1, "what somebody gave stays")
	require.Empty(t, plan.Orders[1].Prices)
	require.Equal(t, order.Planned, o.Status)
	require.Equal(t, order.Registered, plan.Orders[1].Status)
}

func TestSharedContentIsNotEditable(t *testing.T) {
	t.Parallel()
	o := &order.Order{
		ID: 1, Number: "A-1", Status: order.Registered, Shares: []order.ERPOrder{{Number: "A-1"}, {Number: "A-2"}},
		Products: []*order.Product{{ID: 1, Number: "A-1", Quantity: 4}},
	}
	_, err := order.Split(setup(t).snapshot(), o, []order.Part{
		{Number: "A-1-2", Products: []order.PartProduct{{ID: 1, Quantity: 1}}},
	}, false)
	require.ErrorContains(t, err, "order.shared")
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	err = order.Edit{Request: order.Request{ExternalID: "A-1"}}.Check(o)
	require.ErrorContains(t, err, "order.shared")
}
