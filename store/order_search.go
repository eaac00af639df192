package store

import (
	"context"
	"fmt"
	"unicode"

	"waybill/store/queries"
)

// OrderSearch are the terms of a search; an order is found when it matches all
// of them. Absent terms are not asked for.
type OrderSearch struct {
	OrderID, Serial                             *int64
	Number, Reference, ShipmentID, LocationName *string
	// Text is looked for in everything; TextOrderID and TextSerial are what it
	// says when it is a number or a serial code.
	Text                    *string
	TextOrderID, TextSerial *int64
}

// How far a search looks.
const (
	// maxOrdersFound bounds the orders that a term finds, and so the total.
	maxOrdersFound = 10_000
	// newestSearched is how many of the newest orders are looked at for a term that
	// finds more, or that is too short for an index.
	newestSearched = 50_000
	// leastAlike is how many letters or digits in a row an index needs.
	leastAlike = 3
)

// SearchOrders returns one page of the orders that a search finds, newest first,
// and how many there are in all, at most maxOrdersFound. What finds more than
// that is looked for among the newest orders.
func (s *Store) SearchOrders(ctx context.Context, org int64, t OrderSearch, page Page) ([]Document, int64, error) {
	q := s.searches(org)
	ids, newest, err := ordersToSearch(ctx, q, org, t)
	if err != nil {
		return nil, 0, fmt.Errorf("search orders: %w", translate(err))
	}
	params := queries.SearchOrdersParams{
		OrgID: org, OrderID: t.OrderID, Serial: t.Serial, Number: t.Number, Reference: t.Reference,
		ShipmentID: t.ShipmentID, LocationName: t.LocationName, FreeText: t.Text, TextOrderID: t.TextOrderID,
		TextSerial: t.TextSerial, Ids: ids, Newest: newest, PageSize: page.Size, Skip: page.skip(),
	}
	rows, err := q.SearchOrders(ctx, params)
	if err == nil && len(rows) == 0 && page.Number > 1 {
		params.PageSize, params.Skip = 1, 0 // the total comes with the rows
		rows, err = q.SearchOrders(ctx, params)
		return nil, totalFound(rows), translate(err)
	}
	docs := make([]Document, len(rows))
	for i, r := range rows {
		docs[i] = r.Document
	}
	return docs, totalFound(rows), translate(err)
}

func totalFound(rows []queries.SearchOrdersRow) int64 {
	if len(rows) == 0 {
		return 0
	}
	return min(rows[0].Total, maxOrdersFound)
}

// ordersToSearch returns the orders that one of the terms finds, all of them
// unless newest says how many of the newest have to be looked at as well.
func ordersToSearch(
	ctx context.Context, q *queries.Queries, org int64, t OrderSearch,
) (ids []int64, newest int32, err error) {
	params := t.narrowest()
	params.OrgID, params.Most = org, maxOrdersFound+1
	params.Alike = alike(params.Term)
	ids, err = q.OrdersWithText(ctx, params)
	switch params.Field {
	case "id", "serial", "number":
		return ids, 0, err
	}
	if !params.Alike || len(ids) > maxOrdersFound {
		newest = newestSearched
	}
	return ids, newest, err
}

// narrowest is the term that finds the fewest orders, as far as one can know.
func (t OrderSearch) narrowest() queries.OrdersWithTextParams {
	switch {
	case t.OrderID != nil:
		return queries.OrdersWithTextParams{Field: "id", OrderID: t.OrderID}
	case t.Serial != nil:
		return queries.OrdersWithTextParams{Field: "serial", Serial: t.Serial}
	case t.Number != nil:
		return queries.OrdersWithTextParams{Field: "number", Term: *t.Number}
	case t.Reference != nil:
		return queries.OrdersWithTextParams{Field: "reference", Term: *t.Reference}
	case t.ShipmentID != nil:
		return queries.OrdersWithTextParams{Field: "shipment", Term: *t.ShipmentID}
	case t.LocationName != nil:
		return queries.OrdersWithTextParams{Field: "location", Term: *t.LocationName}
	}
	return queries.OrdersWithTextParams{
		Field: "all", Term: *t.Text, OrderID: t.TextOrderID, Serial: t.TextSerial,
	}
}

// alike reports whether an index can find a term within texts.
func alike(term string) bool {
	run := 0
	for _, r := range term {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			run = 0
			continue
		}
		if run++; run == leastAlike {
			return true
		}
	}
	return false
}
