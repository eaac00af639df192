package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"waybill/domain/overview"
	"waybill/store/queries"
)

// How far a search by words looks.
const (
	// nearestWithWords is how many orders are looked at one by one, the nearest to today:
	// they are enough for a text that many orders have.
	nearestWithWords = 2_000
	// maxWithWords is how many of all orders the index finds.
	maxWithWords = 1_000
)

// OrderWords is a text that orders are found by, with the serial code that it may be.
type OrderWords struct {
	Text   string
	Serial *int64
	Today  time.Time
}

// FindOrders returns up to atMost orders that contain all words of a text, and
// whether there are more. Orders that have the text as a word come first, then
// those nearest to today.
func (s *Store) FindOrders(
	ctx context.Context, org int64, w OrderWords, atMost int32,
) (rows []overview.Order, more bool, err error) {
	q := s.searches(org)
	ids, err := ordersWithWords(ctx, q, org, w, int(atMost))
	if err != nil {
		return nil, false, fmt.Errorf("find orders by words: %w", translate(err))
	}
	if ids, err = q.RankOrders(ctx, queries.RankOrdersParams{
		OrgID: org, Ids: append([]int64{}, ids...), Term: w.Text, Today: w.Today, Most: atMost + 1,
	}); err != nil {
		return nil, false, fmt.Errorf("rank orders: %w", translate(err))
	}
	if len(ids) > int(atMost) {
		ids, more = ids[:atMost], true
	}
	rows, err = s.overviewRows(ctx, org, ids)
	return rows, more, translate(err)
}

// ordersWithWords returns the orders for FindOrders to rank: those near today,
// and only as many others as may rank before them. The index returns all orders
// of a text before the first can be read, so it is used only for texts that few
// orders have.
func ordersWithWords(
	ctx context.Context, q *queries.Queries, org int64, w OrderWords, atMost int,
) (ids []int64, err error) {
	near, err := q.NearestOrdersWithWords(ctx, queries.NearestOrdersWithWordsParams{
		OrgID: org, Term: w.Text, Today: w.Today, Nearest: nearestWithWords,
	})
	if err != nil {
		return nil, err
	}
	found, whole := map[int64]bool{}, 0
	for _, n := range near {
		found[n.ID] = true
		if n.Whole {
			whole++
		}
	}
	if whole <= atMost {
		ids, err = q.OrdersWithWord(ctx, queries.OrdersWithWordParams{
			OrgID: org, Term: w.Text, Most: maxWithWords, Serial: w.Serial,
		})
		addAll(found, ids)
	}
	if err == nil && len(found) <= atMost {
		ids, err = q.OrdersWithWords(ctx, queries.OrdersWithWordsParams{
			Term: w.Text, Most: maxWithWords, Alike: alike(w.Text),
		})
		addAll(found, ids)
	}
	return slices.Collect(maps.Keys(found)), err
}

func addAll(found map[int64]bool, ids []int64) {
	for _, id := range ids {
		found[id] = true
	}
}
