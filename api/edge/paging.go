package edge

import (
	"encoding/json"
	"strconv"

	"waybill/domain/fault"
	"waybill/store"
)

// The bounds of pages.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
	MaxPage      = 1_000_000
)

// PageOf checks the numbers of a page.
func PageOf(number, limit *int32) (store.Page, error) {
	page := store.Page{Number: 1, Size: DefaultLimit}
	if number != nil {
		page.Number = *number
	}
	if limit != nil {
		page.Size = *limit
	}
	if page.Number < 1 || page.Number > MaxPage {
		return page, OutOfRange("page", 1, MaxPage)
	}
	if page.Size < 1 || page.Size > MaxLimit {
		return page, OutOfRange("limit", 1, MaxLimit)
	}
	return page, nil
}

// OutOfRange refuses a number that is not within its bounds.
func OutOfRange(field string, low, high int) error {
	return fault.Field(field, fault.Say("request.out_of_range", "min", strconv.Itoa(low), "max", strconv.Itoa(high)))
}

// Page is a page of documents as lists answer it; some name its limit as well.
type Page struct {
	Items []json.RawMessage `json:"items"`
	Total int64             `json:"total"`
	Page  int32             `json:"page"`
	Pages int32             `json:"pages"`
	Limit int32             `json:"limit,omitempty"`
}

// NewPage returns a page of its items and the total number of items.
func NewPage(items []json.RawMessage, total int64, page store.Page) Page {
	if items == nil {
		items = []json.RawMessage{}
	}
	return Page{Items: items, Total: total, Page: page.Number, Pages: int32(Pages(total, page))}
}

// Pages returns the number of pages for a number of items.
func Pages(total int64, page store.Page) int64 {
	return (total + int64(page.Size) - 1) / int64(page.Size)
}

// maxFeedPage is the largest page of a feed.
const maxFeedPage = 1000

// FeedPage reads a feed's token, which is a position, and the page size.
func FeedPage(token *string, asked *int32) (after int64, size int32, err error) {
	if token != nil && *token != "" {
		after, err = strconv.ParseInt(*token, 10, 64)
		if err != nil || after < 0 {
			return 0, 0, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	size = DefaultLimit
	if asked != nil {
		size = *asked
	}
	if size < 1 || size > maxFeedPage {
		return 0, 0, OutOfRange("pageSize", 1, maxFeedPage)
	}
	return after, size, nil
}
