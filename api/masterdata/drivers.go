package masterdata

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

func newDriver(d store.Driver) contract.Driver {
	return contract.Driver{
		ID: d.ID, ExternalID: edge.TextOrNull(d.ExternalID), Name: d.Name, PhoneNumber: edge.TextOrNull(d.PhoneNumber),
		EmailAddress: edge.TextOrNull(d.EmailAddress), IsActive: d.IsActive, CreatedAt: d.CreatedAt.UTC(),
		UpdatedAt: d.UpdatedAt.UTC(),
	}
}

// ListDrivers lists the drivers, a page at a time.
func (h *Handlers) ListDrivers(
	ctx context.Context, request contract.ListDriversRequestObject,
) (contract.ListDriversResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	drivers, total, err := h.store.Drivers(ctx, edge.PrincipalOf(ctx).OrgID, p.IsActive, page)
	if err != nil {
		return nil, err
	}
	out := contract.ListDrivers200JSONResponse{
		Items: make([]contract.Driver, len(drivers)), Total: total, Page: page.Number, Limit: page.Size,
		Pages: int32(edge.Pages(total, page)),
	}
	for i := range drivers {
		out.Items[i] = newDriver(drivers[i])
	}
	return out, nil
}

// GetDriver reads one driver.
func (h *Handlers) GetDriver(
	ctx context.Context, request contract.GetDriverRequestObject,
) (contract.GetDriverResponseObject, error) {
	d, err := h.store.Driver(ctx, edge.PrincipalOf(ctx).OrgID, request.DriverID)
	return contract.GetDriver200JSONResponse(newDriver(d)), err
}

// CreateDriver adds a driver.
func (h *Handlers) CreateDriver(
	ctx context.Context, request contract.CreateDriverRequestObject,
) (contract.CreateDriverResponseObject, error) {
	b := request.Body
	details, err := checkDetails(driver.Details{
		Name: b.Name, ExternalID: edge.OrEmpty(b.ExternalID), PhoneNumber: edge.OrEmpty(b.PhoneNumber),
		EmailAddress: edge.OrEmpty(b.EmailAddress),
	})
	if err != nil {
		return nil, err
	}
	d, err := h.operations.CreateDriver(ctx, edge.Caller(ctx), details)
	return contract.CreateDriver201JSONResponse(newDriver(d)), err
}

// checkDetails returns details as they are kept.
func checkDetails(d driver.Details) (driver.Details, error) {
	for _, f := range []struct{ name, value string }{
		{"name", d.Name}, {"external_id", d.ExternalID}, {"phone_number", d.PhoneNumber}, {"email_address", d.EmailAddress},
	} {
		if !edge.IsText(f.value) {
			return d, fault.Field(f.name, fault.Say("request.not_text"))
		}
	}
	return d.Check()
}

// UpdateDriver changes the fields that are given.
func (h *Handlers) UpdateDriver(
	ctx context.Context, request contract.UpdateDriverRequestObject,
) (contract.UpdateDriverResponseObject, error) {
	b := request.Body
	change := func(d driver.Details) (driver.Details, error) {
		if b.Name != nil {
			d.Name = *b.Name
		}
		for _, f := range []struct {
			sent nullable.Nullable[string]
			to   *string
		}{{b.ExternalID, &d.ExternalID}, {b.PhoneNumber, &d.PhoneNumber}, {b.EmailAddress, &d.EmailAddress}} {
			if f.sent.IsSpecified() {
				*f.to, _ = f.sent.Get() // null is empty
			}
		}
		return checkDetails(d)
	}
	d, err := h.operations.ChangeDriver(ctx, edge.Caller(ctx), request.DriverID, change)
	return contract.UpdateDriver200JSONResponse(newDriver(d)), err
}

// DeactivateDriver makes a driver inactive.
func (h *Handlers) DeactivateDriver(
	ctx context.Context, request contract.DeactivateDriverRequestObject,
) (contract.DeactivateDriverResponseObject, error) {
	today := edge.Today(ctx, h.now())
	d, err := h.operations.DeactivateDriver(ctx, edge.Caller(ctx), request.DriverID, today)
	return contract.DeactivateDriver200JSONResponse(newDriver(d)), err
}

// ReactivateDriver makes a driver active again.
func (h *Handlers) ReactivateDriver(
	ctx context.Context, request contract.ReactivateDriverRequestObject,
) (contract.ReactivateDriverResponseObject, error) {
	d, err := h.operations.ReactivateDriver(ctx, edge.Caller(ctx), request.DriverID)
	return contract.ReactivateDriver200JSONResponse(newDriver(d)), err
}

// ListWorkdays reads on which days of a range a driver works.
func (h *Handlers) ListWorkdays(
	ctx context.Context, request contract.ListWorkdaysRequestObject,
) (contract.ListWorkdaysResponseObject, error) {
	start, end, err := edge.CheckDays("start_date", request.Params.StartDate.Time, "end_date", request.Params.EndDate.Time)
	if err != nil {
		return nil, err
	}
	if err := (driver.Schedule{Start: start, End: end}).Check(); err != nil {
		return nil, err
	}
	out, err := h.schedule(ctx, request.DriverID, start, end)
	return contract.ListWorkdays200JSONResponse(out), err
}

func (h *Handlers) schedule(ctx context.Context, id int64, start, end time.Time) (contract.Schedule, error) {
	workdays, err := h.store.Workdays(ctx, edge.PrincipalOf(ctx).OrgID, id, start, end)
	out := contract.Schedule{
		DriverID: id, StartDate: openapi_types.Date{Time: start}, EndDate: openapi_types.Date{Time: end},
		Workdays: make([]contract.Workday, len(workdays)),
	}
	for i, day := range workdays {
		out.Workdays[i] = contract.Workday{
			Date: openapi_types.Date{Time: day.Date}, Starts: clockText(day.Starts), Ends: clockText(day.Ends),
		}
	}
	return out, err
}

func clockText(c order.Clock) string { return fmt.Sprintf("%02d:%02d", c/60, c%60) }

// ScheduleWorkdays replaces the workdays of a range.
func (h *Handlers) ScheduleWorkdays(
	ctx context.Context, request contract.ScheduleWorkdaysRequestObject,
) (contract.ScheduleWorkdaysResponseObject, error) {
	b := request.Body
	start, end, err := edge.CheckDays("start_date", b.StartDate.Time, "end_date", b.EndDate.Time)
	if err != nil {
		return nil, err
	}
	schedule := driver.Schedule{Start: start, End: end}
	if b.Workdays == nil {
		return nil, fault.Field("workdays", fault.Say("param.required"))
	}
	for i, sent := range b.Workdays {
		at := "workdays[" + strconv.Itoa(i) + "]"
		day := driver.Workday{Date: sent.Date.Time}
		var starts, ends bool
		day.Starts, starts = order.ParseClock(sent.Starts)
		day.Ends, ends = order.ParseClock(sent.Ends)
		switch {
		case !starts:
			return nil, fault.Field(at+".starts", fault.Say("driver.bad_clock"))
		case !ends:
			return nil, fault.Field(at+".ends", fault.Say("driver.bad_clock"))
		}
		schedule.Days = append(schedule.Days, day)
	}
	if err := schedule.Check(); err != nil {
		return nil, err
	}
	if err := h.operations.ScheduleDriver(ctx, edge.Caller(ctx), request.DriverID, schedule); err != nil {
		return nil, err
	}
	out, err := h.schedule(ctx, request.DriverID, start, end)
	return contract.ScheduleWorkdays200JSONResponse(out), err
}
