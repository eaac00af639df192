package chat

import (
	"math"
	"strconv"

	"waybill/api/edge"
	"waybill/domain/fault"
)

// The default and maximum size of a page of messages.
const (
	usualPage = 50
	maxPage   = 200
)

// pageOf reads which page is asked for: its size, and the message before which it begins.
func pageOf(token *string, asked *int32) (before int64, size int32, err error) {
	before, size = math.MaxInt64, usualPage
	if token != nil && *token != "" {
		if before, err = strconv.ParseInt(*token, 10, 64); err != nil || before < 1 {
			return 0, 0, fault.Field("token", fault.Say("plan.bad_token"))
		}
	}
	if asked != nil {
		size = *asked
	}
	if size < 1 || size > maxPage {
		return 0, 0, edge.OutOfRange("pageSize", 1, maxPage)
	}
	return before, size, nil
}

// tokenOf is the token of the page before a message, empty at the end.
func tokenOf(goOn int64) string {
	if goOn == 0 {
		return ""
	}
	return strconv.FormatInt(goOn, 10)
}
