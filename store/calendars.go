package store

import (
	"context"
	"encoding/json"
	"strconv"

	"waybill/domain/calendar"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/store/queries"
)

// saveCalendar saves a calendar, unless the organization then has too many.
func (t *Tx) saveCalendar(ctx context.Context, id int64, r *masterdata.Calendar) (int64, error) {
	closed, err := json.Marshal(r.Closed)
	if err != nil {
		return 0, err
	}
	saved, err := t.q.SaveCalendar(ctx, queries.SaveCalendarParams{
		OrgID: t.org, ID: id, Name: r.Name, Closed: closed, IsActive: r.IsActive,
	})
	if err != nil {
		return 0, err
	}
	count, err := t.q.CountCalendars(ctx, t.org)
	if err == nil && count > calendar.MostCalendars {
		err = violated([]fault.Violation{{
			Field: "name", Text: fault.Say("calendar.too_many", "max", strconv.Itoa(calendar.MostCalendars)),
		}})
	}
	return saved, err
}
