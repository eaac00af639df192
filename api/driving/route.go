package driving

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
)

// document is JSON that the database has shaped.
type document json.RawMessage

// VisitGetDriverRouteResponse responds with the document.
func (d document) VisitGetDriverRouteResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "private, no-store")
	return edge.WriteRaw(w, http.StatusOK, d)
}

// GetDriverRoute returns the driver's route of the current day, today or tomorrow. The
// current day is yesterday while its route continues after midnight. Contacts at the stops
// are shown only on the day itself.
func (h *Handlers) GetDriverRoute(
	ctx context.Context, request contract.GetDriverRouteRequestObject,
) (contract.GetDriverRouteResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	if err := h.noteApp(ctx, &p, &request.Params); err != nil {
		return nil, err
	}
	now := h.now().In(p.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	current, err := h.store.DayUnderWay(ctx, p.OrgID, p.DriverID, now)
	if err != nil {
		return nil, err
	}
	day := current
	if request.Params.Date != nil {
		day = request.Params.Date.Time
	}
	can := []time.Time{current, today, current.AddDate(0, 0, 1), today.AddDate(0, 0, 1)}
	if !slices.ContainsFunc(can, day.Equal) {
		return nil, unprocessable("date", fault.Say("driven.other_day"))
	}
	doc, err := h.store.DriverRoute(ctx, p.OrgID, p.DriverID, day, day.Equal(current) || day.Equal(today))
	return document(doc), err
}

// noteApp records the app's version, and returns the current release.
func (h *Handlers) noteApp(ctx context.Context, p *edge.Principal, said *contract.GetDriverRouteParams) error {
	edge.SayApp(ctx, h.release, h.mustUpdate && said.WaybillAppRelease != nil && *said.WaybillAppRelease != h.release)
	if said.WaybillAppRelease == nil && said.WaybillAppStorage == nil {
		return nil
	}
	var kept *bool
	if said.WaybillAppStorage != nil {
		isKept := *said.WaybillAppStorage == contract.GetDriverRouteParamsWaybillAppStorageKEPT
		kept = &isKept
	}
	return h.store.NoteApp(ctx, p.OrgID, p.SessionID, said.WaybillAppRelease, kept)
}

func unprocessable(field string, text fault.Text) error {
	return fault.Violated([]fault.Violation{{Field: field, Text: text}})
}
