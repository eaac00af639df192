package planning

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/planning"
)

// behindDriver is the prefix of tokens after a driver.
const behindDriver = "d"

// ListDriversOfDay lists the drivers who work on a day.
func (h *Handlers) ListDriversOfDay(
	ctx context.Context, request contract.ListDriversOfDayRequestObject,
) (contract.ListDriversOfDayResponseObject, error) {
	day := request.Date.Time
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	size, err := sizeOf(request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	var after int64
	if token := edge.OrEmpty(request.Params.Token); token != "" {
		number, isDriver := strings.CutPrefix(token, behindDriver+".")
		if after, err = strconv.ParseInt(number, 10, 64); err != nil || !isDriver {
			return nil, fault.Field("token", fault.Say("plan.bad_token"))
		}
	}
	who := edge.PrincipalOf(ctx)
	drivers, last, more, err := h.store.DriversOfDay(
		ctx, who.OrgID, planning.Clock{Date: day, Zone: who.Zone}, after, size,
	)
	if err != nil {
		return nil, err
	}
	out := contract.ListDriversOfDay200JSONResponse{Items: make([]contract.DriverOfDay, len(drivers)), HasMore: more}
	if more {
		out.NextToken = fmt.Sprintf("%s.%d", behindDriver, last)
	}
	for i, d := range drivers {
		out.Items[i] = contract.DriverOfDay{
			DriverID: d.ID, DriverName: d.Name, DepartmentID: edge.OrNull(d.DepartmentID),
			StartsAt: d.Starts.UTC(), EndsAt: d.Ends.UTC(),
			Registration: edge.OrNull(d.Registration), VehicleTypeName: edge.OrNull(d.VehicleType),
		}
	}
	return out, nil
}
