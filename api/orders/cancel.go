package orders

import (
	"context"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// maxCancelled is how many orders one call may cancel.
const maxCancelled = 10_000

// CancelOrders cancels orders by number and reports the outcome of each.
func (h *Handlers) CancelOrders(
	ctx context.Context, request contract.CancelOrdersRequestObject,
) (contract.CancelOrdersResponseObject, error) {
	numbers := request.Body.ExternalIds
	if len(numbers) == 0 || len(numbers) > maxCancelled {
		return nil, fault.Field("externalIds", fault.Say("cancel.count", "max", strconv.Itoa(maxCancelled)))
	}
	for i, number := range numbers {
		if number == "" {
			return nil, fault.Field("externalIds["+strconv.Itoa(i)+"]", fault.Say("param.required"))
		}
	}
	outcomes, err := h.operations.Orders.CancelOrders(ctx, edge.Caller(ctx), numbers)
	if err != nil {
		return nil, err
	}
	out := contract.CancelOrders200JSONResponse{Results: make([]contract.CancelOrderResult, len(outcomes))}
	for i, o := range outcomes {
		out.Results[i] = contract.CancelOrderResult{ExternalID: o.Number, Result: contract.CancelOrderResultResult(o.Result)}
	}
	return out, nil
}

// CancelOrderByNumber cancels one order.
func (h *Handlers) CancelOrderByNumber(
	ctx context.Context, request contract.CancelOrderByNumberRequestObject,
) (contract.CancelOrderByNumberResponseObject, error) {
	number := request.InternalOrderNumber
	outcomes, err := h.operations.Orders.CancelOrders(ctx, edge.Caller(ctx), []string{number})
	if err != nil {
		return nil, err
	}
	switch o := outcomes[0]; {
	case o.Result == order.CancelNotFound:
		return nil, fault.Missing("order", number)
	case o.Already:
		return nil, fault.Illegal("order.already_cancelled", "order", number)
	case o.Result != order.CancelSuccess:
		return nil, fault.Illegal("order.not_active", "order", number)
	}
	return contract.CancelOrderByNumber204Response{}, nil
}

// ReplanCancelledOrder reactivates a cancelled order.
func (h *Handlers) ReplanCancelledOrder(
	ctx context.Context, request contract.ReplanCancelledOrderRequestObject,
) (contract.ReplanCancelledOrderResponseObject, error) {
	number := request.Params.ExternalID
	if number == "" {
		return nil, fault.Field("externalId", fault.Say("param.required"))
	}
	done, err := h.operations.Orders.ReactivateOrder(ctx, edge.Caller(ctx), number)
	if err != nil {
		return nil, err
	}
	switch done.Outcome {
	case order.ReactivateNotFound:
		return nil, fault.Missing("order", number)
	case order.ReactivateNotCancelled:
		return nil, fault.Illegal("order.not_cancelled", "order", number)
	case order.ReactivateUnderWay:
		return nil, fault.Illegal("order.already_under_way", "order", number)
	}
	return contract.ReplanCancelledOrder200JSONResponse{
		OrderID: done.Order.ID, ExternalID: number, OrderStatusID: contract.OrderStatusID(done.Order.Status),
		BookingLost: done.BookingLost,
	}, nil
}
