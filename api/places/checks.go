package places

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store"
)

// The default and maximum size of a page of stops.
const (
	usualPage = 50
	maxPage   = 200
)

// lastDay is behind all dates of orders.
var lastDay = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// ListPlaces lists stops whose address was not found well enough.
func (h *Handlers) ListPlaces(
	ctx context.Context, request contract.ListPlacesRequestObject,
) (contract.ListPlacesResponseObject, error) {
	filter, err := h.filterOf(ctx, &request.Params)
	if err != nil {
		return nil, err
	}
	size := orUsual(request.Params.PageSize, usualPage)
	if size < 1 || size > maxPage {
		return nil, edge.OutOfRange("pageSize", 1, maxPage)
	}
	org := edge.PrincipalOf(ctx).OrgID
	found, more, err := h.store.PlacesToCheck(ctx, org, filter, size)
	if err != nil {
		return nil, err
	}
	total, err := h.store.CountPlacesToCheck(ctx, org, filter)
	if err != nil {
		return nil, err
	}
	credits, err := h.store.PlaceAttributions(ctx, org)
	if err != nil {
		return nil, err
	}
	page := contract.ListPlaces200JSONResponse{
		Items: make([]contract.PlaceToCheck, len(found)), Total: total, HasMore: more, Attributions: credits,
	}
	for i := range found {
		if page.Items[i], err = newPlaceToCheck(&found[i]); err != nil {
			return nil, err
		}
	}
	if more {
		last := &found[len(found)-1]
		page.NextToken = last.Date.Format(time.DateOnly) + "." + strconv.FormatInt(last.StopID, 10)
	}
	return page, nil
}

func (h *Handlers) filterOf(ctx context.Context, p *contract.ListPlacesParams) (f store.PlaceFilter, err error) {
	f = store.PlaceFilter{Precisions: order.CoarsePrecisions(), First: edge.Today(ctx, h.now()), Last: lastDay}
	if p.Precision != nil && len(*p.Precision) > 0 {
		f.Precisions = nil
		for _, precision := range *p.Precision {
			f.Precisions = append(f.Precisions, string(precision))
		}
	}
	if p.From != nil {
		f.First = p.From.Time
	}
	if p.To != nil {
		f.Last = p.To.Time
	}
	if f.First, f.Last, err = edge.CheckDays("from", f.First, "to", f.Last); err != nil {
		return f, err
	}
	if p.Token != nil && *p.Token != "" {
		f.After, err = cursorOf(*p.Token)
	}
	return f, err
}

// cursorOf reads how far somebody has read: a date and a stop.
func cursorOf(token string) (c store.PlaceCursor, err error) {
	day, stop, _ := strings.Cut(token, ".")
	c.Day, err = time.Parse(time.DateOnly, day)
	if err == nil {
		c.Stop, err = strconv.ParseInt(stop, 10, 64)
	}
	if err != nil {
		return c, fault.Field("token", fault.Say("plan.bad_token"))
	}
	return c, nil
}

func newPlaceToCheck(r *store.PlaceToCheck) (contract.PlaceToCheck, error) {
	p := contract.PlaceToCheck{
		OrderID: r.OrderID, ExternalID: r.Number, Date: openapi_types.Date{Time: r.Date}, StopID: r.StopID,
		Stop: contract.PlaceToCheckStop(strings.ToUpper(r.Kind)), Name: r.Name, Address1: edge.OrNull(r.Address1),
		Address2: edge.OrNull(r.Address2), PostalCode: edge.OrNull(r.PostalCode), City: edge.OrNull(r.City),
		Country: edge.OrNull(r.Country),
	}
	if err := json.Unmarshal(r.Position, &p.Position); err != nil {
		return p, fmt.Errorf("position of stop %d: %w", r.StopID, err)
	}
	return p, nil
}

// PinPlace says where an address is.
func (h *Handlers) PinPlace(
	ctx context.Context, request contract.PinPlaceRequestObject,
) (contract.PinPlaceResponseObject, error) {
	key, err := keyOf(request.Place)
	if err != nil {
		return nil, err
	}
	at := place.Position{Latitude: request.Body.Latitude, Longitude: request.Body.Longitude}
	if !at.IsValid() {
		return nil, fault.Field("latitude", fault.Say("address.bad_latitude"))
	}
	orders, err := h.operations.Places.Pin(ctx, edge.Caller(ctx), key, at)
	return contract.PinPlace200JSONResponse{Orders: int32(orders)}, err
}

// UnpinPlace removes a pin.
func (h *Handlers) UnpinPlace(
	ctx context.Context, request contract.UnpinPlaceRequestObject,
) (contract.UnpinPlaceResponseObject, error) {
	key, err := keyOf(request.Place)
	if err != nil {
		return nil, err
	}
	orders, err := h.operations.Places.Unpin(ctx, edge.Caller(ctx), key)
	return contract.UnpinPlace200JSONResponse{Orders: int32(orders)}, err
}

// keyOf reads the identifier of an address. What cannot be one names no address.
func keyOf(text string) (place.Key, error) {
	key, ok := place.ParseKey(text)
	if !ok {
		return key, fault.Missing("place", fault.Clip(text))
	}
	return key, nil
}
