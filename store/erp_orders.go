package store

import (
	"context"
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// keptShare is a number that shares an order, as read by the query of orders.
type keptShare struct {
	Number    string   `json:"number"`
	Cancelled bool     `json:"cancelled"`
	Own       *keptOwn `json:"own"`
}

// keptOwn is the content of a number, as stored in erp_orders. Nested
// products refer to each other by their positions in the list, counted from
// 1.
type keptOwn struct {
	order.Own
	Products []keptProduct
}

type keptProduct struct {
	order.Product
	Parent int
}

// readShares converts the stored numbers to the orders' shares. A number without
// stored content has that of the order.
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

// shares stores the changed shares of orders.
func (s *saver) shares(ctx context.Context, orders []*order.Order) {
	p := queries.PutERPOrdersParams{OrgID: s.org}
	kept := queries.DeleteERPOrdersExceptParams{OrgID: s.org, KeepNumbers: []string{}}
	for _, o := range orders {
		if !o.Changes.Shares {
			continue
		}
		columns.Add(&kept.OrderIds, o.ID)
		for _, e := range o.Shares {
			own, err := json.Marshal(keep(e.Own))
			s.queue(err)
			columns.Add(&p.Numbers, e.Number)
			columns.Add(&p.OrderIds, o.ID)
			columns.Add(&p.Owns, string(own))
			columns.Add(&kept.KeepNumbers, e.Number)
		}
	}
	if len(p.Numbers) > 0 {
		s.queue(s.q.PutERPOrders(ctx, p))
	}
	if len(kept.OrderIds) > 0 {
		s.queue(s.q.DeleteERPOrdersExcept(ctx, kept))
	}
}

// ERPOrder is one external number and its state: an order that it has to itself
// or shares, or a draft. Request is its content in the form of an import.
type ERPOrder struct {
	Number           string
	OrderID, DraftID int64 // 0 for none
	Cancelled        bool
	Shared           bool
	Request          json.RawMessage
}

// ERPOrder reads one number.
func (s *Store) ERPOrder(ctx context.Context, org int64, number string) (ERPOrder, error) {
	var found []ERPOrder
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		rows, err := t.q.FindNumbers(ctx, queries.FindNumbersParams{OrgID: org, Numbers: []string{number}})
		if err != nil {
			return err
		}
		if len(rows) == 0 || rows[0].OrderID == 0 {
			found, err = t.draftOfNumber(ctx, number)
			return err
		}
		found, err = t.erpOrders(ctx, rows[0].OrderID)
		return err
	})
	if err != nil {
		return ERPOrder{}, fmt.Errorf("read ERP order: %w", err)
	}
	for _, e := range found {
		if e.Number == number {
			return e, nil
		}
	}
	return ERPOrder{}, absent("erp_order", number, ErrNotFound)
}

// ERPOrders reads the numbers that lead to an order, by number.
func (s *Store) ERPOrders(ctx context.Context, org, orderID int64) (found []ERPOrder, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		found, err = t.erpOrders(ctx, orderID)
		return err
	})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	return found, absent("order", orderID, err)
}

func (t *Tx) draftOfNumber(ctx context.Context, number string) ([]ERPOrder, error) {
	drafts, err := t.q.FindDrafts(ctx, queries.FindDraftsParams{OrgID: t.org, ExternalIds: []string{number}})
	if err != nil || len(drafts) == 0 {
		return nil, err
	}
	row, err := t.q.ReadDraft(ctx, queries.ReadDraftParams{OrgID: t.org, ID: drafts[0].ID})
	if err != nil {
		return nil, err
	}
	return []ERPOrder{{Number: number, DraftID: row.ID, Request: row.Request}}, nil
}

func (t *Tx) erpOrders(ctx context.Context, orderID int64) ([]ERPOrder, error) {
	l := loader{tx: t, snapshot: &order.Snapshot{}}
	found, err := t.findOrders(ctx, []int64{orderID}, false)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	l.snapshot.Orders = found
	if err := l.masterData(ctx); err != nil {
		return nil, err
	}
	if err := l.partiesOfOrders(ctx); err != nil {
		return nil, err
	}
	l.snapshot.Prepare()
	numbers, err := t.q.NumbersOfOrders(ctx, queries.NumbersOfOrdersParams{OrgID: t.org, OrderIds: []int64{orderID}})
	if err != nil {
		return nil, err
	}
	out := make([]ERPOrder, 0, len(numbers))
	for _, n := range numbers {
		alone := found[0].AsAlone(n.Number)
		if alone == nil {
			continue
		}
		request, err := jsonv2.Marshal(l.snapshot.AsRequest(alone))
		if err != nil {
			return nil, fmt.Errorf("ERP order %d: %w", orderID, err)
		}
		out = append(out, ERPOrder{
			Number: n.Number, OrderID: orderID, Shared: len(found[0].Shares) > 0, Request: request,
			Cancelled: n.Cancelled || found[0].Status == order.Cancelled,
		})
	}
	return out, nil
}

// partiesOfOrders loads the customers, consignees and consignors of the
// snapshot's orders.
func (l *loader) partiesOfOrders(ctx context.Context) error {
	var ids []int64
	for _, o := range l.snapshot.Orders {
		ids = append(ids, o.CustomerID, o.ConsigneeID, o.ConsignorID)
		for _, e := range o.Shares {
			ids = append(ids, e.Own.Header.CustomerID, e.Own.Header.ConsigneeID, e.Own.Header.ConsignorID)
		}
	}
	return l.addCustomers(ctx, distinct(ids))
}
