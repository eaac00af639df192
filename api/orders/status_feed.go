package orders

import (
	"context"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
)

// GetOrderStatusFeed reads the changes of status behind a token. The token is
// a position in the log; an empty one is the beginning.
func (h *Handlers) GetOrderStatusFeed(
	ctx context.Context, request contract.GetOrderStatusFeedRequestObject,
) (contract.GetOrderStatusFeedResponseObject, error) {
	after, size, err := edge.FeedPage(request.Params.Token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	// One more than asked for shows whether there is more.
	rows, err := h.store.StatusFeed(ctx, edge.PrincipalOf(ctx).OrgID, after, size+1)
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderStatusFeed200JSONResponse{
		Items: []contract.OrderStatusChange{}, HasMore: len(rows) > int(size),
	}
	for _, row := range rows[:min(len(rows), int(size))] {
		after = row.Position
		change := contract.OrderStatusChange{
			Position: row.Position, OrderID: row.OrderID, ExternalID: row.ExternalID, DriverID: row.DriverID,
			OrderStatusID: contract.OrderStatusID(row.OrderStatusID), Status: contract.OrderStatusName(row.Status),
			OccurredAt: row.OccurredAt.UTC(),
		}
		if row.Stop != nil {
			stop := contract.OrderStatusChangeStop(*row.Stop)
			change.Stop = &stop
		}
		out.Items = append(out.Items, change)
	}
	out.NextToken = strconv.FormatInt(after, 10)
	return out, nil
}
