package orders

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// documentStream is a list of any length, streamed.
type documentStream iter.Seq2[json.RawMessage, error]

// VisitListOrdersResponse streams the list.
func (d documentStream) VisitListOrdersResponse(w http.ResponseWriter) error {
	return edge.StreamArray(w, iter.Seq2[json.RawMessage, error](d))
}

// VisitListOrdersTodayResponse streams the list.
func (d documentStream) VisitListOrdersTodayResponse(w http.ResponseWriter) error {
	return edge.StreamArray(w, iter.Seq2[json.RawMessage, error](d))
}

// ListOrders lists the orders of some days that pass the filters.
func (h *Handlers) ListOrders(
	ctx context.Context, request contract.ListOrdersRequestObject,
) (contract.ListOrdersResponseObject, error) {
	p := request.Params
	loads, err := loadsOf(ctx, p.Loads)
	if err != nil {
		return nil, err
	}
	filter := store.OrderFilter{}
	filter.Start, filter.End, err = edge.CheckDays("startDate", p.StartDate.Time, "endDate", p.EndDate.Time)
	if err != nil {
		return nil, err
	}
	if p.Filters != nil {
		if err := readFilters(*p.Filters, &filter); err != nil {
			return nil, err
		}
	}
	return documentStream(h.store.Orders(ctx, edge.PrincipalOf(ctx).OrgID, filter, loads)), nil
}

// ListOrdersToday lists the orders of the organization's present day.
func (h *Handlers) ListOrdersToday(
	ctx context.Context, request contract.ListOrdersTodayRequestObject,
) (contract.ListOrdersTodayResponseObject, error) {
	loads, err := loadsOf(ctx, request.Params.Loads)
	if err != nil {
		return nil, err
	}
	today := edge.Today(ctx, h.now())
	filter := store.OrderFilter{Start: today, End: today}
	return documentStream(h.store.Orders(ctx, edge.PrincipalOf(ctx).OrgID, filter, loads)), nil
}

// readFilters reads name=value pairs. A repeated name matches any of its
// values.
func readFilters(pairs []string, f *store.OrderFilter) error {
	ids := map[string]*[]int64{
		"order_id": &f.OrderIDs, "customer_id": &f.CustomerIDs, "business_id": &f.BusinessIDs, "driver_id": &f.DriverIDs,
		"order_status_id": &f.StatusIDs, "department_id": &f.DepartmentIDs, "order_type_id": &f.OrderTypeIDs,
		"vehicle_type_id": &f.VehicleTypeIDs,
	}
	texts := map[string]*[]string{"serial_code": &f.SerialCodes, "internal_order_number": &f.Numbers}
	for _, pair := range pairs {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if list := texts[name]; list != nil {
			*list = append(*list, value)
			continue
		}
		list := ids[name]
		if list == nil {
			return fault.Field("filters", fault.Say("filters.unknown", "name", name))
		}
		id, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fault.Field("filters."+name, fault.Say("filters.not_an_id"))
		}
		*list = append(*list, id)
	}
	return nil
}

// CountOrders counts orders by day and status.
func (h *Handlers) CountOrders(
	ctx context.Context, request contract.CountOrdersRequestObject,
) (contract.CountOrdersResponseObject, error) {
	p := request.Params
	start, end := everyDay()
	if p.StartDate != nil {
		start = p.StartDate.Time
	}
	if p.EndDate != nil {
		end = p.EndDate.Time
	}
	start, end, err := edge.CheckDays("startDate", start, "endDate", end)
	if err != nil {
		return nil, err
	}
	status := int64(0)
	if p.OrderStatusID != nil {
		status = *p.OrderStatusID
		if status < 1 || status > 8 {
			return nil, fault.Field("orderStatusID", fault.Say("status.unknown"))
		}
	}
	n, err := h.store.CountOrders(ctx, edge.PrincipalOf(ctx).OrgID, start, end, status)
	return contract.CountOrders200JSONResponse(n), err
}

// everyDay is the range of all days that an order can have.
func everyDay() (start, end time.Time) {
	return time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
}
