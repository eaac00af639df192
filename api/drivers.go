package api

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

func newDriver(d store.Driver) Driver {
	return Driver{
		ID: d.ID, ExternalID: textOrNull(d.ExternalID), Name: d.Name, PhoneNumber: textOrNull(d.PhoneNumber),
		EmailAddress: textOrNull(d.EmailAddress), IsActive: d.IsActive, CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(),
	}
}

// ListDrivers lists the drivers, a page at a time.
func (s *Server) ListDrivers(ctx context.Context, request ListDriversRequestObject) (ListDriversResponseObject, error) {
	p := request.Params
	page, err := pageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	drivers, total, err := s.store.Drivers(ctx, PrincipalOf(ctx).OrgID, p.IsActive, page)
	if err != nil {
		return nil, err
	}
	out := ListDrivers200JSONResponse{
		Items: make([]Driver, len(drivers)), Total: total, Page: page.Number, Limit: page.Size,
		Pages: int32((total + int64(page.Size) - 1) / int64(page.Size)),
	}
	for i := range drivers {
		out.Items[i] = newDriver(drivers[i])
	}
	return out, nil
}

// GetDriver reads one driver.
func (s *Server) GetDriver(ctx context.Context, request GetDriverRequestObject) (GetDriverResponseObject, error) {
	d, err := s.store.Driver(ctx, PrincipalOf(ctx).OrgID, request.DriverID)
	return GetDriver200JSONResponse(newDriver(d)), err
}

// CreateDriver adds a driver.
func (s *Server) CreateDriver(ctx context.Context, request CreateDriverRequestObject) (CreateDriverResponseObject, error) {
	b := request.Body
	details, err := usable(driver.Details{
		Name: b.Name, ExternalID: orEmpty(b.ExternalID), PhoneNumber: orEmpty(b.PhoneNumber), EmailAddress: orEmpty(b.EmailAddress),
	})
	if err != nil {
		return nil, err
	}
	d, err := s.operations.CreateDriver(ctx, CallerOf(ctx), details)
	return CreateDriver201JSONResponse(newDriver(d)), err
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// usable gives details as they are kept.
func usable(d driver.Details) (driver.Details, error) {
	for _, f := range []struct{ name, value string }{
		{"name", d.Name}, {"external_id", d.ExternalID}, {"phone_number", d.PhoneNumber}, {"email_address", d.EmailAddress},
	} {
		if !text(f.value) {
			return d, fault.Field(f.name, fault.Say("request.not_text"))
		}
	}
	return d.Check()
}

// UpdateDriver changes the fields that are given.
func (s *Server) UpdateDriver(ctx context.Context, request UpdateDriverRequestObject) (UpdateDriverResponseObject, error) {
	b := request.Body
	d, err := s.operations.ChangeDriver(ctx, CallerOf(ctx), request.DriverID, func(d driver.Details) (driver.Details, error) {
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
		return usable(d)
	})
	return UpdateDriver200JSONResponse(newDriver(d)), err
}

// DeactivateDriver makes a driver inactive.
func (s *Server) DeactivateDriver(ctx context.Context, request DeactivateDriverRequestObject) (DeactivateDriverResponseObject, error) {
	caller := PrincipalOf(ctx)
	year, month, day := s.now().In(caller.Zone).Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	d, err := s.operations.DeactivateDriver(ctx, CallerOf(ctx), request.DriverID, today)
	return DeactivateDriver200JSONResponse(newDriver(d)), err
}

// ReactivateDriver makes a driver active again.
func (s *Server) ReactivateDriver(ctx context.Context, request ReactivateDriverRequestObject) (ReactivateDriverResponseObject, error) {
	d, err := s.operations.ReactivateDriver(ctx, CallerOf(ctx), request.DriverID)
	return ReactivateDriver200JSONResponse(newDriver(d)), err
}

// ListWorkdays reads on which days of a range a driver works.
func (s *Server) ListWorkdays(ctx context.Context, request ListWorkdaysRequestObject) (ListWorkdaysResponseObject, error) {
	start, end, err := days("start_date", request.Params.StartDate.Time, "end_date", request.Params.EndDate.Time)
	if err != nil {
		return nil, err
	}
	if err := (driver.Schedule{Start: start, End: end}).Check(); err != nil {
		return nil, err
	}
	out, err := s.schedule(ctx, request.DriverID, start, end)
	return ListWorkdays200JSONResponse(out), err
}

func (s *Server) schedule(ctx context.Context, id int64, start, end time.Time) (Schedule, error) {
	workdays, err := s.store.Workdays(ctx, PrincipalOf(ctx).OrgID, id, start, end)
	out := Schedule{
		DriverID: id, StartDate: openapi_types.Date{Time: start}, EndDate: openapi_types.Date{Time: end},
		Workdays: make([]Workday, len(workdays)),
	}
	for i, day := range workdays {
		out.Workdays[i] = Workday{Date: openapi_types.Date{Time: day.Date}, Starts: clockText(day.Starts), Ends: clockText(day.Ends)}
	}
	return out, err
}

func clockText(c order.Clock) string { return fmt.Sprintf("%02d:%02d", c/60, c%60) }

// ScheduleWorkdays replaces the workdays of a range.
func (s *Server) ScheduleWorkdays(ctx context.Context, request ScheduleWorkdaysRequestObject) (ScheduleWorkdaysResponseObject, error) {
	b := request.Body
	start, end, err := days("start_date", b.StartDate.Time, "end_date", b.EndDate.Time)
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
	if err := s.operations.ScheduleDriver(ctx, CallerOf(ctx), request.DriverID, schedule); err != nil {
		return nil, err
	}
	out, err := s.schedule(ctx, request.DriverID, start, end)
	return ScheduleWorkdays200JSONResponse(out), err
}
