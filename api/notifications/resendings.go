package notifications

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/workflows"
)

// longestProvider is that of a provider's name, in bytes.
const longestProvider = 100

// PreviewResending counts the messages that a resending would send.
func (h *Handlers) PreviewResending(
	ctx context.Context, request contract.PreviewResendingRequestObject,
) (contract.PreviewResendingResponseObject, error) {
	of, err := selectionOf(request.Body, time.Now())
	if err != nil {
		return nil, err
	}
	counts, err := h.operations.Notifications.PreviewResending(ctx, edge.PrincipalOf(ctx).OrgID, of)
	if err != nil {
		return nil, err
	}
	preview := contract.PreviewResending200JSONResponse{Reasons: make([]contract.ResendingCount, len(counts))}
	for i, c := range counts {
		preview.Reasons[i] = contract.ResendingCount{
			FailureReason: contract.NotificationFailure(c.Failure), Messages: int32(c.Messages), IsLeftOut: c.IsLeftOut,
		}
		if !c.IsLeftOut {
			preview.Total += int32(c.Messages)
		}
	}
	return preview, nil
}

// StartResending has failed messages sent again.
func (h *Handlers) StartResending(
	ctx context.Context, request contract.StartResendingRequestObject,
) (contract.StartResendingResponseObject, error) {
	of, err := selectionOf(request.Body, time.Now())
	if err != nil {
		return nil, err
	}
	by := edge.Caller(ctx)
	id, err := h.operations.Notifications.BeginResending(ctx, by, of)
	if err != nil {
		return nil, err
	}
	in := workflows.ResendingInput{OrgID: by.OrgID, ID: id}
	if err := workflows.StartResending(ctx, h.temporal, in, edge.RequestID(ctx)); err != nil {
		return nil, h.takeBack(ctx, by, id, err)
	}
	begun, err := h.resending(ctx, id)
	return contract.StartResending202JSONResponse(begun), err
}

// takeBack deletes a resending that could not be started; its caller gets an error.
func (h *Handlers) takeBack(ctx context.Context, by caller.Caller, id int64, cause error) error {
	if err := h.operations.Notifications.DropResending(context.WithoutCancel(ctx), by, id); err != nil {
		return errors.Join(cause, fmt.Errorf("abandon resending %d: %w", id, err))
	}
	return cause
}

// ListResendings lists resendings, newest first.
func (h *Handlers) ListResendings(
	ctx context.Context, request contract.ListResendingsRequestObject,
) (contract.ListResendingsResponseObject, error) {
	before, size, err := edge.FeedPage(request.Params.Token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	found, err := h.store.Resendings(ctx, edge.PrincipalOf(ctx).OrgID, before, size+1)
	if err != nil {
		return nil, err
	}
	page := contract.ListResendings200JSONResponse{HasMore: len(found) > int(size)}
	found = found[:min(len(found), int(size))]
	page.Items = make([]contract.Resending, len(found))
	for i := range found {
		page.Items[i] = wireOf(&found[i])
	}
	if page.HasMore {
		page.NextToken = strconv.FormatInt(found[size-1].ID, 10)
	}
	return page, nil
}

// GetResending returns the progress of a resending.
func (h *Handlers) GetResending(
	ctx context.Context, request contract.GetResendingRequestObject,
) (contract.GetResendingResponseObject, error) {
	found, err := h.resending(ctx, request.ID)
	return contract.GetResending200JSONResponse(found), err
}

// StopResending stops a resending.
func (h *Handlers) StopResending(
	ctx context.Context, request contract.StopResendingRequestObject,
) (contract.StopResendingResponseObject, error) {
	if err := h.operations.Notifications.StopResending(ctx, edge.Caller(ctx), request.ID); err != nil {
		return nil, err
	}
	stopped, err := h.resending(ctx, request.ID)
	return contract.StopResending200JSONResponse(stopped), err
}

func (h *Handlers) resending(ctx context.Context, id int64) (contract.Resending, error) {
	found, err := h.store.Resending(ctx, edge.PrincipalOf(ctx).OrgID, id)
	if errors.Is(err, store.ErrNotFound) {
		err = fault.Missing("resending", strconv.FormatInt(id, 10))
	}
	return wireOf(&found), err
}

// selectionOf reads the selection of messages.
func selectionOf(r *contract.ResendingRequest, now time.Time) (notification.Selection, error) {
	of := notification.Selection{Since: r.Since, Until: now, DeadAddresses: r.DeadAddresses != nil && *r.DeadAddresses}
	if r.Until != nil {
		of.Until = *r.Until
	}
	if of.Since.IsZero() {
		return of, fault.Field("since", fault.Say("resending.no_since"))
	}
	if !of.Since.Before(of.Until) || of.Until.After(now) {
		return of, fault.Field("until", fault.Say("resending.bad_span"))
	}
	of.Provider = edge.OrEmpty(r.Provider)
	if err := edge.CheckTexts(edge.AtMost(longestProvider, "provider", of.Provider)); err != nil {
		return of, err
	}
	var err error
	if of.Event, err = oneOf("event", r.Event, notification.Events); err != nil {
		return of, err
	}
	channels := []notification.Channel{notification.Email, notification.SMS}
	if of.Channel, err = oneOf("channel", r.Channel, channels); err != nil {
		return of, err
	}
	of.Failure, err = oneOf("failureReason", r.FailureReason, notification.Failures)
	return of, err
}

// oneOf returns a value, which must be one of those permitted, or "" without a
// value.
func oneOf[W, T ~string](field string, asked *W, allowed []T) (T, error) {
	if asked == nil {
		return "", nil
	}
	if choice := T(*asked); slices.Contains(allowed, choice) {
		return choice, nil
	}
	names := make([]string, len(allowed))
	for i, one := range allowed {
		names[i] = string(one)
	}
	return "", fault.Field(field, fault.Say("request.not_one_of", "allowed", strings.Join(names, ", ")))
}

// wireOf returns a resending in the contract's form.
func wireOf(r *notification.Resending) contract.Resending {
	wire := contract.Resending{
		ID: r.ID, State: contract.ResendingState(r.State), Since: r.Since.UTC(), Until: r.Until.UTC(),
		Event: chosen[contract.NotificationEvent](r.Event), Channel: chosen[contract.NotificationType](r.Channel),
		FailureReason: chosen[contract.NotificationFailure](r.Failure), Provider: chosen[string](r.Provider),
		DeadAddresses: r.DeadAddresses, Total: int32(r.Total), Sent: int32(r.Sent), Refused: int32(r.Refused),
		StartedBy: r.Actor, StartedByName: chosen[string](r.ActorName), StartedAt: r.StartedAt.UTC(),
		StoppedBy: chosen[string](r.StoppedBy), StoppedByName: chosen[string](r.StoppedByName),
	}
	if !r.EndedAt.IsZero() {
		at := r.EndedAt.UTC()
		wire.EndedAt = &at
	}
	return wire
}

// chosen is a text that is absent when it is empty.
func chosen[W, T ~string](text T) *W {
	if text == "" {
		return nil
	}
	wire := W(text)
	return &wire
}
