package store

import (
	"context"
	"fmt"
	"slices"
	"unicode"

	"waybill/store/queries"
)

// OrderSearch are the terms of a search. An order must match all of them;
// absent terms are ignored.
type OrderSearch struct {
	OrderID, Serial                             *int64
	Number, Reference, ShipmentID, LocationName *string
	// Text is searched in all fields. TextOrderID and TextSerial are set if it
	// is also a number or a serial code.
	Text                    *string
	TextOrderID, TextSerial *int64
}

// How far a search looks.
const (
	// maxOrdersFound bounds the orders that a term finds, and so the total.
	maxOrdersFound = 1_000
	// newestSearched is how many of the newest orders are searched for a term
	// that matches more, or that is too short for an index.
	newestSearched = 50_000
	// leastAlike is how many letters or digits in a row an index needs.
	leastAlike = 3
)

// SearchOrders returns one page of the matching orders, newest first, and their
// total number, at most maxOrdersFound. A search with more matches is limited
// to the newest orders.
func (s *Store) SearchOrders(ctx context.Context, org int64, t OrderSearch, page Page) ([]Document, int64, error) {
	q := s.searches(org)
	found, err := ordersToSearch(ctx, q, org, t, maxOrdersFound)
	if err != nil {
		return nil, 0, fmt.Errorf("search orders: %w", translate(err))
	}
	params := queries.SearchOrdersParams{
		OrgID: org, OrderID: t.OrderID, Serial: t.Serial, Number: t.Number, Reference: t.Reference,
		ShipmentID: t.ShipmentID, LocationName: t.LocationName, FreeText: t.Text, TextOrderID: t.TextOrderID,
		TextSerial: t.TextSerial, Ids: found.ids, Newest: found.newest, PageSize: page.Size, Skip: page.skip(),
	}
	if found.enough {
		docs, err := q.SearchNewestOrders(ctx, newestOnly(&params))
		if err != nil || len(docs) == int(page.Size) {
			return docs, maxOrdersFound, translate(err)
		}
	}
	rows, err := q.SearchOrders(ctx, params)
	if err == nil && len(rows) == 0 && page.Number > 1 {
		params.PageSize, params.Skip = 1, 0 // the total is returned with the rows
		rows, err = q.SearchOrders(ctx, params)
		return nil, totalFound(rows), translate(err)
	}
	docs := make([]Document, len(rows))
	for i, r := range rows {
		docs[i] = r.Document
	}
	return docs, totalFound(rows), translate(err)
}

// newestOnly are the terms of a search that is limited to the newest orders.
func newestOnly(p *queries.SearchOrdersParams) queries.SearchNewestOrdersParams {
	return queries.SearchNewestOrdersParams{
		OrgID: p.OrgID, OrderID: p.OrderID, Serial: p.Serial, Number: p.Number, Reference: p.Reference,
		ShipmentID: p.ShipmentID, LocationName: p.LocationName, FreeText: p.FreeText, TextOrderID: p.TextOrderID,
		TextSerial: p.TextSerial, Newest: p.Newest, PageSize: p.PageSize, Skip: p.Skip,
	}
}

func totalFound(rows []queries.SearchOrdersRow) int64 {
	if len(rows) == 0 {
		return 0
	}
	return min(rows[0].Total, maxOrdersFound)
}

// toSearch are the orders that a search has to look at.
type toSearch struct {
	ids    []int64
	newest int32 // so many of the newest as well
	many   bool  // its term matches more than the limit
	// enough is set if the number of matches is known, so that nothing needs
	// counting.
	enough bool
}

// ordersToSearch returns the orders that one of the terms finds, all of them
// unless they are more than most or some of the newest have to be looked at as well.
func ordersToSearch(ctx context.Context, q *queries.Queries, org int64, t OrderSearch, most int32) (toSearch, error) {
	params := t.narrowest()
	params.OrgID, params.Most = org, most+1
	params.Alike = alike(params.Term)
	ids, err := q.OrdersWithText(ctx, params)
	many := len(ids) > int(most)
	slices.Sort(ids)
	found := toSearch{ids: slices.Compact(ids)}
	switch params.Field {
	case "id", "serial", "number":
		return found, err
	}
	if !params.Alike || many {
		found.newest = newestSearched
	}
	found.many = many
	found.enough = len(found.ids) > int(most) && t.terms() == 1
	return found, err
}

// terms is how many terms a search has.
func (t OrderSearch) terms() (n int) {
	for _, given := range []bool{
		t.OrderID != nil, t.Serial != nil, t.Number != nil, t.Reference != nil, t.ShipmentID != nil,
		t.LocationName != nil, t.Text != nil,
	} {
		if given {
			n++
		}
	}
	return n
}

// narrowest is the term with the fewest matches, as far as is known.
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
