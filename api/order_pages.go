package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/store"
)

// The bounds of pages.
const (
	defaultLimit = 100
	maxLimit     = 1000
	maxPage      = 1_000_000
)

// pageOf checks the numbers of a page.
func pageOf(number, limit *int32) (store.Page, error) {
	page := store.Page{Number: 1, Size: defaultLimit}
	if number != nil {
		page.Number = *number
	}
	if limit != nil {
		page.Size = *limit
	}
	if page.Number < 1 || page.Number > maxPage {
		return page, outOfRange("page", 1, maxPage)
	}
	if page.Size < 1 || page.Size > maxLimit {
		return page, outOfRange("limit", 1, maxLimit)
	}
	return page, nil
}

func outOfRange(field string, low, high int) error {
	return fault.Field(field, fault.Say("request.out_of_range", "min", strconv.Itoa(low), "max", strconv.Itoa(high)))
}

// orderPage is a page of orders: total, pages, page and items, and for the
// paginated list the limit.
type orderPage struct {
	Items []json.RawMessage `json:"items"`
	Total int64             `json:"total"`
	Page  int32             `json:"page"`
	Pages int32             `json:"pages"`
	Limit int32             `json:"limit,omitempty"`
}

func newOrderPage(items []json.RawMessage, total int64, page store.Page) orderPage {
	if items == nil {
		items = []json.RawMessage{}
	}
	pages := (total + int64(page.Size) - 1) / int64(page.Size)
	return orderPage{Items: items, Total: total, Page: page.Number, Pages: int32(pages)}
}

// VisitSearchOrdersResponse answers with the page.
func (p orderPage) VisitSearchOrdersResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, p)
}

// VisitListOrdersPaginatedResponse answers with the page.
func (p orderPage) VisitListOrdersPaginatedResponse(w http.ResponseWriter) error {
	return writeJSON(w, http.StatusOK, p)
}

// SearchOrders finds the orders that match all the given terms.
func (s *Server) SearchOrders(ctx context.Context, request SearchOrdersRequestObject) (SearchOrdersResponseObject, error) {
	p := request.Params
	page, err := pageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	terms := store.OrderSearch{
		OrderID: p.OrderID, Number: p.InternalOrderNumber, Reference: p.Reference, ShipmentID: p.ShipmentID,
		LocationName: p.LocationName,
	}
	if p.SerialCode != nil {
		if terms.Serial = serialOf(*p.SerialCode); terms.Serial == nil {
			return newOrderPage(nil, 0, page), nil
		}
	}
	if p.Query != nil {
		anywhere(&terms, strings.TrimSpace(*p.Query))
	}
	if terms == (store.OrderSearch{}) {
		return nil, fault.Field("query", fault.Say("search.no_terms"))
	}
	items, total, err := s.store.SearchOrders(ctx, PrincipalOf(ctx).OrgID, terms, page)
	if err != nil {
		return nil, err
	}
	return newOrderPage(items, total, page), nil
}

// anywhere looks for a text in all that can be searched.
func anywhere(terms *store.OrderSearch, text string) {
	if text == "" {
		return
	}
	terms.Text, terms.TextSerial = &text, serialOf(text)
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		terms.TextOrderID = &id
	}
}

// serialOf reads a serial code such as WB-1042; nil when it is none.
func serialOf(code string) *int64 {
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
func (s *Server) ListOrdersPaginated(
	ctx context.Context, request ListOrdersPaginatedRequestObject,
) (ListOrdersPaginatedResponseObject, error) {
	body := request.Body
	page, err := pageOf(body.Page, body.Limit)
	if err != nil {
		return nil, err
	}
	filter, err := newPaging(body)
	if err != nil {
		return nil, err
	}
	items, total, err := s.store.PageOrders(ctx, PrincipalOf(ctx).OrgID, filter, page)
	if err != nil {
		return nil, err
	}
	out := newOrderPage(items, total, page)
	out.Limit = page.Size
	return out, nil
}

func newPaging(body *PaginatedOrdersRequest) (store.OrderPaging, error) {
	f := store.OrderPaging{
		StatusIDs: body.OrderStatusIds, OrderTypeIDs: orNone(body.OrderTypeIds), GroupIDs: orNone(body.GroupIds),
		DriverIDs: orNone(body.DriverIds), Routes: orNone(body.Routes), SortBy: string(OrderSortOrderIDDescending),
	}
	if len(f.StatusIDs) == 0 {
		return f, fault.Field("order_status_ids", fault.Say("status.needed"))
	}
	for _, id := range f.StatusIDs {
		if id < 1 || id > 8 {
			return f, fault.Field("order_status_ids", fault.Say("status.unknown"))
		}
	}
	for i, route := range f.Routes {
		if !text(route) {
			return f, fault.Field("routes["+strconv.Itoa(i)+"]", fault.Say("request.not_text"))
		}
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
	var err error
	f.Start, f.End, err = days("start_date", start, "end_date", end)
	return f, err
}

// orNone is the list of an optional member; an empty list filters nothing.
func orNone[T any](list *[]T) []T {
	if list == nil || len(*list) == 0 {
		return nil
	}
	return *list
}
