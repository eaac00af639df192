package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/overview"
	"waybill/store/queries"
)

// How far a search by words looks.
const (
	// maxWithWords is how many orders a text may find before only the newest are
	// searched.
	maxWithWords = 1_000
	// newestWithWords is how many of the newest orders are searched then.
	newestWithWords = 20_000
)

// OrderWords is a text that orders are found by, with the serial code that it may be.
type OrderWords struct {
	Text   string
	Serial *int64
	Today  time.Time
}

// FindOrders returns the orders that have all words of a text, at most atMost, and
// whether there are more. Orders that have the text as a word come first, then those
// nearest to today.
func (s *Store) FindOrders(
	ctx context.Context, org int64, w OrderWords, atMost int32,
) (rows []overview.Order, more bool, err error) {
	q := s.searches(org)
	ids, err := q.OrdersWithWords(ctx, queries.OrdersWithWordsParams{
		OrgID: org, Term: w.Text, Most: maxWithWords + 1, Alike: alike(w.Text), Serial: w.Serial,
	})
	if err == nil && len(ids) > maxWithWords {
		ids, err = q.NewestOrdersWithWords(ctx, queries.NewestOrdersWithWordsParams{
			OrgID: org, Term: w.Text, Newest: newestWithWords, Most: maxWithWords,
		})
	}
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
