package main

import (
	"context"
	"encoding/json"
	"fmt"
)

const (
	// overviewTarget is for the first page of a day with many orders, compared
	// with one with few.
	overviewTarget           = 1.3
	ordersOfFew, ordersOfDay = 100, 10_000
	// labelTarget is how many seconds a hundred labels may take.
	labelTarget  = 0.5
	labelsAtOnce = 500
	labelRounds  = 5
	overviewPage = `{"from": "2030-03-04", "to": "2030-03-04", "pageSize": 50}`
)

// oneDay moves all orders of an organization to one day, with a delivery each.
var oneDay = []string{
	"update orders set date = '2030-03-04' where org_id = $1",
	`insert into order_stops (org_id, order_id, kind, location_id, name, earliest, latest, window_source)
	 select org_id, order_id, 'delivery', location_id, name, latest, latest + interval '1 hour', 'request'
	 from order_stops where org_id = $1 and kind = 'pickup'`,
}

// measureDays alternately requests the first page of the table of a day with
// many orders and of one with few, and draws labels.
func measureDays(ctx context.Context, s *site) ([]result, error) {
	few, err := s.withDay(ctx, ordersOfFew)
	if err != nil {
		return nil, err
	}
	many, err := s.withDay(ctx, ordersOfDay)
	if err != nil {
		return nil, err
	}
	if _, err := s.owner.Exec(ctx, "vacuum (analyze) orders, order_stops, order_numbers, locations"); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	if err := s.checkpoint(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	overview, err := s.overviewOf(ctx, many, few)
	if err != nil {
		return nil, err
	}
	labels, err := s.labelsOf(ctx, many)
	return []result{overview, labels}, err
}

func (s *site) withDay(ctx context.Context, orders int) (*organization, error) {
	org, err := s.withOrders(ctx, orders)
	if err != nil {
		return nil, err
	}
	for _, statement := range oneDay {
		if _, err := s.owner.Exec(ctx, statement, org.id); err != nil {
			return nil, fmt.Errorf("make a day of %d orders: %w", orders, err)
		}
	}
	return org, nil
}

func (s *site) overviewOf(ctx context.Context, many, few *organization) (result, error) {
	var took pairs
	for i := range feedWarmUp + s.sizes.FeedPages {
		ours, err := s.overviewTook(ctx, many)
		if err != nil {
			return result{}, err
		}
		bare, err := s.overviewTook(ctx, few)
		if err != nil {
			return result{}, err
		}
		if i >= feedWarmUp {
			took.add(ours, bare)
		}
	}
	ours, bare := median(took.ours), median(took.bare)
	name := fmt.Sprintf("overview of a day, %d orders : %d", ordersOfDay, ordersOfFew)
	return atMost(overviewTarget, name, "ms", ours, bare, ours/bare), nil
}

// overviewTook is the time for the first page of the day, which is full.
func (s *site) overviewTook(ctx context.Context, org *organization) (float64, error) {
	var answer []byte
	took, err := timed(func() (err error) {
		answer, err = s.call(ctx, request{url: s.url + "/v2/orders/overview", key: org.key, body: []byte(overviewPage)})
		return err
	})
	if err != nil {
		return 0, err
	}
	var page struct{ Items []json.RawMessage }
	if err := json.Unmarshal(answer, &page); err != nil || len(page.Items) != 50 {
		return 0, fmt.Errorf("the page has %d orders: %w", len(page.Items), err)
	}
	return took, nil
}

// labelsOf draws many labels in one document, and returns the time for a
// hundred.
func (s *site) labelsOf(ctx context.Context, org *organization) (result, error) {
	var ids []int64
	err := s.owner.QueryRow(ctx, "select array_agg(id) from (select id from orders where org_id = $1 order by id limit $2) o",
		org.id, labelsAtOnce).Scan(&ids)
	if err != nil {
		return result{}, fmt.Errorf("list the orders: %w", err)
	}
	body, err := json.Marshal(map[string]any{"orderIds": ids, "level": "ORDER"})
	if err != nil {
		return result{}, err
	}
	var seconds []float64
	for range labelRounds {
		took, err := timed(func() error {
			_, err := s.call(ctx, request{url: s.url + "/v2/orders/labels", key: org.key, body: body})
			return err
		})
		if err != nil {
			return result{}, err
		}
		seconds = append(seconds, took/1000*100/labelsAtOnce)
	}
	return within(labelTarget, fmt.Sprintf("100 labels, of %d in one PDF", labelsAtOnce), "s", median(seconds)), nil
}
