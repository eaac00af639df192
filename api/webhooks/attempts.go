package webhooks

import (
	"context"
	"math"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/webhook"
	"waybill/operations/webhooks"
	"waybill/store"
	"waybill/store/columns"
)

// ListWebhookAttempts lists the attempts of an endpoint, newest first. The
// token is the attempt before which a page begins.
func (h *Handlers) ListWebhookAttempts(
	ctx context.Context, request contract.ListWebhookAttemptsRequestObject,
) (contract.ListWebhookAttemptsResponseObject, error) {
	before, size, err := edge.FeedPage(request.Params.Token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	if before == 0 {
		before = math.MaxInt64
	}
	// One more than requested shows whether there is more.
	wanted := store.WebhookAttemptsWanted{Before: before, Delivered: request.Params.IsDelivered, AtMost: size + 1}
	if id := request.Params.MessageID; id != nil {
		place, test, ok := webhook.ParseID(*id)
		if !ok {
			return nil, fault.Field("messageId", fault.Say("webhook_replay.bad_id"))
		}
		wanted.Event, wanted.Test = &place, test
	}
	org := edge.PrincipalOf(ctx).OrgID
	if _, err := h.store.WebhookEndpoint(ctx, org, request.EndpointID); err != nil {
		return nil, err
	}
	found, err := h.store.WebhookAttempts(ctx, org, request.EndpointID, wanted)
	if err != nil {
		return nil, err
	}
	page := contract.ListWebhookAttempts200JSONResponse{HasMore: len(found) > int(size)}
	found = found[:min(len(found), int(size))]
	bodies, err := h.operations.Webhooks.Bodies(ctx, org, found)
	if err != nil {
		return nil, err
	}
	page.Items = columns.Of(found, newAttempt)
	for i := range found {
		page.Items[i].Request = edge.TextOrNull(bodies[found[i].MessageID()])
		before = found[i].ID
	}
	if before != math.MaxInt64 {
		page.NextToken = strconv.FormatInt(before, 10)
	}
	return page, nil
}

func newAttempt(a store.WebhookAttempt) contract.WebhookAttempt {
	status := int32(a.Status)
	shown := contract.WebhookAttempt{
		ID: a.ID, MessageID: a.MessageID(), Type: contract.OrderEventType(a.Kind), Position: a.Position,
		Number: int32(a.Count), IsTest: a.Test != "", At: a.At.UTC(), DurationMs: int32(a.Duration.Milliseconds()),
		IsDelivered: a.Fault == "", Status: edge.OrNull(&status),
		Fault:   edge.TextOrNull(contract.WebhookAttemptFault(a.Fault)),
		Request: edge.TextOrNull(""), Answer: edge.TextOrNull(a.Answer),
	}
	if status == 0 {
		shown.Status.SetNull()
	}
	return shown
}

// TestWebhookEndpoint sends examples to an endpoint.
func (h *Handlers) TestWebhookEndpoint(
	ctx context.Context, request contract.TestWebhookEndpointRequestObject,
) (contract.TestWebhookEndpointResponseObject, error) {
	attempts, err := h.operations.Webhooks.SendExamples(
		ctx, edge.Caller(ctx), request.EndpointID, kindsOf(request.Body.Types))
	if err != nil {
		return nil, err
	}
	return contract.TestWebhookEndpoint200JSONResponse{Items: columns.Of(attempts, newAttempt)}, nil
}

// ReplayWebhooks has events sent to an endpoint again.
func (h *Handlers) ReplayWebhooks(
	ctx context.Context, request contract.ReplayWebhooksRequestObject,
) (contract.ReplayWebhooksResponseObject, error) {
	which, err := replayOf(request.Body)
	if err != nil {
		return nil, err
	}
	n, err := h.operations.Webhooks.Replay(ctx, edge.Caller(ctx), request.EndpointID, which)
	if err != nil {
		return nil, err
	}
	return contract.ReplayWebhooks202JSONResponse{Events: int32(n)}, nil
}

// mostIDs is how many events can be named one by one.
const mostIDs = 100

// replayOf reads which events to send again, given in exactly one way.
func replayOf(b *contract.ReplayWebhooksRequest) (which store.Replay, err error) {
	ways := 0
	if b.MessageIds != nil {
		ways++
		if n := len(*b.MessageIds); n < 1 || n > mostIDs {
			return which, edge.OutOfRange("messageIds", 1, mostIDs)
		}
		which.Events, err = webhooks.ParseIDs(*b.MessageIds)
	}
	if b.Positions != nil {
		ways++
		which.Span = &webhook.Span{First: b.Positions.From, Last: b.Positions.To}
		if which.Span.First < 1 || which.Span.Last < which.Span.First {
			err = fault.Field("positions", fault.Say("webhook_replay.bad_span"))
		}
	}
	if edge.IsTrue(b.Failed) {
		ways++
		which.Failures = true
	}
	if ways != 1 {
		return which, fault.Field("", fault.Say("webhook_replay.one_way"))
	}
	return which, err
}
