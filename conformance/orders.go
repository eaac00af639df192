package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// feedPatience is how long the feed may take to include an order.
const feedPatience = time.Minute

// rulesOfOrders are the rules that import orders into a sandbox.
func rulesOfOrders() []rule {
	return []rule{
		{"import-is-repeatable", "importing a number again updates its order", true, importIsRepeatable},
		{"one-order-per-number", "two imports of a number at the same time create one order", true, oneOrderPerNumber},
		{"reads-are-tagged", "a read has an ETag, and If-None-Match gets 304 while nothing changes", true, readsAreTagged},
		{"bad-orders-are-drafts", "an invalid order becomes a draft, and the other orders are imported", true, badOrdersAreDrafts},
		{"feed-tells-once", "the status feed reports an order once, and continues after it", true, feedTellsOnce},
		{"cancelling", "a cancelled order cannot be cancelled again, and stays cancelled when it is imported again", true, cancelling},
		{"idempotency-key", "a repeated Idempotency-Key gets the same answer, and is refused for another request", true, idempotencyKey},
	}
}

// result is the result for one order of an import.
type result struct {
	OrderCreated, OrderUpdated *imported
	DraftCreated               *struct {
		ExternalID string `json:"externalId"`
		Reasons    []struct{ Code, Reason, Field string }
	}
}

type imported struct {
	OrderID       int64
	OrderStatusID int64 `json:"orderStatusId"`
}

// page is one of the status feed.
type page struct {
	Items []struct {
		Position   int64
		ExternalID string `json:"externalId"`
		Status     string
	}
	HasMore   bool
	NextToken string
}

func bytesContain(text []byte, what string) bool { return bytes.Contains(text, []byte(what)) }

func (v *visit) feed(ctx context.Context, token string, size int) (page, error) {
	var p page
	query := url.Values{"token": {token}, "pageSize": {fmt.Sprint(size)}}
	a, err := v.call(ctx, http.MethodGet, "/v2/orders/summary/orderstatusfeed?"+query.Encode(), nil)
	if err != nil {
		return p, err
	}
	if err := a.expect(http.StatusOK); err != nil {
		return p, err
	}
	return p, a.read(&p)
}

// order is an order for any sandbox: it uses the first of each kind of record.
func (v *visit) order(ctx context.Context, number string) (map[string]any, error) {
	var ids [3]int64
	for i, path := range []string{"/v1/customers", "/v1/order-types", "/v1/vehicle-types"} {
		a, err := v.call(ctx, http.MethodGet, path, nil)
		if err != nil {
			return nil, err
		}
		if ids[i], err = firstID(a); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	day := time.Now().UTC().AddDate(0, 0, 1)
	stop := func(street string, hour int) map[string]any {
		at := time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, time.UTC)
		return map[string]any{
			"name": "Conformance", "earliest": at, "latest": at.Add(3 * time.Hour),
			"address": map[string]any{"address1": street, "postalCode": "0555", "city": "Oslo", "country": "NO"},
		}
	}
	return map[string]any{
		"externalId": number, "date": day.Format(time.DateOnly),
		"customer": map[string]any{"id": ids[0]}, "orderType": map[string]any{"id": ids[1]}, "vehicleType": map[string]any{"id": ids[2]},
		"pickup": stop("Thorvald Meyers gate 40", 7), "delivery": stop("Thorvald Meyers gate 56", 11),
		"products": []any{map[string]any{"name": "Chair", "quantity": 1, "weight": 6}},
	}, nil
}

// firstID returns the identifier of the first record of a list.
func firstID(a *answer) (int64, error) {
	var list struct{ Items []map[string]any }
	if err := a.read(&list); err != nil {
		return 0, err
	}
	for _, record := range list.Items {
		for _, name := range []string{"id", "customer_id"} {
			if id, ok := record[name].(float64); ok {
				return int64(id), nil
			}
		}
	}
	return 0, fmt.Errorf("no usable record: %s", a)
}

// take imports one order and returns its result.
func (v *visit) take(ctx context.Context, orders ...any) ([]result, error) {
	a, err := v.call(ctx, http.MethodPost, "/v3/orders/import", map[string]any{"orders": orders})
	if err != nil {
		return nil, err
	}
	if err := a.expect(http.StatusOK); err != nil {
		return nil, err
	}
	var imported struct{ Results []result }
	if err := a.read(&imported); err != nil {
		return nil, err
	}
	if len(imported.Results) != len(orders) {
		return nil, fmt.Errorf("%d orders got %d results", len(orders), len(imported.Results))
	}
	return imported.Results, nil
}

// create imports a new order and returns its identifier.
func (v *visit) create(ctx context.Context, number string) (order map[string]any, id int64, err error) {
	if order, err = v.order(ctx, number); err != nil {
		return nil, 0, err
	}
	results, err := v.take(ctx, order)
	if err != nil {
		return nil, 0, err
	}
	if results[0].OrderCreated == nil {
		return nil, 0, fmt.Errorf("%s was not created: %+v", number, results[0])
	}
	return order, results[0].OrderCreated.OrderID, nil
}

