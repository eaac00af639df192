package api

import (
	"context"
	"strconv"

	"waybill/domain/fault"
)

// maxFeedPage is the largest page of the status feed.
const maxFeedPage = 1000

// GetOrderStatusFeed reads the changes of status behind a token. The token is
// a position in the log; an empty one is the beginning.
func (s *Server) GetOrderStatusFeed(
	ctx context.Context, request GetOrderStatusFeedRequestObject,
) (GetOrderStatusFeedResponseObject, error) {
	after, size, err := feedPage(request.Params)
	if err != nil {
		return nil, err
	}
	// One more than asked for tells whether there is more.
	rows, err := s.store.StatusFeed(ctx, PrincipalOf(ctx).OrgID, after, size+1)
	if err != nil {
		return nil, err
	}
	out := GetOrderStatusFeed200JSONResponse{Items: []OrderStatusChange{}, HasMore: len(rows) > int(size)}
	for _, row := range rows[:min(len(rows), int(size))] {
		after = row.Position
		change := OrderStatusChange{
			Position: row.Position, OrderID: row.OrderID, ExternalID: row.ExternalID, DriverID: row.DriverID,
			OrderStatusID: OrderStatusID(row.OrderStatusID), Status: OrderStatusName(row.Status), OccurredAt: row.OccurredAt.UTC(),
		}
		if row.Stop != nil {
			stop := OrderStatusChangeStop(*row.Stop)
			change.Stop = &stop
		}
		out.Items = append(out.Items, change)
	}
	out.NextToken = strconv.FormatInt(after, 10)
	return out, nil
}

func feedPage(p GetOrderStatusFeedParams) (after int64, size int32, err error) {
	if p.Token != nil && *p.Token != "" {
		after, err = strconv.ParseInt(*p.Token, 10, 64)
		if err != nil || after < 0 {
			return 0, 0, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	size = defaultLimit
	if p.PageSize != nil {
		size = *p.PageSize
	}
	if size < 1 || size > maxFeedPage {
		return 0, 0, outOfRange("pageSize", 1, maxFeedPage)
	}
	return after, size, nil
}
