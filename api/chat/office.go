package chat

import (
	"context"
	"slices"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/chat"
	"waybill/domain/fault"
	"waybill/store"
)

// ListMessagesOfDay lists messages with the drivers of a day.
func (h *Handlers) ListMessagesOfDay(
	ctx context.Context, request contract.ListMessagesOfDayRequestObject,
) (contract.ListMessagesOfDayResponseObject, error) {
	day, p := request.Date.Time, &request.Params
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	before, size, err := edge.Backward(p.Token, p.PageSize)
	if err != nil {
		return nil, err
	}
	org := edge.PrincipalOf(ctx).OrgID
	filter := store.DriverMessageFilter{Day: &day, DriverID: p.DriverID, Before: before}
	found, goOn, err := h.store.DriverMessages(ctx, org, filter, size)
	if err != nil {
		return nil, err
	}
	unread, err := h.store.UnreadDriverMessages(ctx, org, day)
	if err != nil {
		return nil, err
	}
	out := contract.ListMessagesOfDay200JSONResponse{
		Items: newMessages(found), Unread: make([]contract.UnreadOfDriver, len(unread)),
		NextToken: edge.BackwardToken(goOn), HasMore: goOn != 0,
	}
	for i, u := range unread {
		out.Unread[i] = contract.UnreadOfDriver{DriverID: u.DriverID, DriverName: u.Name, Count: u.Messages}
	}
	return out, nil
}

// SendMessages sends a message to drivers.
func (h *Handlers) SendMessages(
	ctx context.Context, request contract.SendMessagesRequestObject,
) (contract.SendMessagesResponseObject, error) {
	day, body := request.Date.Time, request.Body
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	if !edge.IsText(body.Text) {
		return nil, fault.Field("text", fault.Say("request.not_text"))
	}
	m := chat.Message{Day: day, Text: body.Text}
	if body.DriverIds != nil {
		m.DriverIDs = *body.DriverIds
	}
	if body.OrderIds != nil {
		m.Orders = append([]int64{}, *body.OrderIds...)
	}
	if body.OrderID != nil {
		m.OrderID = *body.OrderID
	}
	ids, err := h.operations.Driving.SendMessages(ctx, edge.Caller(ctx), m, h.today(ctx))
	if err != nil {
		return nil, err
	}
	sent, err := h.store.DriverMessagesOf(ctx, edge.PrincipalOf(ctx).OrgID, ids)
	if err != nil {
		return nil, err
	}
	slices.Reverse(sent)
	return contract.SendMessages200JSONResponse{Items: newMessages(sent)}, nil
}

// ReadMessages marks what a driver wrote as read.
func (h *Handlers) ReadMessages(
	ctx context.Context, request contract.ReadMessagesRequestObject,
) (contract.ReadMessagesResponseObject, error) {
	day, body := request.Date.Time, request.Body
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	count, err := h.operations.Driving.ReadMessages(ctx, edge.Caller(ctx), body.DriverID, chat.Office, &day, body.UpTo)
	return contract.ReadMessages200JSONResponse{Count: count}, err
}
