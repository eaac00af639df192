package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/order"
	"waybill/store/queries"
)

// keptShare is a number that shares an order, as the query of orders has it.
type keptShare struct {
	Number    string   `json:"number"`
	Cancelled bool     `json:"cancelled"`
	Own       *keptOwn `json:"own"`
}

// keptOwn is what a number says, as erp_orders keeps it. Products lie in one
// another by their places in the list, counted from 1.
type keptOwn struct {
	order.Own
	Products []keptProduct
}

type keptProduct struct {
	order.Product
	Parent int
}

// readShares turns what is kept of the numbers into the orders' shares. A number
// of which nothing is kept says what the order says.
func (a *assembly) readShares(context.Context) error {
	for id, document := range a.shares {
		if len(document) == 0 {
			continue
		}
		var kept []keptShare
		if err := json.Unmarshal(document, &kept); err != nil {
			return fmt.Errorf("numbers of order %d: %w", id, err)
		}
		o := a.orders[id]
		for _, k := range kept {
			share := order.ERPOrder{Number: k.Number, Cancelled: k.Cancelled}
			if k.Own != nil {
				share.Own = k.Own.own()
			} else {
				share.Own = order.OwnOf(o)
			}
			o.Shares = append(o.Shares, share)
		}
	}
	return nil
}

func (k *keptOwn) own() order.Own {
	own := k.Own
	own.Products = make([]*order.Product, len(k.Products))
	for i := range k.Products {
		own.Products[i] = &k.Products[i].Product
	}
	for i, p := range k.Products {
		if p.Parent > 0 && p.Parent <= len(own.Products) {
			own.Products[i].Parent = own.Products[p.Parent-1]
		}
	}
	return own
}

func keep(own order.Own) keptOwn {
	k := keptOwn{Own: own}
	places := make(map[*order.Product]int, len(own.Products))
	for i, p := range own.Products {
		places[p] = i + 1
	}
	for _, p := range own.Products {
		k.Products = append(k.Products, keptProduct{Product: *p, Parent: places[p.Parent]})
	}
	return k
}

// shares keeps what the numbers of orders say, where they changed.
func (s *saver) shares(ctx context.Context, orders []*order.Order) {
	p := queries.PutERPOrdersParams{OrgID: s.org}
	kept := queries.DeleteERPOrdersExceptParams{OrgID: s.org, KeepNumbers: []string{}}
	for _, o := range orders {
		if !o.Changes.Shares {
			continue
		}
		put(&kept.OrderIds, o.ID)
		for _, e := range o.Shares {
			own, err := json.Marshal(keep(e.Own))
			s.queue(err)
			put(&p.Numbers, e.Number)
			put(&p.OrderIds, o.ID)
			put(&p.Owns, string(own))
			put(&kept.KeepNumbers, e.Number)
		}
	}
	if len(p.Numbers) > 0 {
		s.queue(s.q.PutERPOrders(ctx, p))
	}
	if len(kept.OrderIds) > 0 {
		s.queue(s.q.DeleteERPOrdersExcept(ctx, kept))
	}
}
