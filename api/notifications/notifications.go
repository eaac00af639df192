package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
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

// write responds with the page: the entries, and then the paging fields.
func (p logPage) write(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, map[string]any{
		p.member: p.entries, "totalRecords": p.total, "numPages": edge.Pages(p.total, p.page),
		"pageNum": p.page.Number, "perPage": p.page.Size,
	})
}

// VisitSearchOrderNotificationsResponse responds with the page.
func (p logPage) VisitSearchOrderNotificationsResponse(w http.ResponseWriter) error {
	return p.write(w)
}

// VisitSearchEmailLogResponse responds with the page.
func (p logPage) VisitSearchEmailLogResponse(w http.ResponseWriter) error { return p.write(w) }

// VisitSearchSMSLogResponse responds with the page.
func (p logPage) VisitSearchSMSLogResponse(w http.ResponseWriter) error { return p.write(w) }

// logPageOf checks the numbers of a page, which are required.
func logPageOf(number, size int32) (store.Page, error) {
	page := store.Page{Number: number, Size: size}
	if number < 1 || number > edge.MaxPage {
		return page, edge.OutOfRange("page", 1, edge.MaxPage)
	}
	if size < 1 || size > edge.MaxLimit {
		return page, edge.OutOfRange("perPage", 1, edge.MaxLimit)
	}
	return page, nil
}

// receiverOf checks a part of an address.
func receiverOf(field string, part *string) (string, error) {
	if part == nil {
		return "", nil
	}
	if !edge.IsText(*part) {
		return "", fault.Field(field, fault.Say("request.not_text"))
	}
	return strings.TrimSpace(*part), nil
}

// mostStatuses is how many statuses one search names at most.
const mostStatuses = 20

// statusesOf checks the requested statuses; nil for any.
func statusesOf[S ~string](given *[]S, channel notification.Channel) ([]string, error) {
	if given == nil {
		return []string{}, nil
	}
	if len(*given) > mostStatuses {
		return nil, fault.Field("statuses", fault.Say("field.too_many", "max", strconv.Itoa(mostStatuses)))
	}
	known, statuses := statusNames(channel), make([]string, len(*given))
	for i, status := range *given {
		statuses[i] = string(status)
		if !slices.Contains(known, statuses[i]) {
			allowed := strings.Join(known, ", ")
			return nil, fault.Field(fmt.Sprintf("statuses[%d]", i), fault.Say("request.not_one_of", "allowed", allowed))
		}
	}
	return statuses, nil
}

func statusNames(channel notification.Channel) (names []string) {
	for _, status := range channel.Statuses() {
		names = append(names, string(status))
	}
	return names
}

// orderDateOf checks the day whose orders' messages are looked for.
func orderDateOf(date *openapi_types.Date) (*time.Time, error) {
	if date == nil {
		return nil, nil
	}
	if _, _, err := edge.CheckDays("orderDate", date.Time, "orderDate", date.Time); err != nil {
		return nil, err
	}
	return &date.Time, nil
}

// SearchOrderNotifications finds the messages of one order.
func (h *Handlers) SearchOrderNotifications(
	ctx context.Context, request contract.SearchOrderNotificationsRequestObject,
) (contract.SearchOrderNotificationsResponseObject, error) {
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
	search := store.LogSearch{OrderID: &body.OrderID, Receiver: receiver, Ascending: edge.IsTrue(body.IsAsc), Page: page}
	return h.searchLog(ctx, "records", search, func(n store.LoggedNotification) json.RawMessage { return n.Record })
}

// SearchEmailLog finds emails.
func (h *Handlers) SearchEmailLog(
	ctx context.Context, request contract.SearchEmailLogRequestObject,
) (contract.SearchEmailLogResponseObject, error) {
	body := request.Body
	page, badPage := logPageOf(body.Page, body.PerPage)
	receiver, badText := receiverOf("receiverEmail", body.ReceiverEmail)
	statuses, badStatus := statusesOf(body.Statuses, notification.Email)
	date, badDate := orderDateOf(body.OrderDate)
	if err := errors.Join(badPage, badText, badStatus, badDate); err != nil {
		return nil, err
	}
	search := store.LogSearch{
		Channel: notification.Email, OrderID: body.OrderID, Receiver: receiver, Statuses: statuses, OrderDate: date,
		IsRetried: body.IsRetried, Ascending: edge.IsTrue(body.IsAsc), Page: page,
	}
	return h.searchLog(ctx, "emailLogs", search, func(n store.LoggedNotification) json.RawMessage { return n.Email })
}

