package chat

import (
	"context"
	"regexp"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/chat"
	"waybill/domain/fault"
	"waybill/store"
)

// ListDriverMessages lists a driver's messages with the office, from the current route's day on.
func (h *Handlers) ListDriverMessages(
	ctx context.Context, request contract.ListDriverMessagesRequestObject,
) (contract.ListDriverMessagesResponseObject, error) {
	before, size, err := edge.Backward(request.Params.Token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	p := edge.PrincipalOf(ctx)
	current, err := h.store.DayUnderWay(ctx, p.OrgID, p.DriverID, h.now())
	if err != nil {
		return nil, err
	}
	filter := store.DriverMessageFilter{Since: &current, DriverID: &p.DriverID, Before: before}
	found, goOn, err := h.store.DriverMessages(ctx, p.OrgID, filter, size)
	if err != nil {
		return nil, err
	}
	unread, err := h.store.UnreadOfOffice(ctx, p.OrgID, p.DriverID, current)
	return contract.ListDriverMessages200JSONResponse{
		Items: newMessages(found), Unread: unread, NextToken: edge.BackwardToken(goOn), HasMore: goOn != 0,
	}, err
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)

// SendDriverMessage sends a message to the office.
func (h *Handlers) SendDriverMessage(
	ctx context.Context, request contract.SendDriverMessageRequestObject,
) (contract.SendDriverMessageResponseObject, error) {
	body, p := request.Body, edge.PrincipalOf(ctx)
	if err := checkSent(body); err != nil {
		return nil, err
	}
	m := chat.Message{
		DriverIDs: []int64{p.DriverID}, Day: body.Date.Time, Text: body.Text, ClientID: strings.ToLower(body.ID),
		Written: chat.WrittenAt(body.OccurredAt, body.SentAt, h.now()),
	}
	if body.OrderID != nil {
		m.OrderID = *body.OrderID
	}
	id, err := h.operations.Driving.SendDriverMessage(ctx, edge.Caller(ctx), m, h.today(ctx))
	if err != nil {
		return nil, err
	}
	found, err := h.store.DriverMessagesOf(ctx, p.OrgID, []int64{id})
	if err != nil {
		return nil, err
	}
	return contract.SendDriverMessage200JSONResponse(newMessages(found)[0]), nil
}

func checkSent(body *contract.SendDriverMessageJSONRequestBody) error {
	if !uuid.MatchString(body.ID) {
		return fault.Field("id", fault.Say("driven.no_uuid"))
	}
	if !edge.IsText(body.Text) {
		return fault.Field("text", fault.Say("request.not_text"))
	}
	for field, at := range map[string]time.Time{"occurredAt": body.OccurredAt, "sentAt": body.SentAt} {
		if y := at.Year(); y < 2000 || y > 9000 {
			return fault.Field(field, fault.Say("driven.no_time"))
		}
	}
	return nil
}

// ReadDriverMessages marks what the office wrote as read.
func (h *Handlers) ReadDriverMessages(
	ctx context.Context, request contract.ReadDriverMessagesRequestObject,
) (contract.ReadDriverMessagesResponseObject, error) {
	driver := edge.PrincipalOf(ctx).DriverID
	count, err := h.operations.Driving.ReadMessages(
		ctx, edge.Caller(ctx), driver, chat.Driver, nil, request.Body.UpTo)
	return contract.ReadDriverMessages200JSONResponse{Count: count}, err
}
