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
	breaks := make([]contract.WorkdayBreak, 0, driver.MostBreaks)
	for _, b := range day.Breaks() {
		said := contract.WorkdayBreak{
			Minutes: int32(b.Minutes), Earliest: clockText(b.Earliest), Latest: clockText(b.Latest),
		}
		if b.LocationID != 0 {
			said.LocationID = &b.LocationID
		}
		breaks = append(breaks, said)
	}
	if len(breaks) > 0 {
		out.Break = &breaks[0]
	}
	if len(breaks) > 1 {
		more := breaks[1:]
		out.MoreBreaks = &more
	}
	out.MaxStops, out.MaxDrivingMinutes = limitOrNone(day.Limits.Stops), limitOrNone(day.Limits.DrivingMinutes)
	for _, f := range []struct {
		id int64
		to **int64
	}{
		{day.VehicleID, &out.VehicleID},
		{day.StartLocationID, &out.StartLocationID},
		{day.EndLocationID, &out.EndLocationID},
		{day.CoDriverID, &out.CoDriverID},
	} {
		if f.id != 0 {
			*f.to = &f.id
		}
	}
	if day.CoDriverID != 0 {
		out.SharesDriving = &day.SharesDriving
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

// sentClock is a time of the day in a body, and where it goes.
type sentClock struct {
	field, text string
	to          *order.Clock
}

// breaksOf sets how long the breaks of a workday are, and returns their times.
func breaksOf(at string, sent *contract.Workday, day *driver.Workday) (clocks []sentClock, err error) {
	set := func(field string, b *contract.WorkdayBreak, to *driver.Break) {
		if b.Minutes < 1 && err == nil {
			err = fault.Field(at+field+".minutes", fault.Say("driver.bad_break"))
		}
		to.Minutes, to.LocationID = int(b.Minutes), idOrNone(b.LocationID)
		clocks = append(clocks, sentClock{field + ".earliest", b.Earliest, &to.Earliest},
			sentClock{field + ".latest", b.Latest, &to.Latest})
	}
	if sent.Break != nil {
		set(".break", sent.Break, &day.Break)
	}
	if sent.MoreBreaks == nil {
		return clocks, err
	}
	if len(*sent.MoreBreaks) > len(day.More) {
		return nil, fault.Field(at+".more_breaks", fault.Say("field.too_many", "max", strconv.Itoa(len(day.More))))
	}
	for i := range *sent.MoreBreaks {
		set(fmt.Sprintf(".more_breaks[%d]", i), &(*sent.MoreBreaks)[i], &day.More[i])
	}
	return clocks, err
}

func readWorkday(at string, sent *contract.Workday) (driver.Workday, error) {
	day := driver.Workday{
		Date: sent.Date.Time, VehicleID: idOrNone(sent.VehicleID),
		StartLocationID: idOrNone(sent.StartLocationID), EndLocationID: idOrNone(sent.EndLocationID),
		Second: driver.Second{
			CoDriverID: idOrNone(sent.CoDriverID), SharesDriving: sent.SharesDriving != nil && *sent.SharesDriving,
		},
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
	clocks := []sentClock{{".starts", sent.Starts, &day.Starts}, {".ends", sent.Ends, &day.Ends}}
	breaks, err := breaksOf(at, sent, &day)
	if err != nil {
		return day, err
	}
	for _, c := range append(clocks, breaks...) {
		clock, ok := order.ParseClock(c.text)
		if !ok {
			return day, fault.Field(at+c.field, fault.Say("driver.bad_clock"))
		}
		*c.to = clock
	}
	return day, nil
}
