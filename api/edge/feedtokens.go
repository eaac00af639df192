package edge

import (
	"strconv"

	"waybill/domain/fault"
	"waybill/store"
)

// CheckFeedPlace rejects a position of the log from which no reader can
// continue: one that is ahead of the log, and one after which events were
// already deleted. Field names it, and oldest formats the oldest valid position
// for that field.
func CheckFeedPlace(field string, position int64, bounds store.LogBounds, oldest func(position int64) string) error {
	switch {
	case position > bounds.Last:
		return fault.Field(field, fault.Say("feed.token_ahead"))
	case position < bounds.Oldest:
		return &fault.Error{Kind: fault.Gone, Text: fault.Say("feed.token_expired", "oldest", oldest(bounds.Oldest))}
	}
	return nil
}

// PlainPosition formats a position as a number.
func PlainPosition(position int64) string { return strconv.FormatInt(position, 10) }
