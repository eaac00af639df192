package masterdata

import (
	"context"
	"fmt"
	"strconv"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// ListWorkdays lists the days of a range on which a driver works.
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
	principal := edge.PrincipalOf(ctx)
	calendar, err := h.store.Calendar(ctx, principal.OrgID, id, principal.Zone, start, end)
	if err != nil {
		return contract.Schedule{}, err
	}
	workdays := calendar.Between(start, end)
	out := contract.Schedule{
		DriverID: id, StartDate: openapi_types.Date{Time: start}, EndDate: openapi_types.Date{Time: end},
		Workdays: make([]contract.Workday, len(workdays)),
	}
	for i, day := range workdays {
		out.Workdays[i] = newWorkday(day)
	}
	return out, nil
}

func newWorkday(day driver.Workday) contract.Workday {
	out := contract.Workday{
		Date: openapi_types.Date{Time: day.Date}, Starts: clockText(day.Starts), Ends: clockText(day.Ends),
	}
	if b := day.Break; b.Minutes > 0 {
		out.Break = &contract.WorkdayBreak{
			Minutes: int32(b.Minutes), Earliest: clockText(b.Earliest), Latest: clockText(b.Latest),
		}
	}
	out.MaxStops, out.MaxDrivingMinutes = limitOrNone(day.Limits.Stops), limitOrNone(day.Limits.DrivingMinutes)
	for _, f := range []struct {
		id int64
		to **int64
	}{
		{day.VehicleID, &out.VehicleID},
		{day.StartLocationID, &out.StartLocationID},
		{day.EndLocationID, &out.EndLocationID},
	} {
		if f.id != 0 {
			*f.to = &f.id
		}
	}
	return out
}

// limitOrNone is a limit on the wire, where 0 is left out.
func limitOrNone(limit int) *int32 {
	if limit == 0 {
		return nil
	}
	n := int32(limit)
	return &n
}

// readLimit reads a limit of a workday, which is at least 1.
func readLimit(field string, sent *int32, most int) (int, error) {
	switch {
	case sent == nil:
		return 0, nil
	case *sent < 1 || int(*sent) > most:
		return 0, fault.Field(field, fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(most)))
	}
	return int(*sent), nil
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
	for i := range b.Workdays {
		day, err := readWorkday("workdays["+strconv.Itoa(i)+"]", &b.Workdays[i])
		if err != nil {
			return nil, err
		}
		schedule.Days = append(schedule.Days, day)
	}
	if err := schedule.Check(); err != nil {
		return nil, err
	}
	if err := h.operations.MasterData.ScheduleDriver(ctx, edge.Caller(ctx), request.DriverID, schedule); err != nil {
		return nil, err
	}
	out, err := h.schedule(ctx, request.DriverID, start, end)
	return contract.ScheduleWorkdays200JSONResponse(out), err
}

func readWorkday(at string, sent *contract.Workday) (driver.Workday, error) {
	day := driver.Workday{
		Date: sent.Date.Time, VehicleID: idOrNone(sent.VehicleID),
		StartLocationID: idOrNone(sent.StartLocationID), EndLocationID: idOrNone(sent.EndLocationID),
	}
	var err error
	if day.Limits.Stops, err = readLimit(at+".max_stops", sent.MaxStops, driver.MostStops); err != nil {
		return day, err
	}
	driving := at + ".max_driving_minutes"
	day.Limits.DrivingMinutes, err = readLimit(driving, sent.MaxDrivingMinutes, driver.MostDrivingMinutes)
	if err != nil {
		return day, err
	}
	clocks := []struct {
		field, text string
		to          *order.Clock
	}{{".starts", sent.Starts, &day.Starts}, {".ends", sent.Ends, &day.Ends}}
	if b := sent.Break; b != nil {
		if b.Minutes < 1 {
			return day, fault.Field(at+".break.minutes", fault.Say("driver.bad_break"))
		}
		day.Break.Minutes = int(b.Minutes)
		clocks = append(clocks, []struct {
			field, text string
			to          *order.Clock
		}{{".break.earliest", b.Earliest, &day.Break.Earliest}, {".break.latest", b.Latest, &day.Break.Latest}}...)
	}
	for _, c := range clocks {
		clock, ok := order.ParseClock(c.text)
		if !ok {
			return day, fault.Field(at+c.field, fault.Say("driver.bad_clock"))
		}
		*c.to = clock
	}
	return day, nil
}
