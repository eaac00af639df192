package orders

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// orderPage is a page of orders; of the paginated list with its limit.
type orderPage edge.Page

func newOrderPage(items []json.RawMessage, total int64, page store.Page) orderPage {
	return orderPage(edge.NewPage(items, total, page))
}

// VisitSearchOrdersResponse responds with the page.
func (p orderPage) VisitSearchOrdersResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p)
}

// VisitListOrdersPaginatedResponse responds with the page.
func (p orderPage) VisitListOrdersPaginatedResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p)
}

// SearchOrders returns the orders that match all the given terms.
func (h *Handlers) SearchOrders(
	ctx context.Context, request contract.SearchOrdersRequestObject,
) (contract.SearchOrdersResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	loads, err := loadsOf(ctx, p.Loads)
	if err != nil {
		return nil, err
	}
	terms := store.OrderSearch{
		OrderID: p.OrderID, Number: p.InternalOrderNumber, Reference: p.Reference, ShipmentID: p.ShipmentID,
		LocationName: p.LocationName,
	}
	if p.SerialCode != nil {
		if terms.Serial = parseSerial(*p.SerialCode); terms.Serial == nil {
			return newOrderPage(nil, 0, page), nil
		}
	}
	if p.Query != nil {
		searchEverywhere(&terms, strings.TrimSpace(*p.Query))
	}
	if terms == (store.OrderSearch{}) {
		return nil, fault.Field("query", fault.Say("search.no_terms"))
	}
	org := edge.PrincipalOf(ctx).OrgID
	items, total, err := h.store.SearchOrders(ctx, org, terms, page)
	if err != nil {
		return nil, err
	}
	if items, err = h.withRelations(ctx, org, items, loads); err != nil {
		return nil, err
	}
	return newOrderPage(items, total, page), nil
}

// searchEverywhere searches a text in every searchable field.
func searchEverywhere(terms *store.OrderSearch, text string) {
	if text == "" {
		return
	}
	terms.Text, terms.TextSerial = &text, parseSerial(text)
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		terms.TextOrderID = &id
	}
}

// parseSerial reads a serial code such as WB-1042, or returns nil.
func parseSerial(code string) *int64 {
	digits, ok := strings.CutPrefix(strings.ToUpper(code), "WB-")
	if !ok {
		return nil
	}
	serial, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil
	}
	return &serial
}

// ListOrdersPaginated lists orders in numbered pages.
func (h *Handlers) ListOrdersPaginated(
	ctx context.Context, request contract.ListOrdersPaginatedRequestObject,
) (contract.ListOrdersPaginatedResponseObject, error) {
	body := request.Body
	page, err := edge.PageOf(body.Page, body.Limit)
	if err != nil {
		return nil, err
	}
	if int64(page.Number)*int64(page.Size) > store.MaxOrdersPaged {
		return nil, fault.Field("page", fault.Say("page.too_far", "max", strconv.Itoa(store.MaxOrdersPaged)))
	}
	filter, err := newPaging(body)
	if err != nil {
		return nil, err
	}
	loads, err := loadsOf(ctx, body.Loads)
	if err != nil {
		return nil, err
	}
	org := edge.PrincipalOf(ctx).OrgID
	items, total, err := h.store.PageOrders(ctx, org, filter, page)
	if err != nil {
		return nil, err
	}
	if items, err = h.withRelations(ctx, org, items, loads); err != nil {
		return nil, err
	}
	out := newOrderPage(items, total, page)
	out.Limit = page.Size
	return out, nil
}

func newPaging(body *contract.PaginatedOrdersRequest) (store.OrderPaging, error) {
	f := store.OrderPaging{
		StatusIDs: body.OrderStatusIds, OrderTypeIDs: listOrNil(body.OrderTypeIds), GroupIDs: listOrNil(body.GroupIds),
		DriverIDs: listOrNil(body.DriverIds),
		SortBy:    string(contract.OrderSortOrderIDDescending),
	}
	if len(f.StatusIDs) == 0 {
		return f, fault.Field("order_status_ids", fault.Say("status.needed"))
	}
	for _, id := range f.StatusIDs {
		if id < 1 || id > 8 {
			return f, fault.Field("order_status_ids", fault.Say("status.unknown"))
		}
	}
	var err error
	if f.Routes, err = readRoutes(listOrNil(body.Routes)); err != nil {
		return f, err
	}
	if body.SortBy != nil {
		if !body.SortBy.Valid() {
			return f, fault.Field("sort_by", fault.Say("request.not_one_of",
				"allowed", "order_id, -order_id, date, -date, created_at, -created_at, updated_at, -updated_at"))
		}
		f.SortBy = string(*body.SortBy)
	}
	start, end := everyDay()
	if body.StartDate != nil {
		start = body.StartDate.Time
	}
	if body.EndDate != nil {
		end = body.EndDate.Time
	}
	f.Start, f.End, err = edge.CheckDays("start_date", start, "end_date", end)
	return f, err
}

// listOrNil is the list of an optional member; an empty list filters nothing.
func listOrNil[T any](list *[]T) []T {
	if list == nil || len(*list) == 0 {
		return nil
	}
	return *list
}

// kinds are the names of JSON types other than text and numbers, by the first
// characters of their values.
var kinds = map[byte]string{'t': "boolean", 'f': "boolean", 'n': "null", '[': "array", '{': "object"}

// readRoutes reads route numbers, which callers send as text or as a number, as
// in an import.
func readRoutes(sent []contract.PaginatedOrdersRequest_Routes_Item) ([]string, error) {
	var routes []string
	for i := range sent {
		at := "routes[" + strconv.Itoa(i) + "]"
		raw, err := sent[i].MarshalJSON()
		if err != nil {
			return nil, err
		}
		var route string
		if raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' {
			route = string(raw) // its digits, as they were written
		} else if json.Unmarshal(raw, &route) != nil || raw[0] != '"' {
			return nil, fault.Field(at, fault.Say("request.wrong_type.string_or_number", "got", kinds[raw[0]]))
		}
		if !edge.IsText(route) {
			return nil, fault.Field(at, fault.Say("request.not_text"))
		}
		routes = append(routes, route)
	}
	return routes, nil
}