// SearchSMSLog finds text messages.
func (h *Handlers) SearchSMSLog(
	ctx context.Context, request contract.SearchSMSLogRequestObject,
) (contract.SearchSMSLogResponseObject, error) {
	body := request.Body
	page, badPage := logPageOf(body.Page, body.PerPage)
	receiver, badText := receiverOf("toNumber", body.ToNumber)
	statuses, badStatus := statusesOf(body.Statuses, notification.SMS)
	date, badDate := orderDateOf(body.OrderDate)
	if err := errors.Join(badPage, badText, badStatus, badDate); err != nil {
		return nil, err
	}
	search := store.LogSearch{
		Channel: notification.SMS, OrderID: body.OrderID, Receiver: receiver, Statuses: statuses, OrderDate: date,
		IsRetried: body.IsRetried, Ascending: edge.IsTrue(body.IsAsc), Page: page,
	}
	return h.searchLog(ctx, "smsLogs", search, func(n store.LoggedNotification) json.RawMessage { return n.SMS })
}

func (h *Handlers) searchLog(
	ctx context.Context, member string, search store.LogSearch, shape func(store.LoggedNotification) json.RawMessage,
) (logPage, error) {
	found, total, err := h.store.SearchLog(ctx, edge.PrincipalOf(ctx).OrgID, search)
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
func (h *Handlers) GetEmailTimeline(
	ctx context.Context, request contract.GetEmailTimelineRequestObject,
) (contract.GetEmailTimelineResponseObject, error) {
	timeline, err := h.timeline(ctx, notification.Email, request.ID)
	return contract.GetEmailTimeline200JSONResponse(timeline), err
}

// GetSMSTimeline reads all that happened to a text message.
func (h *Handlers) GetSMSTimeline(
	ctx context.Context, request contract.GetSMSTimelineRequestObject,
) (contract.GetSMSTimelineResponseObject, error) {
	timeline, err := h.timeline(ctx, notification.SMS, request.ID)
	return contract.GetSMSTimeline200JSONResponse(timeline), err
}

func (h *Handlers) timeline(
	ctx context.Context, channel notification.Channel, id int64,
) (contract.NotificationTimeline, error) {
	rows, err := h.store.NotificationTimeline(ctx, edge.PrincipalOf(ctx).OrgID, channel, id)
	if errors.Is(err, store.ErrNotFound) {
		err = fault.Missing("notification", strconv.FormatInt(id, 10))
	}
	steps := make([]contract.NotificationStep, len(rows))
	for i := range rows {
		steps[i] = stepOf(&rows[i])
	}
	return contract.NotificationTimeline{Steps: steps}, err
}

func stepOf(row *store.NotificationStep) contract.NotificationStep {
	failure, said := notification.SplitCode(row.Code)
	step := contract.NotificationStep{
		At: row.At.UTC(), Kind: contract.NotificationStepKind(row.Kind), Status: contract.NotificationStepStatus(row.Status),
		Times: row.Times, LastAt: edge.InUTC(row.LastAt), ProviderCode: said, Answer: row.Answer, Provider: row.Provider,
		OccurredAt: edge.InUTC(row.OccurredAt), NextAttemptAt: edge.InUTC(row.NextAt),
	}
	if failure != "" {
		code := contract.NotificationFailure(failure)
		step.Code = &code
	}
	return step
}

// RetryNotification sends a message again.
func (h *Handlers) RetryNotification(
	ctx context.Context, request contract.RetryNotificationRequestObject,
) (contract.RetryNotificationResponseObject, error) {
	by := edge.Caller(ctx)
	retry, err := h.operations.Notifications.RetryNotification(ctx, by, request.ID)
	if err != nil {
		return nil, err
	}
	started, err := workflows.RetryNotification(ctx, h.temporal, by.OrgID, retry, edge.RequestID(ctx))
	if err == nil && started { // one of several simultaneous requests has done it
		err = h.operations.Notifications.NoteRetry(ctx, by, retry)
	}
	return contract.RetryNotification202JSONResponse{RetryOf: retry.Of}, err
}
