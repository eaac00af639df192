package exceptions

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/alert"
	"waybill/domain/fault"
	"waybill/store"
)

// ListAlerts lists alerts, newest first.
func (h *Handlers) ListAlerts(
	ctx context.Context, request contract.ListAlertsRequestObject,
) (contract.ListAlertsResponseObject, error) {
	p := &request.Params
	filter := store.AlertFilter{Now: h.now()}
	if p.Date != nil {
		if _, _, err := edge.CheckDays("date", p.Date.Time, "date", p.Date.Time); err != nil {
			return nil, err
		}
		filter.Day = &p.Date.Time
	}
	if p.State != nil {
		state := string(*p.State)
		filter.State = &state
	}
	before, size, err := edge.Backward(p.Token, p.PageSize)
	if err != nil {
		return nil, err
	}
	filter.Before = before
	found, goOn, err := h.store.Alerts(ctx, edge.PrincipalOf(ctx).OrgID, filter, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListAlerts200JSONResponse{
		Items: make([]contract.Alert, len(found)), NextToken: edge.BackwardToken(goOn), HasMore: goOn != 0,
	}
	for i := range found {
		page.Items[i] = newAlert(ctx, &found[i], filter.Now)
	}
	return page, nil
}

// AcknowledgeAlert acknowledges an alert.
func (h *Handlers) AcknowledgeAlert(
	ctx context.Context, request contract.AcknowledgeAlertRequestObject,
) (contract.AcknowledgeAlertResponseObject, error) {
	note, err := noteOf(request.Body.Note)
	if err != nil {
		return nil, err
	}
	if err := h.operations.Driving.AcknowledgeAlert(ctx, edge.Caller(ctx), request.AlertID, note); err != nil {
		return nil, err
	}
	a, err := h.store.Alert(ctx, edge.PrincipalOf(ctx).OrgID, request.AlertID)
	if err != nil {
		return nil, err
	}
	return contract.AcknowledgeAlert200JSONResponse(newAlert(ctx, &a, h.now())), nil
}

// SnoozeAlert hides an alert for some minutes.
func (h *Handlers) SnoozeAlert(
	ctx context.Context, request contract.SnoozeAlertRequestObject,
) (contract.SnoozeAlertResponseObject, error) {
	note, err := noteOf(request.Body.Note)
	if err != nil {
		return nil, err
	}
	minutes := int(request.Body.Minutes)
	if minutes < alert.ShortestSnooze || minutes > alert.LongestSnooze {
		return nil, edge.OutOfRange("minutes", alert.ShortestSnooze, alert.LongestSnooze)
	}
	if err := h.operations.Driving.SnoozeAlert(ctx, edge.Caller(ctx), request.AlertID, minutes, note); err != nil {
		return nil, err
	}
	a, err := h.store.Alert(ctx, edge.PrincipalOf(ctx).OrgID, request.AlertID)
	if err != nil {
		return nil, err
	}
	return contract.SnoozeAlert200JSONResponse(newAlert(ctx, &a, h.now())), nil
}

func noteOf(given *string) (string, error) {
	note := strings.TrimSpace(edge.OrEmpty(given))
	return note, edge.CheckTexts(edge.AtMost(alert.LongestNote, "note", note))
}

// newAlert converts an alert to the contract's form, with its text.
func newAlert(ctx context.Context, a *store.Alert, now time.Time) contract.Alert {
	out := contract.Alert{
		ID: a.ID, State: alertState(a, now), Kind: contract.AlertKind(a.Kind),
		ExceptionKind: edge.TextOrNull(a.ExceptionKind), RuleID: a.RuleID,
		Channels: []contract.AlertChannel{}, Day: openapi_types.Date{Time: a.Day}, DriverID: edge.OrNull(a.DriverID),
		DriverName: edge.TextOrNull(a.DriverName), OrderID: edge.OrNull(a.OrderID), ExternalID: edge.OrNull(a.Number),
		Stop: nullable.NewNullNullable[contract.AlertStop](), Minutes: orNone(a.Minutes), At: a.At.UTC(),
		RaisedAt: a.RaisedAt.UTC(),
		Text:     edge.LocalizerOf(ctx).Say(alertText(a, edge.PrincipalOf(ctx).Zone)), SnoozedUntil: utc(a.SnoozedUntil),
		HandledBy: edge.OrNull(a.HandledBy), HandledByName: edge.TextOrNull(a.HandledByName), Note: edge.OrNull(a.Note),
		ResolvedAt: utc(a.ResolvedAt),
	}
	for _, c := range a.Channels {
		out.Channels = append(out.Channels, contract.AlertChannel(c))
	}
	if a.Stop != nil {
		out.Stop.Set(contract.AlertStop(strings.ToUpper(*a.Stop)))
	}
	return out
}

func alertState(a *store.Alert, now time.Time) contract.AlertState {
	switch {
	case a.ResolvedAt != nil:
		return contract.AlertStateRESOLVED
	case a.AcknowledgedAt != nil:
		return contract.AlertStateACKNOWLEDGED
	case a.SnoozedUntil != nil && a.SnoozedUntil.After(now):
		return contract.AlertStateSNOOZED
	}
	return contract.AlertStateOPEN
}

// alertText describes an alert, in the caller's time zone. An alert of an exception says what the exception says.
func alertText(a *store.Alert, zone *time.Location) fault.Text {
	if alert.Kind(a.Kind) == alert.Exception {
		return text(&store.Exception{
			Kind: a.ExceptionKind, Rule: a.ExceptionRule, DriverName: a.DriverName, Number: a.Number, At: a.At,
		}, zone)
	}
	return fault.Say("alert.kind."+strings.ToLower(a.Kind), "who", a.DriverName, "order", edge.OrEmpty(a.Number),
		"at", a.At.In(zone).Format("15:04"), "minutes", strconv.FormatInt(a.Minutes, 10))
}