func importIsRepeatable(ctx context.Context, v *visit) error {
	order, id, err := v.create(ctx, v.mark+"-AGAIN")
	if err != nil {
		return err
	}
	again, err := v.take(ctx, order)
	if err != nil {
		return err
	}
	if again[0].OrderUpdated == nil || again[0].OrderUpdated.OrderID != id {
		return fmt.Errorf("the second time should update order %d: %+v", id, again[0])
	}
	return nil
}

func oneOrderPerNumber(ctx context.Context, v *visit) error {
	order, err := v.order(ctx, v.mark+"-ONCE")
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	var results [3][]result
	var errs [3]error
	for i := range results {
		all.Go(func() { results[i], errs[i] = v.take(ctx, order) })
	}
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	ids, created := map[int64]bool{}, 0
	for _, r := range results {
		switch {
		case r[0].OrderCreated != nil:
			created++
			ids[r[0].OrderCreated.OrderID] = true
		case r[0].OrderUpdated != nil:
			ids[r[0].OrderUpdated.OrderID] = true
		}
	}
	if created != 1 || len(ids) != 1 {
		return fmt.Errorf("%d orders created, with %d ids", created, len(ids))
	}
	return nil
}

func readsAreTagged(ctx context.Context, v *visit) error {
	_, id, err := v.create(ctx, v.mark+"-READ")
	if err != nil {
		return err
	}
	path := fmt.Sprintf("/v1/orders/%d/order-products", id)
	first, err := v.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	if err := first.expect(http.StatusOK); err != nil {
		return err
	}
	tag := first.header.Get("ETag")
	if tag == "" {
		return errors.New("header ETag is missing")
	}
	again, err := v.call(ctx, http.MethodGet, path, nil, "If-None-Match", tag)
	if err != nil {
		return err
	}
	return again.expect(http.StatusNotModified)
}

func badOrdersAreDrafts(ctx context.Context, v *visit) error {
	good, err := v.order(ctx, v.mark+"-GOOD")
	if err != nil {
		return err
	}
	results, err := v.take(ctx, map[string]any{"externalId": v.mark + "-BAD"}, good)
	if err != nil {
		return err
	}
	if results[0].DraftCreated == nil || len(results[0].DraftCreated.Reasons) == 0 || results[1].OrderCreated == nil {
		return fmt.Errorf("expected a draft and an order: %+v", results)
	}
	return nil
}

func feedTellsOnce(ctx context.Context, v *visit) error {
	number := v.mark + "-TOLD"
	if _, _, err := v.create(ctx, number); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	token, told := "", 0
	for told == 0 {
		p, err := v.feed(ctx, token, 1000)
		if err != nil {
			return fmt.Errorf("wait for %s in the feed: %w", number, err)
		}
		for _, item := range p.Items {
			if item.ExternalID == number {
				told++
			}
		}
		token = p.NextToken
		if !p.HasMore && told == 0 {
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s not in the feed within %s", number, feedPatience)
			case <-time.After(200 * time.Millisecond):
			}
		}
	}
	p, err := v.feed(ctx, token, 1000)
	if err != nil {
		return err
	}
	for _, item := range p.Items {
		if item.ExternalID == number && item.Status == "registered" {
			told++
		}
	}
	if told != 1 {
		return fmt.Errorf("%s is in the feed %d times", number, told)
	}
	return nil
}

func cancelling(ctx context.Context, v *visit) error {
	number := v.mark + "-CANCEL"
	order, _, err := v.create(ctx, number)
	if err != nil {
		return err
	}
	a, err := v.call(ctx, http.MethodDelete, "/v1/import/orders/"+number, nil)
	if err != nil {
		return err
	}
	if err := a.expect(http.StatusNoContent); err != nil {
		return err
	}
	err = v.refused(ctx, http.StatusConflict, "ORDER_ALREADY_CANCELLED", http.MethodDelete, "/v1/import/orders/"+number, nil)
	if err != nil {
		return err
	}
	const cancelled = 8
	again, err := v.take(ctx, order)
	if err != nil {
		return err
	}
	if again[0].OrderUpdated == nil || again[0].OrderUpdated.OrderStatusID != cancelled {
		return fmt.Errorf("it should stay cancelled: %+v", again[0])
	}
	return nil
}

func idempotencyKey(ctx context.Context, v *visit) error {
	number := v.mark + "-LINK"
	if _, _, err := v.create(ctx, number); err != nil {
		return err
	}
	key := strings.ToLower(v.mark)
	reserve := map[string]any{"externalId": number}
	const path = "/v2/orders/tracking-link"
	first, err := v.call(ctx, http.MethodPost, path, reserve, "Idempotency-Key", key)
	if err != nil {
		return err
	}
	if err := first.expect(http.StatusOK); err != nil {
		return err
	}
	second, err := v.call(ctx, http.MethodPost, path, reserve, "Idempotency-Key", key)
	if err != nil {
		return err
	}
	if !bytes.Equal(first.body, second.body) || second.header.Get("Idempotent-Replayed") != "true" {
		return fmt.Errorf("expected the first answer again, replayed: %s", second)
	}
	return v.refused(ctx, http.StatusUnprocessableEntity, "IDEMPOTENCY_OTHER_REQUEST", http.MethodPost, path,
		map[string]any{"externalId": number + "-2"}, "Idempotency-Key", key)
}
