package driving

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// document is JSON that the database has shaped.
type document json.RawMessage

// VisitGetDriverRouteResponse responds with the document.
func (d document) VisitGetDriverRouteResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "private, no-store")
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitGetDriverRouteChangesResponse responds with the document.
func (d document) VisitGetDriverRouteChangesResponse(w http.ResponseWriter) error {
	return d.VisitGetDriverRouteResponse(w)
}

// GetDriverRoute returns the driver's route of the current day, today or tomorrow. The
// current day is yesterday while its route continues after midnight. Contacts at the stops
// are shown only on the day itself.
func (h *Handlers) GetDriverRoute(
	ctx context.Context, request contract.GetDriverRouteRequestObject,
) (contract.GetDriverRouteResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	asked := &request.Params
	if err := h.noteApp(ctx, &p, asked.WaybillAppRelease, (*string)(asked.WaybillAppStorage)); err != nil {
		return nil, err
	}
	doc, _, err := h.routeOf(ctx, &p, asked.Date)
	return document(doc), err
}

// routeOf reads the driver's route of a day, or of the current one, and returns its day.
func (h *Handlers) routeOf(
	ctx context.Context, p *edge.Principal, asked *types.Date,
) (store.Document, time.Time, error) {
	now := h.now().In(p.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	current, err := h.store.DayUnderWay(ctx, p.OrgID, p.DriverID, now)
	if err != nil {
		return nil, time.Time{}, err
	}
	day := current
	if asked != nil {
		day = asked.Time
	}
	can := []time.Time{current, today, current.AddDate(0, 0, 1), today.AddDate(0, 0, 1)}
	if !slices.ContainsFunc(can, day.Equal) {
		return nil, time.Time{}, unprocessable("date", fault.Say("driven.other_day"))
	}
	doc, err := h.store.DriverRoute(ctx, p.OrgID, p.DriverID, day, day.Equal(current) || day.Equal(today))
	return doc, day, err
}

// GetDriverRouteChanges returns what is different in a route from the version that the
// phone has, or the whole route.
func (h *Handlers) GetDriverRouteChanges(
	ctx context.Context, request contract.GetDriverRouteChangesRequestObject,
) (contract.GetDriverRouteChangesResponseObject, error) {
	p, asked := edge.PrincipalOf(ctx), &request.Params
	if err := h.noteApp(ctx, &p, asked.WaybillAppRelease, (*string)(asked.WaybillAppStorage)); err != nil {
		return nil, err
	}
	doc, day, err := h.routeOf(ctx, &p, asked.Date)
	if err != nil {
		return nil, err
	}
	now, err := versionOf(doc)
	if err != nil {
		return nil, err
	}
	key := routeKey{orgID: p.OrgID, driverID: p.DriverID, day: day, revision: edge.OrEmpty(asked.Since)}
	before := h.versions.find(&key)
	changed := now.since(before, asked.Delays != nil && *asked.Delays)
	if key.revision, err = now.name(); err != nil {
		return nil, err
	}
	now.forgetDocuments()
	h.versions.keep(&key, now)
	said := map[string]any{
		"date": day.Format(time.DateOnly), "driverId": p.DriverID, "revision": key.revision, "isComplete": before == nil,
		"stops": changed.stops, "progress": changed.progress,
	}
	if changed.delays != nil {
		said["delays"] = changed.delays
	}
	if changed.route != nil {
		said["route"] = changed.route
	}
	if changed.sequence != nil {
		said["sequence"] = changed.sequence
	}
	body, err := json.Marshal(said)
	if err != nil {
		return nil, fmt.Errorf("write changes of a route: %w", err)
	}
	return document(body), nil
}

// noteApp records the app's version, and returns the current release.
func (h *Handlers) noteApp(ctx context.Context, p *edge.Principal, release, storage *string) error {
	edge.SayApp(ctx, h.release, h.mustUpdate && release != nil && *release != h.release)
	if release == nil && storage == nil {
		return nil
	}
	var kept *bool
	if storage != nil {
		isKept := *storage == string(contract.GetDriverRouteParamsWaybillAppStorageKEPT)
		kept = &isKept
	}
	return h.store.NoteApp(ctx, p.OrgID, p.SessionID, release, kept)
}

func unprocessable(field string, text fault.Text) error {
	return fault.Violated([]fault.Violation{{Field: field, Text: text}})
}
