package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/workflows"
)

// logPage is a page of the notifications log, whose entries a view has shaped.
type logPage struct {
	member  string
	entries []json.RawMessage
	total   int64
	page    store.Page
}

// write answers with the page: the entries, and then the paging fields.
func (p logPage) write(w http.ResponseWriter) error {
	pages := (p.total + int64(p.page.Size) - 1) / int64(p.page.Size)
	return writeJSON(w, http.StatusOK, map[string]any{
		p.member: p.entries, "totalRecords": p.total, "numPages": pages, "pageNum": p.page.Number, "perPage": p.page.Size,
	})
}

// VisitSearchOrderNotificationsResponse answers with the page.
func (p logPage) VisitSearchOrderNotificationsResponse(w http.ResponseWriter) error {
	return p.write(w)
}

// VisitSearchEmailLogResponse answers with the page.
func (p logPage) VisitSearchEmailLogResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitSearchSMSLogResponse answers with the page.
func (p logPage) VisitSearchSMSLogResponse(w http.ResponseWriter) error { return p.write(w) }

// logPageOf checks the numbers of a page, which must be there.
func logPageOf(number, size int32) (store.Page, error) {
	page := store.Page{Number: number, Size: size}
	if number < 1 || number > maxPage {
		return page, outOfRange("page", 1, maxPage)
	}
	if size < 1 || size > maxLimit {
		return page, outOfRange("perPage", 1, maxLimit)
	}
	return page, nil
}

// receiverOf checks a part of an address.
func receiverOf(field string, part *string) (string, error) {
	if part == nil {
		return "", nil
	}
	if !text(*part) {
		return "", fault.Field(field, fault.Say("request.not_text"))
	}
	return strings.TrimSpace(*part), nil
}

// SearchOrderNotifications finds the messages of one order.
func (s *Server) SearchOrderNotifications(
	ctx context.Context, request SearchOrderNotificationsRequestObject,
) (SearchOrderNotificationsResponseObject, error) {
	body := request.Body
	if body.OrderID == 0 {
		return nil, &fault.Error{
			Kind: fault.Invalid, Text: fault.Say("notification.order_id_required"),
			Violations: []fault.Violation{{Field: "orderId", Text: fault.Say("notification.order_id_required")}},
		}
	}
	page, badPage := logPageOf(body.Page, body.PerPage)
	receiver, badText := receiverOf("receiver", body.Receiver)
	if err := errors.Join(badPage, badText); err != nil {
		return nil, err
	}
	search := store.LogSearch{OrderID: &body.OrderID, Receiver: receiver, Ascending: isTrue(body.IsAsc), Page: page}
	return s.searchLog(ctx, "records", search, func(n store.LoggedNotification) json.RawMessage { return n.Record })
}

// SearchEmailLog finds emails.
func (s *Server) SearchEmailLog(ctx context.Context, request SearchEmailLogRequestObject) (SearchEmailLogResponseObject, error) {
	body := request.Body
	page, badPage := logPageOf(body.Page, body.PerPage)
	receiver, badText := receiverOf("receiverEmail", body.ReceiverEmail)
	if err := errors.Join(badPage, badText); err != nil {
		return nil, err
	}
	search := store.LogSearch{
		Channel: notification.Email, OrderID: body.OrderID, Receiver: receiver, Ascending: isTrue(body.IsAsc), Page: page,
	}
	return s.searchLog(ctx, "emailLogs", search, func(n store.LoggedNotification) json.RawMessage { return n.Email })
}

// SearchSMSLog finds text messages.
func (s *Server) SearchSMSLog(ctx context.Context, request SearchSMSLogRequestObject) (SearchSMSLogResponseObject, error) {
	body := request.Body
	page, badPage := logPageOf(body.Page, body.PerPage)
	receiver, badText := receiverOf("toNumber", body.ToNumber)
	if err := errors.Join(badPage, badText); err != nil {
		return nil, err
	}
	search := store.LogSearch{
		Channel: notification.SMS, OrderID: body.OrderID, Receiver: receiver, Ascending: isTrue(body.IsAsc), Page: page,
	}
	return s.searchLog(ctx, "smsLogs", search, func(n store.LoggedNotification) json.RawMessage { return n.SMS })
}

func (s *Server) searchLog(
	ctx context.Context, member string, search store.LogSearch, shape func(store.LoggedNotification) json.RawMessage,
) (logPage, error) {
	found, total, err := s.store.SearchLog(ctx, PrincipalOf(ctx).OrgID, search)
	if err != nil {
		return logPage{}, err
	}
	entries := make([]json.RawMessage, len(found))
	for i, n := range found {
		entries[i] = shape(n)
	}
	return logPage{member, entries, total, search.Page}, nil
}

// GetEmailTimeline reads all that happened to an email.
func (s *Server) GetEmailTimeline(ctx context.Context, request GetEmailTimelineRequestObject) (GetEmailTimelineResponseObject, error) {
	timeline, err := s.timeline(ctx, notification.Email, request.ID)
	return GetEmailTimeline200JSONResponse(timeline), err
}

// GetSMSTimeline reads all that happened to a text message.
func (s *Server) GetSMSTimeline(ctx context.Context, request GetSMSTimelineRequestObject) (GetSMSTimelineResponseObject, error) {
	timeline, err := s.timeline(ctx, notification.SMS, request.ID)
	return GetSMSTimeline200JSONResponse(timeline), err
}

func (s *Server) timeline(ctx context.Context, channel notification.Channel, id int64) (NotificationTimeline, error) {
	rows, err := s.store.NotificationTimeline(ctx, PrincipalOf(ctx).OrgID, channel, id)
	if errors.Is(err, store.ErrNotFound) {
		err = fault.Missing("notification", strconv.FormatInt(id, 10))
	}
	steps := make([]NotificationStep, len(rows))
	for i, row := range rows {
		steps[i] = NotificationStep{
			At: row.At.UTC(), Kind: row.Kind, Status: row.Status, Code: row.Code, Answer: row.Answer, Provider: row.Provider,
		}
		if row.OccurredAt != nil {
			at := row.OccurredAt.UTC()
			steps[i].OccurredAt = &at
		}
	}
	return NotificationTimeline{Steps: steps}, err
}

// RetryNotification sends a message anew. It is for people, whom authorization
// does not know yet.
func (s *Server) RetryNotification(ctx context.Context, request RetryNotificationRequestObject) (RetryNotificationResponseObject, error) {
	org := PrincipalOf(ctx).OrgID
	n, err := s.store.RetryableNotification(ctx, org, request.ID)
	if err != nil {
		return nil, err
	}
	_, err = workflows.RetryNotification(ctx, s.temporal, workflows.NotificationInput{
		OrgID: org, Key: n.Key.String(), Event: n.Event, Channel: n.Channel, OrderID: n.OrderID, RetryOf: n.ID,
	}, n.LastTry+1, RequestID(ctx))
	return RetryNotification202JSONResponse{RetryOf: n.ID}, err
}
