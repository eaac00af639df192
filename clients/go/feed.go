package waybill

import (
	"context"
	"iter"
	"time"
)

// feedPage is how many changes the client asks for at once.
const feedPage = 1000

// Follow says how to follow a feed.
type Follow struct {
	// Token is the NextToken of the last page that you processed. An empty one starts at the
	// oldest change that the service has.
	Token string
	// Interval is the pause before the client asks again when nothing was waiting; zero is
	// five seconds. A negative one ends the iteration instead.
	Interval time.Duration
}

// FollowStatusChanges returns the changes of orders page by page, and waits for more until the
// context ends. Save the NextToken of each page after you have processed its items, and go on
// from there the next time. An error ends it: [ErrGone] when the token is older than the feed,
// and [ErrInvalid] with [ErrorReasonFeedTokenAhead] when it comes from another installation.
func (c *Client) FollowStatusChanges(ctx context.Context, follow Follow, opts ...Option) iter.Seq2[*OrderStatusFeed, error] {
	return followed(ctx, follow, func(token string) (*OrderStatusFeed, string, bool, error) {
		page, err := c.Feed.ListStatusChanges(ctx, &FeedListStatusChangesParams{Token: token, PageSize: feedPage}, opts...)
		if err != nil {
			return nil, "", false, err
		}
		return page, page.NextToken, page.HasMore, nil
	})
}

// FollowProductChanges is [Client.FollowStatusChanges] for the products of orders.
func (c *Client) FollowProductChanges(ctx context.Context, follow Follow, opts ...Option) iter.Seq2[*ProductStatusFeed, error] {
	return followed(ctx, follow, func(token string) (*ProductStatusFeed, string, bool, error) {
		page, err := c.Feed.ListProductChanges(ctx, &FeedListProductChangesParams{Token: token, PageSize: feedPage}, opts...)
		if err != nil {
			return nil, "", false, err
		}
		return page, page.NextToken, page.HasMore, nil
	})
}

func followed[Page any](
	ctx context.Context, follow Follow, read func(token string) (page Page, next string, more bool, err error),
) iter.Seq2[Page, error] {
	interval := follow.Interval
	if interval == 0 {
		interval = 5 * time.Second
	}
	return func(yield func(Page, error) bool) {
		token := follow.Token
		for {
			page, next, more, err := read(token)
			if !yield(page, err) || err != nil || !more && interval < 0 {
				return
			}
			token = next
			if more {
				continue
			}
			if err := wait(ctx, interval); err != nil {
				var none Page
				yield(none, err)
				return
			}
		}
	}
}
