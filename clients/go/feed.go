package client

import (
	"context"
	"fmt"
	"iter"
)

// StatusChanges reads the status feed from a token on, page by page, until nothing
// more is waiting. An empty token starts at the oldest change that is kept. A token that
// is older is refused with FEED_TOKEN_EXPIRED, and one of another installation with
// FEED_TOKEN_AHEAD. Keep the NextToken of a page when its changes are dealt with, and go
// on from there the next time.
func StatusChanges(ctx context.Context, c *ClientWithResponses, token string) iter.Seq2[*OrderStatusFeed, error] {
	const pageSize int32 = 1000
	return func(yield func(*OrderStatusFeed, error) bool) {
		for {
			size := pageSize
			answer, err := c.GetOrderStatusFeedWithResponse(ctx, &GetOrderStatusFeedParams{Token: &token, PageSize: &size})
			if err != nil {
				yield(nil, fmt.Errorf("read the status feed: %w", err))
				return
			}
			page := answer.JSON200
			if page == nil {
				yield(nil, fmt.Errorf("read the status feed: %s: %s", answer.Status(), answer.Body))
				return
			}
			if !yield(page, nil) || !page.HasMore {
				return
			}
			token = page.NextToken
		}
	}
}
