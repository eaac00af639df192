package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/outward"
	"waybill/store"
)

// GetOrderStatusFeed returns the status changes after a token. The token is a
// position in the log; an empty one means the oldest available. If a page ends
// between the numbers of one event, the index within the event follows.
func (h *Handlers) GetOrderStatusFeed(
	ctx context.Context, request contract.GetOrderStatusFeedRequestObject,
) (contract.GetOrderStatusFeedResponseObject, error) {
	token, place, err := splitOrderToken(request.Params.Token)
	if err != nil {
		return nil, err
	}
	after, size, err := edge.FeedPage(token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	// One more than requested shows whether there is more.
	rows, after, err := readFeed(ctx, h, request.Params.Token, after, edge.PlainPosition,
		func(after int64) ([]store.StatusChange, error) {
			return h.store.StatusFeed(ctx, edge.PrincipalOf(ctx).OrgID, after, place, size+1)
		})
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderStatusFeed200JSONResponse{
		Items: []contract.OrderStatusChange{}, HasMore: len(rows) > int(size),
	}
	for _, row := range rows[:min(len(rows), int(size))] {
		after, place = row.Position, row.Place
		if row.IsLast {
			place = math.MaxInt64
		}
		out.Items = append(out.Items, newOrderStatusChange(row))
	}
	out.NextToken = strconv.FormatInt(after, 10)
	if place != math.MaxInt64 {
		out.NextToken = fmt.Sprintf("%d.%d", after, place)
	}
	return out, nil
}

// splitOrderToken separates the index within an event from a token. A token
// without one comes after the whole event.
func splitOrderToken(token *string) (position *string, place int64, err error) {
	if token == nil || !strings.Contains(*token, ".") {
		return token, math.MaxInt64, nil
	}
	return splitToken(token)
}

// FeedEntry writes an entry of the feed as its readers get it.
func FeedEntry(row store.StatusChange) (json.RawMessage, error) {
	return outward.Marshal(newOrderStatusChange(row))
}

func newOrderStatusChange(row store.StatusChange) contract.OrderStatusChange {
	change := contract.OrderStatusChange{
		Position: row.Position, Type: contract.OrderEventType(row.Kind), OrderID: row.OrderID, ExternalID: row.ExternalID,
		DriverID:      row.DriverID,
		OrderStatusID: contract.OrderStatusID(row.OrderStatusID), Status: contract.OrderStatusName(row.Status),
		OccurredAt: row.OccurredAt.UTC(),
	}
	if row.Stop != nil {
		stop := contract.OrderStatusChangeStop(*row.Stop)
		change.Stop = &stop
	}
	if row.Reason != "" {
		change.Reason = &row.Reason
	}
	if row.Comment != "" {
		change.Comment = &row.Comment
	}
	if row.Eta.Unix() > 0 {
		eta := row.Eta.UTC()
		change.Eta = &eta
	}
	return change
}
