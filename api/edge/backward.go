package edge

import (
	"math"
	"strconv"

	"waybill/domain/fault"
)

// The default and maximum size of a page of a list that begins with the newest.
const (
	usualPage = 50
	maxPage   = 200
)

// Backward reads which page of a list is asked for that begins with the newest: its size, and
// the id before which it begins.
func Backward(token *string, asked *int32) (before int64, size int32, err error) {
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
		return 0, 0, OutOfRange("pageSize", 1, maxPage)
	}
	return before, size, nil
}

// BackwardToken is the token of the page before an id, empty for 0, the end of the list.
func BackwardToken(goOn int64) string {
	if goOn == 0 {
		return ""
	}
	return strconv.FormatInt(goOn, 10)
}
