package api

import (
	"context"
	"strconv"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// maxCancelled is how many orders one call may cancel.
const maxCancelled = 10_000

// CancelOrders cancels orders by number and tells what became of each.
func (s *Server) CancelOrders(ctx context.Context, request CancelOrdersRequestObject) (CancelOrdersResponseObject, error) {
	numbers := request.Body.ExternalIds
	if len(numbers) == 0 || len(numbers) > maxCancelled {
		return nil, fault.Field("externalIds", fault.Say("cancel.count", "max", strconv.Itoa(maxCancelled)))
	}
	for i, number := range numbers {
		if !text(number) {
			return nil, fault.Field("externalIds["+strconv.Itoa(i)+"]", fault.Say("request.not_text"))
		}
	}
	outcomes, err := s.operations.CancelOrders(ctx, CallerOf(ctx), numbers)
	if err != nil {
		return nil, err
	}
	out := CancelOrders200JSONResponse{Results: make([]CancelOrderResult, len(outcomes))}
	for i, o := range outcomes {
		out.Results[i] = CancelOrderResult{ExternalID: o.Number, Result: CancelOrderResultResult(o.Result)}
	}
	return out, nil
}

// CancelOrderByNumber cancels one order.
func (s *Server) CancelOrderByNumber(
	ctx context.Context, request CancelOrderByNumberRequestObject,
) (CancelOrderByNumberResponseObject, error) {
	number := request.InternalOrderNumber
	outcomes, err := s.operations.CancelOrders(ctx, CallerOf(ctx), []string{number})
	if err != nil {
		return nil, err
	}
	switch o := outcomes[0]; {
	case o.Result == order.CancelNotFound:
		return nil, fault.Missing("order", number)
	case o.Already:
		return nil, illegalState("order.already_cancelled", number)
	case o.Result != order.CancelSuccess:
		return nil, illegalState("order.not_active", number)
	}
	return CancelOrderByNumber204Response{}, nil
}

func illegalState(text, number string) error {
	return &fault.Error{
		Kind: fault.IllegalState, Text: fault.Say(text, "name", number), Resource: "order", Name: number,
	}
}

// ReplanCancelledOrder makes a cancelled order active again.
func (s *Server) ReplanCancelledOrder(
	ctx context.Context, request ReplanCancelledOrderRequestObject,
) (ReplanCancelledOrderResponseObject, error) {
	number := request.Params.ExternalID
	if number == "" {
		return nil, fault.Field("externalId", fault.Say("param.required"))
	}
	outcome, o, err := s.operations.ReactivateOrder(ctx, CallerOf(ctx), number)
	if err != nil {
		return nil, err
	}
	switch outcome {
	case order.ReactivateNotFound:
		return nil, fault.Missing("order", number)
	case order.ReactivateNotCancelled:
		return nil, illegalState("order.not_cancelled", number)
	case order.ReactivateMerged:
		return nil, illegalState("order.merged_number_cancelled", number)
	}
	return ReplanCancelledOrder200JSONResponse{
		OrderID: o.ID, ExternalID: number, OrderStatusID: OrderStatusID(o.Status),
	}, nil
}
