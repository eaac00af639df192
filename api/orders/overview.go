package orders

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/overview"
	"waybill/store"
)

// The bounds of the overview.
const (
	usualOverviewPage = 50
	maxOverviewPage   = 200
	maxOverviewDays   = 31
	longestText       = 200
)

// ListOrdersOverview lists orders as rows of a table.
func (h *Handlers) ListOrdersOverview(
	ctx context.Context, request contract.ListOrdersOverviewRequestObject,
) (contract.ListOrdersOverviewResponseObject, error) {
	filter, size, err := overviewFilter(request.Body)
	if err != nil {
		return nil, err
	}
	rows, more, err := h.store.Overview(ctx, edge.PrincipalOf(ctx).OrgID, filter, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListOrdersOverview200JSONResponse{Items: make([]contract.OrderRow, len(rows)), HasMore: more}
	for i := range rows {
		page.Items[i] = newOrderRow(&rows[i], h.now())
	}
	if more {
		last := &rows[len(rows)-1]
		page.NextToken = last.Date.Format(time.DateOnly) + "." + strconv.FormatInt(last.ID, 10)
	}
	return page, nil
}

// overviewFilter reads the filters and the page size.
func overviewFilter(body *contract.OrdersOverviewRequest) (f store.OverviewFilter, size int32, err error) {
	f = store.OverviewFilter{
		OrderTypeIDs: listOrNil(body.OrderTypeIds), DepartmentIDs: listOrNil(body.DepartmentIds),
		DriverIDs: listOrNil(body.DriverIds), Customers: listOrNil(body.CustomerIds),
	}
	for _, id := range listOrNil(body.StatusIds) {
		if id < 1 || id > 8 {
			return f, 0, fault.Field("statusIds", fault.Say("status.unknown"))
		}
		f.StatusIDs = append(f.StatusIDs, id)
	}
	if body.From.IsZero() || body.To.IsZero() {
		return f, 0, fault.Field("from", fault.Say("date.missing"))
	}
	if f.From, f.To, err = edge.CheckDays("from", body.From.Time, "to", body.To.Time); err != nil {
		return f, 0, err
	}
	if f.To.Sub(f.From) > maxOverviewDays*24*time.Hour {
		return f, 0, fault.Field("to", fault.Say("overview.too_long", "max", strconv.Itoa(maxOverviewDays)))
	}
	if f.Text, err = overviewText(body.Text); err != nil {
		return f, 0, err
	}
	if body.Sort != nil && !body.Sort.Valid() {
		return f, 0, fault.Field("sort", fault.Say("request.not_one_of", "allowed", "date, -date"))
	}
	f.Down = body.Sort != nil && *body.Sort == contract.OrdersOverviewRequestSortMinusDate
	if f.BehindDay, f.BehindID, err = overviewToken(edge.OrEmpty(body.Token), &f); err != nil {
		return f, 0, err
	}
	size, err = overviewSize(body.PageSize)
	return f, size, err
}

// overviewText reads the searched text, or nil.
func overviewText(sent *string) (*store.OrderSearch, error) {
	text := strings.TrimSpace(edge.OrEmpty(sent))
	if err := edge.CheckTexts(edge.AtMost(longestText, "text", text)); err != nil || text == "" {
		return nil, err
	}
	terms := &store.OrderSearch{}
	searchEverywhere(terms, text)
	return terms, nil
}

// overviewSize is how many orders a page is to hold.
func overviewSize(asked *int32) (int32, error) {
	if asked == nil {
		return usualOverviewPage, nil
	}
	if *asked < 1 || *asked > maxOverviewPage {
		return 0, edge.OutOfRange("pageSize", 1, maxOverviewPage)
	}
	return *asked, nil
}

// overviewToken reads the order after which a page begins; an empty token comes
// before all orders.
func overviewToken(token string, f *store.OverviewFilter) (day time.Time, id int64, err error) {
	switch {
	case token == "" && f.Down:
		return f.To, math.MaxInt64, nil
	case token == "":
		return f.From, 0, nil
	}
	written, number, _ := strings.Cut(token, ".")
	day, badDay := time.Parse(time.DateOnly, written)
	id, badID := strconv.ParseInt(number, 10, 64)
	if badDay != nil || badID != nil {
		return day, id, fault.Field("token", fault.Say("feed.bad_token"))
	}
	return day, id, nil
}

// newOrderRow converts an order to a row of the table.
func newOrderRow(o *overview.Order, now time.Time) contract.OrderRow {
	row := contract.OrderRow{
		OrderID: o.ID, ExternalIds: o.Numbers, SerialCode: fmt.Sprintf("WB-%d", o.Serial),
		OrderStatusID: contract.OrderStatusID(o.Status), Status: contract.OrderStatusName(o.Status.String()),
		Date: openapi_types.Date{Time: o.Date}, Reference: edge.OrNull(o.Reference),
		Customer: contract.NamedRecord(o.Customer), OrderType: contract.NamedRecord(o.OrderType),
		VehicleType: contract.NamedRecord(o.VehicleType), Department: rowName(o.Department), Driver: rowName(o.Driver),
		Pickup: newRowStop(o, o.Pickup, now), Delivery: newRowStop(o, o.Delivery, now),
		WeightKg: o.Load.WeightKg.InexactFloat64(), VolumeM3: o.Load.VolumeM3.InexactFloat64(),
		Colli: o.Load.Colli.InexactFloat64(), IsLate: o.IsLate(now), Flags: []contract.OrderRowFlags{},
	}
	for _, flag := range o.Flags(now) {
		row.Flags = append(row.Flags, contract.OrderRowFlags(flag))
	}
	return row
}

func rowName(n *overview.Name) *contract.NamedRecord {
	if n == nil {
		return nil
	}
	name := contract.NamedRecord(*n)
	return &name
}

func newRowStop(o *overview.Order, s *overview.Stop, now time.Time) *contract.RowStop {
	if s == nil {
		return nil
	}
	return &contract.RowStop{
		Name: s.Name, Address1: edge.OrNull(s.Address1), PostalCode: edge.OrNull(s.PostalCode), City: edge.OrNull(s.City),
		Earliest: s.Earliest.UTC(), Latest: s.Latest.UTC(), Eta: instant(s.ETA), Status: contract.RowStopStatus(s.Status),
		ArrivedAt: instant(s.ArrivedAt), EndedAt: instant(s.EndedAt), IsLate: o.StopIsLate(s, now),
	}
}

// instant is a time in UTC, or null.
func instant(at *time.Time) nullable.Nullable[time.Time] {
	if at == nil {
		return nullable.NewNullNullable[time.Time]()
	}
	return nullable.NewNullableWithValue(at.UTC())
}
